#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "bench/run/trial_runner.h"
#include "reports/run/run_folder.h"
#include "scenarios/scenario_reader.h"

namespace idbench {

/// Makes the records of all trials of a cell, in order, as a run would write them.
using RecordSource = std::function<std::string(const LoadedScenario& loaded, std::size_t cell,
                                               RolloutStore& rollouts)>;

/// Returns what a report knows of a run of this scenario, as if it had been written and read.
RunManifest ManifestAsRead(const LoadedScenario& loaded);

/// Returns a source that runs the trials in this program, on `jobs` threads.
RecordSource RecordsRunHere(int jobs, TrialSource trials = TrialOfCell);

/// Makes the records of some cells of a scenario and returns the samples of some metrics: of each
/// metric, for each cell in their order, one entry per estimator of the scenario.
std::vector<std::vector<std::vector<MetricSamples>>> SamplesOf(
    const LoadedScenario& loaded, const std::set<std::size_t>& cells,
    const std::vector<std::string>& metrics, const RecordSource& records);

}  // namespace idbench
