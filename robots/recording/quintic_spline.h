#pragma once

#include <Eigen/Core>

namespace idbench {

/// Signals and their first two time derivatives at evenly spaced instants, M × k each; units of the
/// signals, per s and per s².
struct SmoothSignals {
  Eigen::MatrixXd value, rate, acceleration;
};

/// Computes a quintic spline of uniformly sampled signals and its derivatives.
///
/// With knot_samples = 1 the spline passes through every sample; the two knots next to either end
/// are left out, so a polynomial of degree 5 is reproduced. The error is then O(h⁵) for ẋ and
/// O(h⁴) for ẍ, for signals with no more noise than the resolution of a good encoder. With
/// knot_samples > 1 one knot stands for that many samples (knots are evenly spaced, up to the end)
/// and the spline is a least-squares fit: a low-pass at about 1/(2·knot_samples·h) without phase
/// and without edges.
///
/// @param samples       N × k, at 0, h, 2h …
/// @param step_s        h > 0 [s].
/// @param knot_samples  ≥ 1.
/// @param per_step      output instants per step of the samples, ≥ 1.
/// @return (N − 1)·per_step + 1 instants, which include those of the samples.
/// @throws std::invalid_argument for other arguments, or fewer samples than 6 or than the spline
///         has coefficients. Banded QR, O(N). Source: de Boor, A Practical Guide to Splines, 1978,
///         chapters IX, XIII and XIV.
SmoothSignals QuinticSpline(const Eigen::Ref<const Eigen::MatrixXd>& samples, double step_s,
                            int knot_samples = 1, int per_step = 1);

}  // namespace idbench
