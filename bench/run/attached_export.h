#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "estimators/interface/problem.h"
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

/// Returns "link3, tool" for each link that no row tells apart from what is attached to it, in any
/// configuration with data for identification: their sum is known, and a prior divides it. Bodies
/// that are known count as told apart.
///
/// A row holds the bodies of a link that lie beyond it, each moved into the link's frame, with the
/// same factors. So a body is told apart from the others of its link if its row in the table of 0
/// and 1 (is it in the rows of that configuration?) is no linear combination of theirs.
std::vector<std::string> NotToldApart(const RobotModel& model,
                                      std::span<const EquationRows> equations);

}  // namespace idbench
