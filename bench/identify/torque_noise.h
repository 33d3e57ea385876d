#pragma once

#include <Eigen/Core>
#include <span>

#include "robots/recording/dataset.h"

namespace idbench {

/// White noise of joint torques, joint by joint, as far as a low-pass lets it pass: its root mean
/// square [N·m or N], n.
///
/// Its density is the median of the periodograms between twice the cut-off and 45 % of the rate,
/// over ln 2, which is the median of a unit exponential distribution, so that lines and steps of
/// friction hardly count; the low-pass passes the band up to its cut-off. Periodograms are of
/// pieces of 2^k samples, at most 4,096, behind a Hann taper. Samples count as equally spaced. NaN
/// if fewer than 32 ordinates are there.
///
/// @param segments   with joint_torque; without: NaN for none.
/// @param cutoff_hz  of the low-pass.
Eigen::VectorXd TorqueNoise(std::span<const Dataset> segments, double cutoff_hz);

}  // namespace idbench
