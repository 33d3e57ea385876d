#pragma once

#include <vector>

#include "robots/robot.h"
#include "scenarios/scenario.h"

namespace idbench {

/// Returns the parts of the scenario that have no meaning for a recording; nothing for a
/// simulation.
std::vector<Issue> CheckSimulatedOrRecorded(const Scenario& scenario);

/// Returns what is wrong with the experiments' labels, roles, motions, events,
/// environments, releases and files.
std::vector<Issue> CheckExperiments(const Scenario& scenario, const Robot& robot);

/// Returns what is wrong with the recordings' options, and files that are not there.
std::vector<Issue> CheckRecordings(const Scenario& scenario, const Robot& robot);

/// Returns an issue if estimators would interpolate what causal processing made: an alignment reads
/// samples that come later.
std::vector<Issue> CheckCausality(const Scenario& scenario);

/// Returns an issue if adaptive windows have counts of another number of joints.
std::vector<Issue> CheckDifference(const Scenario& scenario, const RobotModel& model);

}  // namespace idbench
