#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "robots/dynamics/rows.h"

namespace idbench {

/// Returns the names of the drive gains that equations leave without a scale.
///
/// Rows of drives, 0 = τ(π) − B·diag(v)·g, hold for any multiple of (π, g). What is known, or a
/// measured equation, may end that: for all gains, for those of one branch, or for none, as a known
/// body that only comes together with an unknown one. Whether it does is the rank of the asked
/// columns on inputs that agree with some robot, v = diag(g)⁻¹·B⁻¹·τ(π): a direction that free
/// inputs show and such inputs do not is the multiple itself.
///
/// @param considered  indices into π of what is asked for, strictly increasing.
/// @param known       π, of which the other entries count [SI].
/// @throws std::invalid_argument if `considered` is not strictly increasing.
/// @throws std::domain_error as FindBaseParameters() does.
std::vector<std::string> GainsWithoutScale(const RobotModel& model,
                                           const std::vector<PlacedEquation>& equations,
                                           const std::vector<int>& considered,
                                           const Eigen::VectorXd& known,
                                           const FrictionShape& friction = {});

}  // namespace idbench
