#pragma once

#include <span>
#include <vector>

#include "robots/robot.h"
#include "scenarios/metric_info.h"
#include "scenarios/scenario.h"

namespace idbench {

/// Returns everything in a scenario, except its tables and its sweep, that contradicts itself, its
/// robot, or what exists.
///
/// @param scenario  with defaults filled in.
/// @param known     issues found so far: a part of the scenario that has one is not checked.
std::vector<Issue> CheckScenario(const Scenario& scenario, const Robot& robot,
                                 std::span<const MetricInfo> metrics,
                                 const std::vector<Issue>& known = {});

}  // namespace idbench
