#include "reports/history/history.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <fstream>

#include "reports/files/utc_time.h"
#include "reports/history/history_schema.h"
#include "scenarios/options/json.h"
#include "scenarios/options/utf8.h"

namespace idbench {
namespace {

/// FNV-1a, 64 bit: tells apart what is no attack.
class Digest {
 public:
  void Add(std::string_view bytes) {
    for (const char byte : bytes) {
      hash_ = (hash_ ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
    }
  }
  std::string Text() const { return fmt::format("{:016x}", hash_); }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

std::string DigestOf(const std::filesystem::path& file) {
  Digest digest;
  std::ifstream stream(file, std::ios::binary);
  std::string piece(1 << 16, '\0');
  while (stream.read(piece.data(), static_cast<std::streamsize>(piece.size())),
         stream.gcount() > 0) {
    digest.Add({piece.data(), static_cast<std::size_t>(stream.gcount())});
  }
  return digest.Text();
}

std::string LastWritten(const std::filesystem::path& file) {
  struct stat status {};
  return UtcText(::stat(file.c_str(), &status) == 0 ? status.st_mtime : 0);
}

/// The text at a pointer, "" if there is none.
std::string StringAt(const Json& json, const char* pointer) {
  const Json::json_pointer place(pointer);
  return json.contains(place) && json.at(place).is_string() ? json.at(place).get<std::string>()
                                                            : std::string();
}

HistoryRun HistoryRunOf(const RunFolder& folder) {
  const RunManifest& manifest = folder.manifest();
  HistoryRun run;
  run.folder = std::filesystem::canonical(folder.directory()).string();
  run.scenario = manifest.Name();
  run.scenario_hash = ScenarioHash(*manifest.scenario);
  run.headline = StringAt(*manifest.scenario, "/gate/metric");
  if (run.headline.empty() && !manifest.metrics.empty()) run.headline = manifest.metrics[0].name;
  run.seed = fmt::format("{}", manifest.seed);
  run.trials = manifest.trials;
  run.cells = static_cast<std::int64_t>(manifest.cells.size());
  run.commit = manifest.commit;
  run.finished = LastWritten(folder.directory() / "records.jsonl");
  run.added = UtcText(std::time(nullptr));
  run.idbench = StringAt(*manifest.versions, "/idbench");
  run.mujoco = StringAt(*manifest.versions, "/mujoco");
  run.compiler = StringAt(*manifest.versions, "/compiler");
  run.processor = StringAt(*manifest.machine, "/processor");
  run.kernel = StringAt(*manifest.machine, "/kernel");
  run.fingerprint = manifest.fingerprint;
  run.started = StringAt(ReadJsonFile(folder.directory() / "manifest.json"), "/started");
  if (run.started.empty()) run.started = run.finished;
  return run;
}

/// Inserts the values of a run, one row for each.
class ResultWriter {
 public:
  ResultWriter(const SqliteDatabase& database, std::int64_t run)
      : statement_(database.Prepare("INSERT INTO results VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")),
        run_(run) {}

  void Write(const TrendKey& key, const TrendPoint& point) {
    statement_.Bind(run_)
        .Bind(key.cell)
        .Bind(key.axes)
        .Bind(key.estimator)
        .Bind(key.metric)
        .Bind(key.unit)
        .Bind(point.trials)
        .Bind(point.failed)
        .Bind(point.n)
        .Bind(point.mean)
        .Bind(point.median)
        .Bind(point.iqm)
        .Bind(point.ci95_lower)
        .Bind(point.ci95_upper)
        .Bind(point.p99);
    statement_.Run();
  }

 private:
  SqlStatement statement_;
  std::int64_t run_;
};

TrendPoint PointOf(const SampleStatistics& statistics) {
  TrendPoint point;
  point.n = static_cast<std::int64_t>(statistics.n);
  point.failed = static_cast<std::int64_t>(statistics.failed);
  point.trials = point.n + point.failed;
  point.mean = statistics.mean;
  point.median = statistics.median;
  point.iqm = statistics.iqm;
  if (statistics.ci95_mean) {
    point.ci95_lower = statistics.ci95_mean->lower;
    point.ci95_upper = statistics.ci95_mean->upper;
  }
  return point;
}

void WriteDuration(const std::optional<DurationStatistics>& duration, TrendKey key,
                   const char* name, const char* unit, ResultWriter& writer) {
  if (!duration) return;
  key.metric = name;
  key.unit = unit;
  TrendPoint point;
  point.median = duration->median;
  point.p99 = duration->p99;
  writer.Write(key, point);
}

HistoryRun RunOf(const SqlStatement& row) {
  HistoryRun run;
  run.id = row.Integer(0);
  run.trials = row.Integer(1);
  run.cells = row.Integer(2);
  std::string* const texts[] = {&run.folder,  &run.scenario,    &run.scenario_hash, &run.headline,
                                &run.seed,    &run.commit,      &run.finished,      &run.added,
                                &run.idbench, &run.mujoco,      &run.compiler,      &run.processor,
                                &run.kernel,  &run.fingerprint, &run.started};
  int column = 3;
  for (std::string* text : texts) *text = row.Text(column++);
  if (row.Integer(column) == 0) return run;  // no decision
  Judgement& judgement = run.judgement.emplace();
  judgement.verdict = row.Text(column + 1);
  judgement.reason = row.Text(column + 2);
  judgement.baselines = Json::parse(row.Text(column + 3)).get<std::vector<std::string>>();
  judgement.accepted = row.Integer(column + 4) != 0;
  judgement.pinned = row.Integer(column + 5) != 0;
  return run;
}

/// The columns that RunOf() reads.
constexpr const char* kSelectRuns =
    "SELECT id, trials, cells, folder, scenario, scenario_hash, headline, seed, commit_id, "
    "finished, added, idbench, mujoco, compiler, processor, kernel, fingerprint, started, "
    "coalesce(decision, 0), verdict, reason, baselines, accepted, pinned "
    "FROM runs LEFT JOIN judgements ON judgements.run = runs.id ";

std::vector<HistoryRun> RunsOf(SqlStatement& rows) {
  std::vector<HistoryRun> runs;
  while (rows.Step()) runs.push_back(RunOf(rows));
  return runs;
}

/// "pinned", "accepted" or "".
std::string_view MarkOf(const Judgement& judgement) {
  return judgement.pinned ? "pinned" : judgement.accepted ? "accepted" : "";
}

/// Letters on the terminal, not bytes.
std::size_t CountLetters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace

std::string ScenarioHash(const Json& expanded) {
  Json scenario = expanded;
  for (const char* key : {"title", "tables", "gate"}) scenario.erase(key);
  Digest digest;
  digest.Add(JsonText(scenario));
  return digest.Text();
}

History::History(const std::filesystem::path& file, IfMissing missing)
    : file_(file), database_(file, missing) {
  PrepareHistory(database_, file, missing);
}

std::pair<std::int64_t, bool> History::Add(const RunFolder& folder, const Summary& summary,
                                           const std::optional<Judgement>& judgement) {
  if (const auto& shard = folder.manifest().shard) {
    throw ConfigError(folder.directory().string(), "",
                      fmt::format("is a part of a run: shard {} of {}", shard->index, shard->count),
                      {"`idbench merge` makes the whole; add that"});
  }
  const HistoryRun run = HistoryRunOf(folder);
  const std::string digest = DigestOf(folder.directory() / "records.jsonl");
  SqlTransaction transaction(database_);
  SqlStatement known = database_.Prepare("SELECT id FROM runs WHERE folder = ? AND records = ?");
  const bool is_new = !known.Bind(run.folder).Bind(digest).Step();
  const std::int64_t id = is_new ? InsertRun(run, digest) : known.Integer(0);
  if (is_new) InsertValues(id, summary);
  if (judgement) Judge(id, *judgement);
  transaction.Commit();
  return {id, is_new};
}

std::int64_t History::InsertRun(const HistoryRun& run, const std::string& digest) {
  SqlStatement insert = database_.Prepare(
      "INSERT INTO runs(folder, records, scenario, scenario_hash, headline, seed, trials, cells, "
      "commit_id, finished, added, idbench, mujoco, compiler, processor, kernel, fingerprint, "
      "started) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  insert.Bind(run.folder)
      .Bind(digest)
      .Bind(run.scenario)
      .Bind(run.scenario_hash)
      .Bind(run.headline)
      .Bind(run.seed)
      .Bind(run.trials)
      .Bind(run.cells)
      .Bind(run.commit)
      .Bind(run.finished)
      .Bind(run.added)
      .Bind(run.idbench)
      .Bind(run.mujoco)
      .Bind(run.compiler)
      .Bind(run.processor)
      .Bind(run.kernel)
      .Bind(run.fingerprint)
      .Bind(run.started);
  insert.Run();
  return database_.last_row_id();
}

void History::InsertValues(std::int64_t run, const Summary& summary) {
  ResultWriter writer(database_, run);
  for (const CellSummary& cell : summary.cells) {
    for (const EstimatorSummary& estimator : cell.estimators) {
      TrendKey key{cell.cell.index, cell.cell.Label(), estimator.label, "", ""};
      for (const MetricSummary& metric : estimator.metrics) {
        if (!metric.overall) continue;
        key.metric = metric.name;
        key.unit = metric.unit;
        writer.Write(key, PointOf(*metric.overall));
      }
      WriteDuration(estimator.estimate_ms, key, kEstimateTime, "ms", writer);
      WriteDuration(estimator.update_us, key, kUpdateTime, "µs", writer);
    }
  }
}

void History::Judge(std::int64_t run, const Judgement& judgement) {
  SqlStatement insert = database_.Prepare(
      "INSERT OR REPLACE INTO judgements(run, verdict, reason, baselines, accepted, pinned, "
      "decided) VALUES(?,?,?,?,?,?,?)");
  insert.Bind(run)
      .Bind(judgement.verdict)
      .Bind(judgement.reason)
      .Bind(JsonText(judgement.baselines))
      .Bind(std::int64_t{judgement.accepted})
      .Bind(std::int64_t{judgement.pinned})
      .Bind(UtcText(std::time(nullptr)));
  insert.Run();
}

void History::Accept(std::int64_t run) {
  SqlTransaction transaction(database_);
  Judgement judgement = Find(fmt::format("{}", run)).judgement.value_or(Judgement());
  judgement.accepted = true;
  judgement.pinned = true;
  Judge(run, judgement);
  transaction.Commit();
}

std::vector<HistoryRun> History::Accepted(const std::string& scenario) const {
  SqlStatement rows = database_.Prepare(std::string(kSelectRuns) +
                                        "WHERE scenario = ? AND accepted ORDER BY decision DESC");
  return RunsOf(rows.Bind(scenario));
}

HistoryRun History::Find(const std::string& id_or_folder) const {
  std::error_code ignored;
  const std::string folder = std::filesystem::weakly_canonical(id_or_folder, ignored).string();
  SqlStatement rows = database_.Prepare(std::string(kSelectRuns) +
                                        "WHERE CAST(id AS TEXT) = ?1 OR folder = ?2 "
                                        "ORDER BY CAST(id AS TEXT) = ?1 DESC, id DESC");
  if (rows.Bind(id_or_folder).Bind(folder).Step()) return RunOf(rows);
  throw ConfigError(file_.string(), "", fmt::format("holds no run '{}'", id_or_folder),
                    {"`idbench history list` tells the runs by number; a folder is found if it "
                     "stands where it was added"});
}

std::vector<HistoryRun> History::Runs(const std::string& scenario, std::int64_t limit) const {
  SqlStatement rows =
      database_.Prepare(std::string(kSelectRuns) +
                        "WHERE ?1 = '' OR scenario = ?1 ORDER BY started DESC, id DESC LIMIT ?2");
  return RunsOf(rows.Bind(scenario).Bind(limit > 0 ? limit : std::int64_t{-1}));
}

std::vector<std::string> History::Scenarios() const {
  SqlStatement rows =
      database_.Prepare("SELECT scenario FROM runs GROUP BY scenario ORDER BY min(id)");
  std::vector<std::string> names;
  while (rows.Step()) names.push_back(rows.Text(0));
  return names;
}

std::vector<std::pair<TrendKey, TrendPoint>> History::Values(
    std::int64_t run, const std::vector<std::string>& metrics) const {
  SqlStatement rows = database_.Prepare(
      "SELECT cell, axes, estimator, metric, unit, trials, failed, n, mean, median, iqm, "
      "ci95_lower, ci95_upper, p99 FROM results WHERE run = ?");
  rows.Bind(run);
  std::vector<std::pair<TrendKey, TrendPoint>> values;
  while (rows.Step()) {
    if (std::ranges::find(metrics, rows.Text(3)) == metrics.end()) continue;
    values.emplace_back(
        TrendKey{rows.Integer(0), rows.Text(1), rows.Text(2), rows.Text(3), rows.Text(4)},
        TrendPoint{run, rows.Integer(5), rows.Integer(6), rows.Integer(7), rows.Real(8),
                   rows.Real(9), rows.Real(10), rows.Real(11), rows.Real(12), rows.Real(13)});
  }
  return values;
}

std::string RenderHistory(const std::vector<HistoryRun>& runs) {
  std::vector<std::vector<std::string>> rows = {{"run", "started", "scenario", "verdict",
                                                 "baseline", "cells × trials", "commit", "machine",
                                                 "folder"}};
  for (const HistoryRun& run : runs) {
    const Judgement judgement = run.judgement.value_or(Judgement());
    rows.push_back({fmt::format("{}", run.id), run.started, run.scenario, judgement.verdict,
                    std::string(MarkOf(judgement)), fmt::format("{} × {}", run.cells, run.trials),
                    run.commit, fmt::format("{}, {}", run.processor, run.kernel), run.folder});
  }
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k)
      widths[k] = std::max(widths[k], CountLetters(row[k]));
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t k = 0; k + 1 < row.size(); ++k) {
      text += row[k] + std::string(widths[k] - CountLetters(row[k]) + 2, ' ');
    }
    text += row.back() + '\n';
  }
  return text;
}

}  // namespace idbench
