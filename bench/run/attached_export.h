#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

#include "robots/attached_options.h"

namespace idbench {

/// File beside an exported model for what was attached to the robot, which the model does not hold.
inline constexpr std::string_view kAttachedFile = "attached.json";

/// Returns {"attached": …} as a scenario takes it, with the inertias of π as what is assumed of the
/// bodies.
/// @param bodies  as the scenario declares them, in the model's order.
/// @param pi        see ParameterLayout.
/// @param left_out  indices into RobotModel::attached() of bodies that the text is not to hold.
std::string AttachedText(const AttachedBodies& bodies, const RobotModel& model,
                         const Eigen::Ref<const Eigen::VectorXd>& pi,
                         const std::vector<int>& left_out = {});

}  // namespace idbench
