#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <vector>

#include "bench/nightly/nightly_result.h"
#include "bench/nightly/nightly_scenario.h"

namespace idbench {

/// Files and folders of a suite.
struct NightlyPlaces {
  std::filesystem::path suite;    ///< File of the suite.
  std::filesystem::path out;      ///< Runs go to <out>/<label>/<time>.
  std::filesystem::path history;  ///< SQLite file; created if it does not exist.
};

/// What runs one scenario; RunNightlyTask() unless a test puts something else there.
using NightlyRunner =
    std::function<NightlyResult(const NightlyTask& task, const std::atomic<bool>& stop)>;

/// Told the results of all scenarios of a suite, in its order, before the first one and after each.
/// Those that have not run are kNotRun.
using NightlyObserver = std::function<void(const std::vector<NightlyResult>& results)>;

/// Runs the scenarios of a suite one after another, each in a process of its own with the limits of
/// its entry (see RunChild()). A failure, a crash or a limit of one does not stop the others.
///
/// @param stop  set from outside to stop between two trials; scenarios that have not
///         begun are skipped.
/// @throws ConfigError if the suite or the history cannot be read.
std::vector<NightlyResult> RunNightly(const NightlyPlaces& places, const std::atomic<bool>& stop,
                                      const NightlyObserver& observe,
                                      const NightlyRunner& run = &RunNightlyTask);

}  // namespace idbench
