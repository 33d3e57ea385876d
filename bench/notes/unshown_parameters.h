#pragma once

#include <string>
#include <vector>

#include "robots/robot.h"
#include "scenarios/scenario.h"

namespace idbench {

/// Returns, one sentence for each list of names, the parameters that the problem asks for and that
/// the designs of exciting motions for identification do not count: the criterion says nothing of
/// how well the motion tells them. A random motion, without a criterion, is designed for nothing.
/// @param robot  with the terms of that scenario's problem.
/// @param asked  indices into π that the problem asks for, increasing.
std::vector<std::string> UnshownParameterNotes(const Robot& robot, const Scenario& scenario,
                                               const std::vector<int>& asked);

}  // namespace idbench
