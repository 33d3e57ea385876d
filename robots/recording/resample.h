#pragma once

#include <Eigen/Core>
#include <string_view>

namespace idbench {

enum class Interpolation {
  kLinear,
  kCubic,  ///< Cubic Hermite with the slopes of Differentiate(): exact for degree 2, error O(h³).
};

/// Names of the interpolations in scenario files.
inline constexpr std::string_view kLinearName = "linear";
inline constexpr std::string_view kCubicName = "cubic";
/// @throws std::invalid_argument for another name.
Interpolation InterpolationNamed(std::string_view name);

/// Share of a step by which two time stamps may differ and still count as the same instant: they
/// differ by rounding, not by jitter.
inline constexpr double kSameTimeTolerance = 1e-6;

/// 1 / (median step) [Hz]. @throws std::invalid_argument for fewer than two time stamps.
double NominalRate(const Eigen::VectorXd& time_s);

/// Largest |tᵢ₊₁ − tᵢ − h| / h, h the median step: 0 on uniform time.
/// @throws std::invalid_argument for fewer than two time stamps.
double LargestJitter(const Eigen::VectorXd& time_s);

/// True if both have the same length and no two stamps differ by more than kSameTimeTolerance of
/// the mean step.
bool IsSameTime(const Eigen::VectorXd& a_s, const Eigen::VectorXd& b_s);

/// first, first + 1/rate, … up to `last` at most.
/// @throws std::invalid_argument unless first ≤ last and rate > 0.
Eigen::VectorXd UniformTime(double first_s, double last_s, double rate_hz);

/// Values of sampled signals at other instants.
///
/// Nothing is filtered: a rate below the signal's bandwidth aliases.
///
/// @param time_s   N, strictly increasing [s].
/// @param samples  N × k. N ≥ 2, for kCubic ≥ 3.
/// @param at_s     M, within the range of `time_s` [s].
/// @return M × k.
/// @throws std::invalid_argument for sizes that contradict each other, too few samples, or an
///         instant outside (nothing is extrapolated).
Eigen::MatrixXd Interpolate(const Eigen::VectorXd& time_s, const Eigen::MatrixXd& samples,
                            const Eigen::VectorXd& at_s, Interpolation interpolation);

/// Every factor-th row, the first included. What lies above the new rate's half has to be filtered
/// away before. @throws std::invalid_argument for a factor below 1.
Eigen::MatrixXd Decimate(const Eigen::MatrixXd& samples, Eigen::Index factor);

}  // namespace idbench
