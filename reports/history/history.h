#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/history/sqlite_database.h"
#include "reports/run/summary.h"
#include "scenarios/options/json_fwd.h"

namespace idbench {

/// What was decided on a run.
struct Judgement {
  std::string verdict = "";                 ///< Its name; "" for a run that nobody judged.
  std::string reason = "";                  ///< One sentence; may be empty.
  std::vector<std::string> baselines = {};  ///< Folders of the runs that it was compared with.
  bool accepted = false;                    ///< Later runs are compared with it.
  bool pinned = false;                      ///< So they are until another one is pinned.
};

/// Run in the history.
struct HistoryRun {
  std::int64_t id = 0;
  std::string folder;    ///< Absolute.
  std::string scenario;  ///< Its name.
  /// Hash of all that decides records; excludes title, tables and gate.
  std::string scenario_hash;
  std::string headline;  ///< Metric of `gate`, else the first one.
  std::string seed;
  std::int64_t trials = 0;  ///< Planned for each cell.
  std::int64_t cells = 0;
  std::string commit;    ///< Of idbench.
  std::string finished;  ///< Time at which its records were last written.
  std::string added;     ///< Time at which it came into the history.
  std::string idbench, mujoco, compiler, processor, kernel, fingerprint;
  /// Time at which it began, by its manifest: "2026-03-01T02:00:00Z". `finished`, of a run folder
  /// that does not tell.
  std::string started;
  std::optional<Judgement> judgement = std::nullopt;  ///< Nothing for a run that nobody judged.
};

/// One value of one estimator in one cell and run; a duration has only n, median and p99.
struct TrendPoint {
  std::int64_t run = 0;
  std::int64_t trials = 0;
  std::int64_t failed = 0;
  std::int64_t n = 0;
  std::optional<double> mean, median, iqm, ci95_lower, ci95_upper, p99;
};

/// Identifies a value.
struct TrendKey {
  std::int64_t cell = 0;
  std::string axes;  ///< "torque noise 0.1, duration 5"; "cell 0" without axes.
  std::string estimator;
  std::string metric;
  std::string unit;

  auto operator<=>(const TrendKey&) const = default;
};

/// Statistics of many runs, and what was decided on them, in one SQLite file.
///
/// A run is added in one transaction: after a kill the file holds the run with all its values, or
/// not at all, and several processes may add at once.
class History {
 public:
  /// Opens the file.
  /// @throws ConfigError if it does not exist and is not to be created, is no history, or was
  ///         written by a newer idbench.
  explicit History(const std::filesystem::path& file, IfMissing missing = IfMissing::kRefuse);

  /// Adds a run with its statistics. Does not add a folder again that the history has with
  /// the same records.
  /// @param judgement  what was decided on it; kept as Judge() does.
  /// @return its id, and whether it is new.
  /// @throws ConfigError for a shard.
  std::pair<std::int64_t, bool> Add(const RunFolder& folder, const Summary& summary,
                                    const std::optional<Judgement>& judgement = std::nullopt);

  /// Keeps what was decided on a run in place of an earlier decision. It is the latest decision.
  void Judge(std::int64_t run, const Judgement& judgement);

  /// Accepts and pins a run, whatever its verdict, which it keeps: a change that is acknowledged.
  void Accept(std::int64_t run);

  /// Returns the accepted runs of a scenario, the latest decision first: later runs are compared
  /// with the first one, and with the first one that is pinned.
  std::vector<HistoryRun> Accepted(const std::string& scenario) const;

  /// Returns a run by its id, or by its folder, of which it returns the one added last.
  /// @throws ConfigError if the history has no such run.
  HistoryRun Find(const std::string& id_or_folder) const;

  /// Returns the latest runs, by the time at which they began, newest first.
  /// @param scenario  its name; "" for all.
  /// @param limit     0 for all.
  std::vector<HistoryRun> Runs(const std::string& scenario = "", std::int64_t limit = 0) const;

  /// Returns the names of scenarios, in the order in which they came.
  std::vector<std::string> Scenarios() const;

  /// Returns the values of a run for these names of metrics, in the order of cell and estimator.
  std::vector<std::pair<TrendKey, TrendPoint>> Values(
      std::int64_t run, const std::vector<std::string>& metrics) const;

 private:
  std::int64_t InsertRun(const HistoryRun& run, const std::string& digest);
  void InsertValues(std::int64_t run, const Summary& summary);

  std::filesystem::path file_;
  SqliteDatabase database_;
};

/// File of the history unless another one is named.
inline constexpr const char* kDefaultHistory = "out/history.sqlite";

/// Names of durations in a history.
inline constexpr const char* kEstimateTime = "estimate_ms";
inline constexpr const char* kUpdateTime = "update_us";

/// Returns the hash of a scenario without what does not decide records: title, tables, gate.
std::string ScenarioHash(const Json& expanded);

/// Returns a table of runs for a terminal, with their verdicts and whether they are accepted or
/// pinned.
std::string RenderHistory(const std::vector<HistoryRun>& runs);

}  // namespace idbench
