#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "robots/dynamics/rows.h"

namespace idbench {

/// Returns the names of the drive gains, and of the entries of sensors' calibrations, that
/// equations leave without a scale.
///
/// Rows of drives, 0 = τ(π) − B·diag(v)·g, hold for any multiple of (π, g), those of a calibrated
/// sensor, (1 + D)·w = W·π + o, for any of (π, o, 1 + D). What is known, or an equation that is
/// measured without a calibration, may end that: for all, for those of one branch, or for none, as
/// a known body that only comes together with an unknown one. Whether it does is the rank of the
/// asked columns on inputs that agree with some robot, v = diag(g)⁻¹·B⁻¹·τ(π) and
/// w = (1 + D)⁻¹·(W·π + o): a direction that free inputs show and such inputs do not is the
/// multiple itself.
///
/// @param considered  indices into π of what is asked for, strictly increasing.
/// @param known       π, of which the other entries count [SI].
/// @throws std::invalid_argument if `considered` is not strictly increasing.
/// @throws std::domain_error as FindBaseParameters() does.
std::vector<std::string> TermsWithoutScale(const RobotModel& model,
                                           const std::vector<PlacedEquation>& equations,
                                           const std::vector<int>& considered,
                                           const Eigen::VectorXd& known,
                                           const FrictionShape& friction = {});

}  // namespace idbench
