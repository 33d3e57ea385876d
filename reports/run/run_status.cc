#include "reports/run/run_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "reports/files/number_format.h"
#include "reports/run/run_blocks.h"
#include "reports/run/run_lock.h"
#include "reports/run/trial_stream.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

namespace fs = std::filesystem;

/// Counts the records of a finished run.
void CountRecords(const RunManifest& manifest, RunStatus& status) {
  TrialStream stream(status.folder / "records.jsonl", manifest);
  while (stream.Next()) {
    ++status.cells[stream.cell()].done;
    status.cells[stream.cell()].failed_estimates += static_cast<std::int64_t>(stream.failures());
  }
  if (status.done() == status.planned()) return;
  throw ConfigError((status.folder / "records.jsonl").string(), "",
                    fmt::format("holds {} of {} trials, and the run had finished", status.done(),
                                status.planned()),
                    {"the file was cut: remove it, and `idbench run` with --resume computes all "
                     "trials again"});
}

[[noreturn]] void RefuseBlock(const fs::path& file, std::int64_t found, const Block& block) {
  throw ConfigError(file.string(), "", fmt::format("holds {} trials of the block", found),
                    {fmt::format("its name says cell {}, trials {} to {}", block.cell, block.begin,
                                 block.end - 1),
                     "the file is damaged: remove it, and `idbench run` with --resume computes it "
                     "again"});
}

void CountBlock(const RunManifest& manifest, const Block& block, RunStatus& status) {
  const fs::path file = status.folder / "blocks" / BlockName(block);
  TrialStream stream(file, manifest);
  std::int64_t found = 0;
  std::int64_t failed = 0;
  while (stream.Next()) {
    if (stream.cell() != block.cell || stream.trial() != block.begin + found) break;
    ++found;
    failed += static_cast<std::int64_t>(stream.failures());
  }
  if (found != block.end - block.begin || block.cell >= status.cells.size()) {
    RefuseBlock(file, found, block);
  }
  status.cells[block.cell].done += found;
  status.cells[block.cell].failed_estimates += failed;
}

/// Trials per second, from when blocks were written since `begun`.
std::optional<double> RateOf(const fs::path& folder, const std::set<Block>& blocks,
                             fs::file_time_type begun) {
  fs::file_time_type last = begun;
  std::int64_t trials = 0;
  for (const Block& block : blocks) {
    std::error_code gone;
    const auto written = fs::last_write_time(folder / "blocks" / BlockName(block), gone);
    if (gone || written < begun) continue;
    last = std::max(last, written);
    trials += block.end - block.begin;
  }
  const double elapsed_s = std::chrono::duration<double>(last - begun).count();
  if (trials == 0 || elapsed_s <= 0.0) return std::nullopt;
  return static_cast<double>(trials) / elapsed_s;
}

/// Counts the blocks of a run that is not finished. False if the run finished meanwhile.
bool CountBlocks(const RunManifest& manifest, RunStatus& status) {
  const std::set<Block> blocks = ListBlocks(status.folder);
  for (const Block& block : blocks) {
    try {
      CountBlock(manifest, block, status);
    } catch (const ConfigError&) {
      if (fs::exists(status.folder / "records.jsonl")) return false;
      throw;
    }
  }
  if (fs::exists(status.folder / "records.jsonl")) return false;
  if (const auto begun = RunningSince(status.folder)) {
    status.trials_per_s = RateOf(status.folder, blocks, *begun);
  }
  return true;
}

RunStatus Planned(const fs::path& folder, const RunManifest& manifest) {
  RunStatus status;
  status.folder = folder;
  status.scenario = manifest.Name();
  status.shard = manifest.shard;
  status.estimators = manifest.estimators.size();
  status.observed = !manifest.observers.empty();
  for (std::size_t cell = 0; cell < manifest.cells.size(); ++cell) {
    const TrialRange range = manifest.shard.value_or(Shard{}).Trials(cell, manifest.trials);
    status.cells.push_back({manifest.cells[cell].Label(), range.size()});
  }
  return status;
}

std::string WholePercent(std::int64_t part, std::int64_t whole) {
  return fmt::format("{} %", whole == 0 ? 100 : 100 * part / whole);
}

/// @param trials  of which records are counted.
std::string FailureText(std::int64_t failed, std::int64_t trials, const RunStatus& run) {
  if (failed == 0)
    return fmt::format("no estimate{} failed", run.observed ? " or observation" : "");
  return fmt::format("{} of {} estimates{} failed", failed,
                     trials * static_cast<std::int64_t>(run.estimators),
                     run.observed ? " and observations" : "");
}

std::string Headline(const RunStatus& run) {
  std::string text = fmt::format("{}: {}", run.folder.string(), run.scenario);
  if (run.shard) text += fmt::format(", shard {} of {}", run.shard->index, run.shard->count);
  if (run.merged_from > 0) text += fmt::format(", merged from {} folders", run.merged_from);
  return fmt::format("{}: {}\n", text, ToString(run.state));
}

