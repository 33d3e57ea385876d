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
/// carry far less noise than differences would, and b leaves a bias of ẋ out. What is compared is
/// integrated once more and tapered, which keeps filters of one of them out that leave the motion
/// alone. Fitting means that 90 % of the variance is explained, and equal that k is within 10 % of
/// 1. What hardly moves (below 1 % of the joint that moves most) is not judged.
///
/// Each sentence needs evidence, by F tests with the degrees of freedom that the spectra leave:
/// - a factor or another joint must leave significantly less than x − ∫ẋ dt does; joints that move
///   alike cannot be told apart;
/// - no fit is told of what is left by x − ∫ẋ dt if it is significantly stronger inside the band of
///   the motion than white noise of ẋ, which shows next above it, and significantly stronger than
///   for the median joint, unless that does not fit either.
/// Of recordings whose columns are right, and whose noise is Gaussian, at most one in a thousand
/// gets a sentence of one kind (Bonferroni over joints and pairs).
///
/// @param segments  of one experiment; nothing is told where the channels are missing or do not
///                  share their time.
/// @param quantity  kJointPosition or kJointVelocity.
/// @param rate      kJointVelocity or kJointAcceleration.
/// @param joints    names, one per column.
std::vector<std::string> RateDoubts(std::span<const Dataset> segments, std::string_view quantity,
                                    std::string_view rate, const std::vector<std::string>& joints);

}  // namespace idbench
