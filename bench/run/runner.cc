#include "bench/run/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "bench/run/identified.h"
#include "bench/run/manifest.h"
#include "bench/run/progress.h"
#include "bench/run/run_writer.h"
#include "bench/run/timing.h"
#include "bench/run/trial_runner.h"
#include "reports/files/atomic_file.h"
#include "scenarios/options/json.h"
#include "scenarios/options/utf8.h"

namespace idbench {
namespace {

/// What a block is sized to take.
constexpr double kBlockSeconds = 1.0;
/// Estimates of each estimator and cell that are timed where the scenario does not say how many.
constexpr std::int64_t kTimingTrials = 20;
/// What timing may take, if accuracy took less, as it did in a run that is resumed [s].
constexpr double kLeastTimingSeconds = 1.0;
/// Timing that takes less is not shown [s].
constexpr double kQuietSeconds = 1.0;

double SecondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Hands out blocks of the trials that are missing, cell by cell.
class BlockQueue {
 public:
  /// @param trials  those of each cell.
  BlockQueue(const std::vector<TrialRange>& trials, const std::set<Block>& finished)
      : seconds_per_trial_(trials.size()) {
    for (std::size_t cell = 0; cell < trials.size(); ++cell) {
      std::int64_t next = trials[cell].begin;
      for (const Block& block : finished) {
        if (block.cell != cell) continue;
        if (block.begin > next) gaps_.push_back({cell, next, block.begin});
        next = std::max(next, block.end);
      }
      if (next < trials[cell].end) gaps_.push_back({cell, next, trials[cell].end});
    }
  }

  std::int64_t missing() const {
    std::int64_t count = 0;
    for (const Block& gap : gaps_) count += gap.end - gap.begin;
    return count;
  }

  /// The next block, sized by how long trials of its cell took so far; the first of a cell is one
  /// trial. `jobs` workers share what is left.
  std::optional<Block> Next(int jobs) {
    const std::lock_guard lock(mutex_);
    while (first_ < gaps_.size() && gaps_[first_].begin == gaps_[first_].end) ++first_;
    if (first_ == gaps_.size()) return std::nullopt;
    Block& gap = gaps_[first_];
    const std::optional<double>& seconds = seconds_per_trial_[gap.cell];
    const double wanted = seconds ? kBlockSeconds / std::max(*seconds, 1e-9) : 1.0;
    const std::int64_t left = gap.end - gap.begin;
    const std::int64_t fair = std::max<std::int64_t>(1, left / jobs);
    const auto size = static_cast<std::int64_t>(std::clamp(wanted, 1.0, static_cast<double>(fair)));
    const Block block{gap.cell, gap.begin, gap.begin + size};
    gap.begin += size;
    return block;
  }

  void Took(const Block& block, double seconds) {
    const std::lock_guard lock(mutex_);
    seconds_per_trial_[block.cell] = seconds / static_cast<double>(block.end - block.begin);
  }

 private:
  std::mutex mutex_;
  std::vector<Block> gaps_;
  std::size_t first_ = 0;
  std::vector<std::optional<double>> seconds_per_trial_;
};

/// The trials of each cell that are to be computed.
std::vector<TrialRange> TrialsOf(const LoadedScenario& loaded, const std::optional<Shard>& shard) {
  std::vector<TrialRange> trials;
  for (std::size_t cell = 0; cell < loaded.cells.size(); ++cell) {
    trials.push_back(shard.value_or(Shard{}).Trials(cell, loaded.scenario.trial_count()));
  }
  return trials;
}

std::int64_t Total(const std::vector<TrialRange>& trials) {
  std::int64_t total = 0;
  for (const TrialRange& range : trials) total += range.size();
  return total;
}

/// The accuracy pass: all blocks, on several threads.
class Pass {
 public:
  Pass(const LoadedScenario& loaded, const RunOptions& options,
       const std::vector<TrialRange>& trials, RunWriter& writer, const PreparedCells& contexts,
       KeptTrials& kept)
      : loaded_(loaded),
        options_(options),
        writer_(writer),
        contexts_(contexts),
        kept_(kept),
        queue_(trials, writer.finished()),
        progress_(loaded.scenario.name, Total(trials), Total(trials) - queue_.missing(),
                  ProgressStyleOfStderr(), options.quiet_s) {}

