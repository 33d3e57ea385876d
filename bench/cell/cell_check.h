#pragma once

#include <vector>

#include "bench/trial/data_source.h"
#include "bench/trial/trial_data.h"
#include "estimators/interface/problem.h"
#include "robots/recording/dataset.h"
#include "scenarios/options/config_error.h"
#include "scenarios/scenario_reader.h"

/// What only the problem of a cell and its data can tell of a scenario.
namespace idbench {

/// @throws ConfigError that names the scenario's file and, of a sweep, the cell.
[[noreturn]] void RefuseCell(const LoadedScenario& loaded, const Cell& cell,
                             std::vector<Issue> issues);

/// @throws ConfigError for an equation whose channel nobody measures, if a method reads it.
void CheckMeasured(const LoadedScenario& loaded, const Cell& cell, const Problem& problem,
                   const DataSource& source);

/// @throws ConfigError for each estimator that needs what the problem does not supply.
void CheckNeeds(const LoadedScenario& loaded, const Cell& cell, const Problem& problem);

/// Checks what estimators and observers refuse of the problem whatever the data are; what
/// `expected_failures` names is left to them.
/// @return what they refuse, if the scenario is that of a run: it ran, with these failures.
/// @throws ConfigError for each of them otherwise.
std::vector<std::string> CheckRefusals(const LoadedScenario& loaded, const Cell& cell,
                                       const Problem& problem);
/// Refuses priors that are drawn per trial if that of some trial is outside its bounds, where an
/// estimator that takes `problem` stays inside them, or σ is one of bounds. Of the manifest of a
/// run it returns that instead. Draws are keyed, so that all trials are looked at without data.
/// @param problem  of no trial.
/// @param source   of the truth, where means are drawn about it.
std::vector<std::string> CheckDrawnPriors(const LoadedScenario& loaded, const Cell& cell,
                                          const Problem& problem, const DataSource& source);

/// Refuses a prior whose σ is 0 for some parameters without a word, see SigmaIssue(). Of the
/// manifest of a run it returns that instead.
std::vector<std::string> CheckPriorSigma(const LoadedScenario& loaded, const Cell& cell,
                                         const Problem& problem);

/// @param datasets  of the first trial.
/// @throws ConfigError for a checkpoint or window beyond the end of the data, a window of unknowns
///         that do not exist, estimators that need a channel that is not there, or refuse channels
///         that were not sampled together, low-passes that the data's rate does not bear, and an
///         event behind the end of its experiment.
void CheckAgainstData(const LoadedScenario& loaded, const Cell& cell, const Problem& problem,
                      const std::vector<Dataset>& datasets);

/// Refuses payload events and touches that an experiment does not reach: nothing would happen, and
/// the truth would count as changing.
/// @throws ConfigError.
void CheckEvents(const LoadedScenario& loaded, const Cell& cell,
                 const std::vector<Dataset>& datasets);

}  // namespace idbench
