#pragma once

#include <string>
#include <vector>

#include "estimators/interface/problem.h"
#include "robots/recording/dataset.h"
#include "scenarios/scenario_reader.h"

/// What only the problem of a cell and its data can tell of a scenario.
namespace idbench {

/// @param details  further lines of the message.
/// @throws ConfigError that names the scenario's file and, of a sweep, the cell.
[[noreturn]] void RefuseCell(const LoadedScenario& loaded, const Cell& cell,
                             const std::string& where, const std::string& what,
                             std::vector<std::string> details = {});

/// @throws ConfigError for an estimator that needs what the problem does not supply.
void CheckNeeds(const LoadedScenario& loaded, const Cell& cell, const Problem& problem);

/// @param datasets  of the first trial.
/// @throws ConfigError for a checkpoint or a window beyond the end of the data, a window of
/// unknowns
///         that there are not, or an estimator that needs a channel that is not there.
void CheckAgainstData(const LoadedScenario& loaded, const Cell& cell, const Problem& problem,
                      const std::vector<Dataset>& datasets);

}  // namespace idbench