  /// False if it was stopped.
  bool Run() {
    {
      std::vector<std::jthread> workers;
      for (int k = 0; k < options_.jobs; ++k) workers.emplace_back([this] { Work(); });
    }
    if (error_) std::rethrow_exception(error_);
    return !Stopped();
  }

 private:
  bool Stopped() const { return options_.stop != nullptr && options_.stop->load(); }

  void Work() {
    try {
      while (!Stopped() && !failed_) {
        const std::optional<Block> block = queue_.Next(options_.jobs);
        if (!block) return;
        RunBlock(*block);
      }
    } catch (...) {
      const std::lock_guard lock(error_mutex_);
      if (!error_) error_ = std::current_exception();
      failed_ = true;
    }
  }

  void RunBlock(Block block) {
    const auto begin = std::chrono::steady_clock::now();
    TrialRunner runner(*contexts_[block.cell], block.cell, loaded_.metrics, &kept_,
                       options_.estimators);
    DurableFile file = writer_.BeginBlock(block);
    std::int64_t failures = 0;
    std::int64_t trial = block.begin;
    for (; trial < block.end && !Stopped() && !failed_; ++trial) {
      file.Append(runner.Run(trial));
      progress_.Advance(1, runner.failures() - failures);
      failures = runner.failures();
    }
    if (trial == block.begin) return;
    block.end = trial;
    writer_.EndBlock(block, file);
    queue_.Took(block, SecondsSince(begin));
  }