std::string RenderOne(const RunStatus& run) {
  std::string text = Headline(run);
  text += fmt::format("  {} of {} trials ({}), {}", run.done(), run.planned(),
                      WholePercent(run.done(), run.planned()),
                      FailureText(run.failed_estimates(), run.done(), run));
  if (run.trials_per_s) text += fmt::format("; {:.3g} trials/s", *run.trials_per_s);
  if (run.seconds_left()) text += fmt::format(", {} left", PrintDuration(*run.seconds_left()));
  text += '\n';
  if (run.state == RunState::kRunning && run.done() == run.planned()) {
    text += "  time series and timings are being made\n";
  }
  for (const CellStatus& cell : run.cells) {
    if (run.cells.size() == 1 || (cell.done == cell.planned && cell.failed_estimates == 0))
      continue;
    text += fmt::format("    {}: {} of {}", cell.label, cell.done, cell.planned);
    if (cell.failed_estimates > 0) {
      text += ", " + FailureText(cell.failed_estimates, cell.done, run);
    }
    text += '\n';
  }
  if (run.state == RunState::kInterrupted) {
    text += fmt::format("  go on with: idbench run SCENARIO{} --resume --out {}\n",
                        run.shard ? " --shard " + run.shard->Label() : "", run.folder.string());
  }
  return text;
}

}  // namespace

std::string ToString(RunState state) {
  switch (state) {
    case RunState::kRunning:
      return "running";
    case RunState::kFinished:
      return "finished";
    case RunState::kInterrupted:
      break;
  }
  return "interrupted";
}

std::int64_t RunStatus::planned() const {
  std::int64_t sum = 0;
  for (const CellStatus& cell : cells) sum += cell.planned;
  return sum;
}

std::int64_t RunStatus::done() const {
  std::int64_t sum = 0;
  for (const CellStatus& cell : cells) sum += cell.done;
  return sum;
}

std::int64_t RunStatus::failed_estimates() const {
  std::int64_t sum = 0;
  for (const CellStatus& cell : cells) sum += cell.failed_estimates;
  return sum;
}

std::optional<double> RunStatus::seconds_left() const {
  if (!trials_per_s || done() >= planned()) return std::nullopt;
  return static_cast<double>(planned() - done()) / *trials_per_s;
}

RunStatus ReadRunStatus(const fs::path& folder) {
  const RunManifest manifest = ReadManifest(folder / "manifest.json");
  const Json json = ReadJsonFile(folder / "manifest.json");
  RunStatus status = Planned(folder, manifest);
  if (fs::exists(folder / "records.jsonl") || !CountBlocks(manifest, status)) {
    status = Planned(folder, manifest);
    CountRecords(manifest, status);
    status.state = RunState::kFinished;
  }
  if (RunningSince(folder)) status.state = RunState::kRunning;
  if (const auto shards = json.find("shards"); shards != json.end()) {
    status.merged_from = shards->size();
  }
  return status;
}

std::string RenderStatus(std::span<const RunStatus> runs) {
  std::string text;
  for (const RunStatus& run : runs) text += RenderOne(run);
  if (runs.size() < 2) return text;
  std::int64_t done = 0;
  std::int64_t planned = 0;
  for (const RunStatus& run : runs) {
    done += run.done();
    planned += run.planned();
  }
  const auto count = [&runs](RunState state) {
    return std::ranges::count(runs, state, &RunStatus::state);
  };
  return text +
         fmt::format("{} folders: {} finished, {} running, {} interrupted; {} of {} trials ({})\n",
                     runs.size(), count(RunState::kFinished), count(RunState::kRunning),
                     count(RunState::kInterrupted), done, planned, WholePercent(done, planned));
}

Json StatusToJson(std::span<const RunStatus> runs) {
  Json list = Json::array();
  for (const RunStatus& run : runs) {
    Json json = {{"folder", run.folder.string()},
                 {"scenario", run.scenario},
                 {"state", ToString(run.state)}};
    if (run.shard) json["shard"] = WriteValue(*run.shard);
    if (run.merged_from > 0) json["merged_from"] = run.merged_from;
    json["trials"] = {{"planned", run.planned()}, {"done", run.done()}};
    json["estimates_failed"] = run.failed_estimates();
    if (run.trials_per_s) json["trials_per_s"] = *run.trials_per_s;
    if (run.seconds_left()) json["seconds_left"] = *run.seconds_left();
    json["cells"] = Json::array();
    for (const CellStatus& cell : run.cells) {
      json["cells"].push_back({{"label", cell.label},
                               {"planned", cell.planned},
                               {"done", cell.done},
                               {"estimates_failed", cell.failed_estimates}});
    }
    list.push_back(std::move(json));
  }
  return {{"format", 1}, {"runs", std::move(list)}};
}

}  // namespace idbench
