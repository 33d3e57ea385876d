#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/nightly_options.h"

namespace idbench {

/// What became of one scenario of a suite.
struct NightlyResult {
  std::string label;
  /// "pass", "first run", "not gated", "skipped", "regression", "inconclusive", "incomparable",
  /// "over budget", "interrupted", "not run", "refused" or "failed".
  std::string verdict;
  int exit_code = 0;               ///< The program's, for this scenario alone.
  std::string sentence;            ///< What the verdict rests on, or what to do.
  std::string scenario;            ///< Its name; "" where it could not be read.
  std::filesystem::path folder;    ///< Of the run; empty if there is none.
  std::filesystem::path baseline;  ///< What it was gated against; empty if nothing.
  double duration_s = 0;
};

/// Where a suite reads and writes.
struct NightlyPlaces {
  std::filesystem::path suite;    ///< The suite's file.
  std::filesystem::path out;      ///< Runs go to <out>/<label>/<time>.
  std::filesystem::path history;  ///< An SQLite file; made if it is not there.
};

/// Runs the scenarios of a suite one after another: runs, gates against the baseline, reports, and
/// adds to the history. What happens to one does not stop the others.
///
/// A run that takes longer than its budget is stopped between two trials; what was computed is
/// kept.
/// @param stop  set from outside to stop between two trials; scenarios that have not begun are
/// left.
/// @throws ConfigError if the suite or the history cannot be read.
std::vector<NightlyResult> RunNightly(const NightlyPlaces& places, const std::atomic<bool>& stop);

/// The exit code of a suite: the worst of its scenarios. From bad to good: 5 (failed), 2 (refused),
/// 1 (regression), 4 (incomparable), 3 (inconclusive), 0.
int WorstExitCode(const std::vector<NightlyResult>& results);

}  // namespace idbench