  const LoadedScenario& loaded_;
  const RunOptions& options_;
  RunWriter& writer_;
  const PreparedCells& contexts_;
  KeptTrials& kept_;
  BlockQueue queue_;
  Progress progress_;
  std::atomic<bool> failed_ = false;
  std::mutex error_mutex_;
  std::exception_ptr error_;
};

/// Prepares the cells that have trials on several threads; the first one that cannot be run is
/// reported.
PreparedCells PrepareCells(const LoadedScenario& loaded, const std::vector<TrialRange>& trials,
                           int jobs, RolloutStore& rollouts) {
  PreparedCells contexts(loaded.cells.size());
  std::vector<std::exception_ptr> errors(loaded.cells.size());
  std::atomic<std::size_t> next = 0;
  {
    std::vector<std::jthread> workers;
    for (int k = 0; k < jobs; ++k) {
      workers.emplace_back([&] {
        for (std::size_t cell = next++; cell < contexts.size(); cell = next++) {
          if (trials[cell].size() == 0) continue;
          try {
            contexts[cell] = std::make_unique<PreparedCell>(loaded, loaded.cells[cell], rollouts);
          } catch (...) {
            errors[cell] = std::current_exception();
          }
        }
      });
    }
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  return contexts;
}

/// The traces of all kept trials; their data were written when they were there.
void WriteTraces(const LoadedScenario& loaded, const std::vector<TrialRange>& trials,
                 const std::filesystem::path& folder, KeptTrials& kept) {
  TrialTraces all;
  for (std::size_t cell = 0; cell < trials.size(); ++cell) {
    for (const std::int64_t trial : loaded.scenario.keep_series) {
      if (trial < trials[cell].begin || trial >= trials[cell].end) continue;
      const TrialTraces& traces = kept.Get(cell, trial).traces;
      all.tracks += traces.tracks;
      all.residuals += traces.residuals;
      all.observations += traces.observations;
      all.motions += traces.motions;
      all.friction += traces.friction;
      all.swings += traces.swings;
      all.following += traces.following;
    }
  }
  if (!all.tracks.empty()) WriteAtomically(folder / "series/tracks.jsonl", all.tracks);
  if (!all.residuals.empty()) WriteAtomically(folder / "series/residuals.jsonl", all.residuals);
  if (!all.observations.empty()) {
    WriteAtomically(folder / "series/observations.jsonl", all.observations);
  }
  if (!all.motions.empty()) WriteAtomically(folder / "series/motions.jsonl", all.motions);
  if (!all.friction.empty()) WriteAtomically(folder / "series/friction.jsonl", all.friction);
  if (!all.swings.empty()) WriteAtomically(folder / "series/swings.jsonl", all.swings);
  if (!all.following.empty()) WriteAtomically(folder / "series/following.jsonl", all.following);
}

/// Returns the content of `timings.jsonl`, of the cells whose first trial is among `trials`.
/// @param most_s  what it may take, unless the scenario says how much is timed [s].
std::string TimeCells(const LoadedScenario& loaded, const PreparedCells& contexts,
                      const std::vector<TrialRange>& trials, const EstimatorSource& estimators,
                      double most_s) {
  const std::optional<std::int64_t>& asked = loaded.scenario.timing_trials;
  std::vector<std::size_t> cells;
  for (std::size_t cell = 0; cell < contexts.size(); ++cell) {
    if (trials[cell].size() > 0 && trials[cell].begin == 0) cells.push_back(cell);
  }
  TimingLimit limit{.trials = asked.value_or(kTimingTrials)};
  const auto begin = std::chrono::steady_clock::now();
  Progress progress(loaded.scenario.name + ", timing", std::ssize(cells) * limit.trials, 0,
                    ProgressStyleOfStderr(), kQuietSeconds);
  std::string timings;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    if (!asked)
      limit.most_s = (most_s - SecondsSince(begin)) / static_cast<double>(cells.size() - k);
    // Those for which there is no time are not shown as timed.
    timings += TimeCell(*contexts[cells[k]], cells[k], estimators, limit,
                        [&progress] { progress.Advance(1, 0); });
  }
  progress.Close();  // there may have been time for fewer
  return timings;
}

}  // namespace

RunResult RunScenario(const LoadedScenario& loaded, const RunOptions& options) {
  // Cells are prepared before anything is written, so that what cannot be run leaves nothing
  // behind.
  RolloutStore rollouts;
  const std::vector<TrialRange> trials = TrialsOf(loaded, options.shard);
  const PreparedCells contexts = PrepareCells(loaded, trials, options.jobs, rollouts);
  RunWriter writer(options.folder, MakeManifest(loaded, contexts, options.shard), options.resume);
  const auto write_series = [&writer](std::size_t cell, const TrialData& data) {
    for (auto first = data.datasets.begin(); first != data.datasets.end();) {
      const auto last = std::find_if(first, data.datasets.end(), [first](const Dataset& dataset) {
        return dataset.label() != first->label();
      });
      writer.WriteSeries(cell, data.trial, {first, last});
      first = last;
    }
  };
  KeptTrials kept(loaded, contexts,
                  {.further = options.kept_trial,
                   .write_series = write_series,
                   .estimators = options.estimators});
  const auto begin = std::chrono::steady_clock::now();
  if (!writer.complete()) {
    Pass pass(loaded, options, trials, writer, contexts, kept);
    if (!pass.Run()) return RunResult::kInterrupted;
    writer.Finish();
  }
  const double timing_s = std::max(kLeastTimingSeconds, SecondsSince(begin));
  WriteTraces(loaded, trials, options.folder, kept);
  const Json identified = Identified(loaded, contexts, trials, kept);
  WriteAtomically(options.folder / "identified.json", JsonText(identified) + "\n");
  WriteAtomically(options.folder / "identified.md", IdentifiedMarkdown(identified));
  if (options.afterwards) options.afterwards(contexts, kept);
  WriteAtomically(options.folder / "timings.jsonl",
                  TimeCells(loaded, contexts, trials, options.estimators, timing_s));
  return RunResult::kFinished;
}

}  // namespace idbench
