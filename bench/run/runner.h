#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "bench/run/kept_trials.h"
#include "bench/run/manifest.h"
#include "reports/run/shard.h"
#include "scenarios/scenario_reader.h"

namespace idbench {

struct RunOptions {
  std::filesystem::path folder;
  int jobs = 1;
  bool resume = false;
  std::optional<Shard> shard = std::nullopt;  ///< Only this part is computed.
  /// Set from outside to stop after the trials that are being computed; may be nullptr.
  const std::atomic<bool>* stop = nullptr;
  /// Called with the cells and what was kept of trials once all records are there, if it is set.
  std::function<void(const PreparedCells&, KeptTrials&)> afterwards = {};
  /// A trial that is kept for it, beside those of keep_series.
  std::optional<std::int64_t> kept_trial = std::nullopt;
  double quiet_s = 0.0;                         ///< Time in which no progress is shown [s].
  EstimatorSource estimators = MakeEstimators;  ///< A test may count what they do.
};

enum class RunResult {
  kFinished,
  kInterrupted,  ///< What was computed is kept; `resume` goes on from there.
};

/// Runs all cells and trials of a scenario into a run folder: records, time series, then timings.
///
/// Records do not depend on the number of jobs, on interruptions, on shards, or on what else runs.
/// Each estimator runs once on each trial; records, time series, what was identified and what
/// `afterwards` does all read that run. Two things run them again: timing, whose purpose it is, and
/// a run that goes on after an interruption, for those kept trials (keep_series, kept_trial) whose
/// records an earlier process wrote. Of shards, time series of a trial are written by the one that
/// has it, and a cell is timed by the one that has its trial 0; a shard prepares only those cells
/// of which it has trials. Memory depends on jobs, on the number of different roll-outs and on that
/// of kept trials, not on trials.
/// @throws ConfigError if a cell cannot be run, or for a folder that holds another run.
RunResult RunScenario(const LoadedScenario& loaded, const RunOptions& options);

}  // namespace idbench
