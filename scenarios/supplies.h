#pragma once

#include <string_view>

#include "robots/robot.h"
#include "scenarios/options/capability.h"
#include "scenarios/scenario.h"

namespace idbench {

/// Returns what the parts of a scenario supply to each other and to metrics, and words for what
/// they do not. What a method needs of a problem is told by SuppliedBy(const Problem&).
/// @param experiment  label of the one that is asked about; "" for any.
Supplies SuppliedBy(const Scenario& scenario, const Robot& robot, std::string_view experiment = "");

}  // namespace idbench
