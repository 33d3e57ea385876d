#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "robots/recording/dataset.h"

namespace idbench {

/// Compares recorded rates with what they are the rates of, joint by joint, and returns a sentence
/// for each way in which they differ: a factor ("velocity of joint2 fits 57.3 × dq/dt of joint2:
/// degrees for radians in one of them?"), a sign, another order of columns, or no fit at all.
///
/// Fits x ≈ a + b·t + k·∫ẋ dt by least squares, a and b of each segment, k in common; integrals
/// carry far less noise than differences would, and b leaves a bias of ẋ out. Fitting means that 90
/// % of the variance about a + b·t is explained, and equal that k is within 10 % of 1. What hardly
/// moves (below 1 % of the joint that moves most) is not judged.
///
/// @param segments  of one experiment; nothing is told where the channels are missing or do not
///                  share their time.
/// @param quantity  kJointPosition or kJointVelocity.
/// @param rate      kJointVelocity or kJointAcceleration.
/// @param joints    names, one per column.
std::vector<std::string> RateDoubts(std::span<const Dataset> segments, std::string_view quantity,
                                    std::string_view rate, const std::vector<std::string>& joints);

}  // namespace idbench
