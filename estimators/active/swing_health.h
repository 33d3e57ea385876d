#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "estimators/active/swing.h"

namespace idbench {

/// Returns σ of white noise in readings of a swing, from their second differences, of which a swing
/// that is sampled often has next to nothing [rad].
double NoiseOfReadings(const Eigen::VectorXd& theta);

/// Returns what says that more than gravity and its compensation moves the robot, "" if nothing
/// does. For methods that have neither friction nor another equilibrium: a chain that over-
/// compensated gravity alone holds swings about its upright pose, and does not stop.
/// @param swings  in which it did not fall, of several periods each.
std::string BesideGravity(const std::vector<SwingRecord>& swings, const Problem& problem);

}  // namespace idbench
