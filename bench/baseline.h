#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "bench/trial_runner.h"
#include "reports/run_folder.h"
#include "scenarios/scenario_reader.h"

namespace idbench {

/// What a self-test plants on the way from the sensors to the gate; either part may be empty.
struct PlantedChange {
  DatasetChange datasets;                    ///< To what estimators are given.
  std::function<void(Json& record)> record;  ///< To what they made of it.
};

/// The folder of the reserve trials inside a baseline; itself a run folder.
inline constexpr const char* kReserveFolder = "reserve";

/// The seed of reserve trials: a hash of the scenario's seed, of 48 bits, so that every JSON reader
/// keeps it.
std::uint64_t ReserveSeed(std::uint64_t seed);

/// The scenario that a run folder's manifest holds, with changes.
LoadedScenario LoadScenarioOf(const std::filesystem::path& run,
                              const std::vector<Override>& overrides);

/// Makes a baseline of a run in `directory`; see WriteBaseline(), bench/gate_run.h.
///
/// Records keep outcome, roll-out and the headline metric, the manifest what tells whether runs are
/// comparable, so that a baseline is small enough to be committed.
void MakeBaseline(const std::filesystem::path& run, const std::filesystem::path& directory,
                  int jobs);

/// The records of all trials of a cell, in order, as a run would write them.
std::string RunRecords(const LoadedScenario& loaded, std::size_t cell, RolloutStore& rollouts,
                       int jobs, const PlantedChange& planted);

/// Records as a baseline keeps them.
std::string SlimRecords(const std::string& records, const std::string& metric);

/// Runs all trials of some cells of a scenario and gives a metric's samples: for each cell, in
/// their order, one entry per estimator of the scenario.
std::vector<std::vector<MetricSamples>> RunCells(const LoadedScenario& loaded,
                                                 const std::set<std::size_t>& cells,
                                                 const std::string& metric, int jobs,
                                                 const PlantedChange& planted);

}  // namespace idbench
