#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/nightly/nightly_options.h"
#include "bench/nightly/nightly_verdict.h"

namespace idbench {

/// Result of one scenario of a suite.
struct NightlyResult {
  std::string label;
  NightlyVerdict verdict = NightlyVerdict::kFailed;
  std::string sentence;            ///< Reason of the verdict, or what to do.
  std::string scenario;            ///< Name of the scenario; "" if it could not be read.
  std::filesystem::path folder;    ///< Folder of the run; empty if there is none.
  std::filesystem::path baseline;  ///< Baseline of the gate; empty if there is none.
  double duration_s = 0;
};

/// Files and folders of a suite.
struct NightlyPlaces {
  std::filesystem::path suite;    ///< File of the suite.
  std::filesystem::path out;      ///< Runs go to <out>/<label>/<time>.
  std::filesystem::path history;  ///< SQLite file; created if it does not exist.
};

/// Runs the scenarios of a suite one after another: runs each, gates it against its baseline,
/// reports, and adds it to the history. A failure of one does not stop the others.
///
/// A run that exceeds its budget is stopped between two trials; its results so far are kept.
/// @param stop  set from outside to stop between two trials; scenarios that have not
///         begun are skipped.
/// @throws ConfigError if the suite or the history cannot be read.
std::vector<NightlyResult> RunNightly(const NightlyPlaces& places, const std::atomic<bool>& stop);

/// Returns the exit code of a suite: that of its worst scenario. From worst to best: 5 (failed), 2
/// (refused), 1 (regression), 4 (incomparable), 3 (inconclusive), 0.
int WorstExitCode(const std::vector<NightlyResult>& results);

}  // namespace idbench
