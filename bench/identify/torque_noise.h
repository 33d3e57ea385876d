#pragma once

#include <Eigen/Core>
#include <span>

#include "robots/recording/dataset.h"

namespace idbench {

/// White noise of measured torques, joint by joint, as far as a low-pass lets it pass: its root
/// mean square [N·m], n.
///
/// Its density is the median of the periodogram (Hann taper) between twice the cut-off and 45 % of
/// the rate, over ln 2, which is the median of a unit exponential distribution; the low-pass passes
/// the band up to its cut-off. NaN if fewer than 32 frequencies are there.
///
/// @param segments   with uniform joint_torque (or motor_torque).
/// @param cutoff_hz  of the low-pass.
Eigen::VectorXd TorqueNoise(std::span<const Dataset> segments, double cutoff_hz);

}  // namespace idbench
