#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/nightly/nightly_options.h"
#include "bench/nightly/nightly_result.h"

namespace idbench {

/// One scenario of a suite, and where its run goes.
struct NightlyTask {
  std::filesystem::path suite;  ///< File of the suite: other files are relative to it.
  std::string label;
  NightlyEntry entry;
  NightlyLimits limits;
  std::filesystem::path folder;   ///< Of the run; not there yet.
  std::filesystem::path history;  ///< SQLite file, which exists.
  /// Names of the scenarios that ran before it, by label: an entry that is judged against accepted
  /// runs, and whose scenario has one of these names, is refused.
  Labelled<std::string> earlier = {};
};

/// Runs a scenario of a suite in this process: runs it, judges it, reports, and adds it to the
/// history with the verdict. A file that cannot be read, or a scenario that cannot run, is a
/// verdict; what else goes wrong is thrown.
///
/// A run that exceeds its budget is stopped between two trials; its results so far are kept.
/// @param stop  set from outside to stop between two trials.
NightlyResult RunNightlyTask(const NightlyTask& task, const std::atomic<bool>& stop);

/// Returns what keeps scenarios of a suite from being judged: files that cannot be read, and gates
/// that can never alarm with the trials of a night, half of which confirm what the others flag.
/// Scenarios that would be skipped are left out. Pointers are those of the suite.
std::vector<Issue> CheckNightly(const std::filesystem::path& suite, const NightlyOptions& options);

/// Returns how far the run of a task came, and the call that goes on with it: "3 of 18 trials; go
/// on with: idbench run …"; "" if it had not begun.
std::string HowToGoOn(const NightlyTask& task);

}  // namespace idbench
