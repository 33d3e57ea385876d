#pragma once

#include <span>
#include <vector>

#include "robots/robot.h"
#include "scenarios/metric_info.h"
#include "scenarios/scenario.h"

namespace idbench {

/// Everything in a scenario, but for its tables and its sweep, that contradicts itself, its robot,
/// or what exists.
///
/// @param scenario  with defaults filled in.
/// @param known     issues found so far: a part of the scenario in which there is one already is
///                  not judged.
std::vector<Issue> CheckScenario(const Scenario& scenario, const Robot& robot,
                                 std::span<const MetricInfo> metrics,
                                 const std::vector<Issue>& known = {});

}  // namespace idbench
