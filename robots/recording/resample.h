#pragma once

#include <Eigen/Core>

#include "scenarios/options/enum_names.h"

namespace idbench {

/// Kind of interpolation between samples.
enum class Interpolation {
  kLinear,
  kCubic,  ///< Cubic Hermite with the slopes of Differentiate(): exact for degree 2, error O(h³).
};

template <>
inline constexpr auto kEnumNames<Interpolation> = std::to_array<EnumName<Interpolation>>(
    {{Interpolation::kLinear, "linear"}, {Interpolation::kCubic, "cubic"}});

/// Fraction of a step by which two time stamps of the same instant may differ, because of rounding.
inline constexpr double kSameTimeTolerance = 1e-6;

/// Returns 1 / (median step) [Hz].
/// @throws std::invalid_argument if there are fewer than two time stamps.
double NominalRate(const Eigen::VectorXd& time_s);

/// Returns the largest |tᵢ₊₁ − tᵢ − h| / h, h the median step: 0 on uniform time.
/// @throws std::invalid_argument if there are fewer than two time stamps.
double LargestJitter(const Eigen::VectorXd& time_s);

/// Returns true if both have the same length and no two stamps differ by more than
/// kSameTimeTolerance of the mean step.
bool IsSameTime(const Eigen::VectorXd& a_s, const Eigen::VectorXd& b_s);

/// Returns first, first + 1/rate, … up to at most `last` [s].
/// @throws std::invalid_argument unless first ≤ last and rate > 0.
Eigen::VectorXd UniformTime(double first_s, double last_s, double rate_hz);

/// Returns the values of sampled signals at other instants.
///
/// Does not filter: a rate below the signal's bandwidth aliases.
///
/// @param time_s   N, strictly increasing [s].
/// @param samples  N × k. N ≥ 2, for kCubic ≥ 3.
/// @param at_s     M, within the range of `time_s` [s].
/// @return M × k.
/// @throws std::invalid_argument if sizes contradict each other, there are too few samples, or an
///         instant lies outside (there is no extrapolation).
Eigen::MatrixXd Interpolate(const Eigen::VectorXd& time_s, const Eigen::MatrixXd& samples,
                            const Eigen::VectorXd& at_s, Interpolation interpolation);

/// Returns every factor-th row, from the first. Filter away first what lies above
/// half the new rate.
/// @throws std::invalid_argument if `factor` is below 1.
Eigen::MatrixXd Decimate(const Eigen::MatrixXd& samples, Eigen::Index factor);

}  // namespace idbench
