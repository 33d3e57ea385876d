#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/gate/gate_options.h"
#include "scenarios/scenario_reader.h"

namespace idbench {

/// Folder of the reserve trials inside a baseline; itself a run folder.
inline constexpr const char* kReserveFolder = "reserve";

/// Loads the scenario in a run folder's manifest, with changes.
/// @throws ConfigError if a file that the run was made from has changed since: trials that are run
///         now would not be its.
LoadedScenario LoadScenarioOf(const std::filesystem::path& run,
                              const std::vector<Override>& overrides);

/// Makes a baseline of a run: the part of its records that the gate needs and, in the folder
/// `reserve`, itself a run folder, the records of `gate.reserve_trials` further trials of every
/// cell, run here: those behind the run's own. Replaces a baseline in `directory`. A recording has
/// no reserve.
///
/// To be small enough to commit, its records keep only outcome, roll-out, the metrics that are
/// gated and those that must agree with them (RunMetric::ranks_with), and its manifest only what
/// decides whether runs are comparable.
/// @throws ConfigError if the run folder is damaged or incomplete, or has no metric to gate.
/// @throws UsageError for a shard, or if `directory` holds something else than a baseline.
void WriteBaseline(const std::filesystem::path& run, const std::filesystem::path& directory,
                   int jobs = 1, const GateChoices& choices = {});

/// Returns the records in the form that a baseline keeps.
std::string SlimRecords(const std::string& records, const std::vector<GateMetric>& metrics);

}  // namespace idbench
