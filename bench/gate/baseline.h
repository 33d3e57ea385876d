#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "bench/run/trial_runner.h"
#include "reports/run/run_folder.h"
#include "scenarios/options/json_fwd.h"
#include "scenarios/scenario_reader.h"

namespace idbench {

/// Change that a self-test plants between the sensors and the gate; either part may be empty.
struct PlantedChange {
  DatasetChange datasets;                    ///< To the data that estimators get.
  std::function<void(Json& record)> record;  ///< To the records of their results.
};

/// Folder of the reserve trials inside a baseline; itself a run folder.
inline constexpr const char* kReserveFolder = "reserve";

/// Returns the seed of the reserve trials: a hash of the scenario's seed, of 48 bits, which every
/// JSON reader represents exactly.
std::uint64_t ReserveSeed(std::uint64_t seed);

/// Loads the scenario in a run folder's manifest, with changes.
LoadedScenario LoadScenarioOf(const std::filesystem::path& run,
                              const std::vector<Override>& overrides);

/// Makes a baseline of a run in `directory`; see WriteBaseline(), bench/gate/gate_run.h.
///
/// To be small enough to commit, its records keep only outcome, roll-out and the headline metric,
/// and its manifest only what decides whether runs are comparable.
void MakeBaseline(const std::filesystem::path& run, const std::filesystem::path& directory,
                  int jobs);

/// Returns the records of all trials of a cell, in order, as a run would write them.
std::string RunRecords(const LoadedScenario& loaded, std::size_t cell, RolloutStore& rollouts,
                       int jobs, const PlantedChange& planted);

/// Returns the records in the form that a baseline keeps.
std::string SlimRecords(const std::string& records, const std::string& metric);

/// Runs all trials of some cells of a scenario and returns a metric's samples: for each cell, in
/// their order, one entry per estimator of the scenario.
std::vector<std::vector<MetricSamples>> RunCells(const LoadedScenario& loaded,
                                                 const std::set<std::size_t>& cells,
                                                 const std::string& metric, int jobs,
                                                 const PlantedChange& planted);

}  // namespace idbench
