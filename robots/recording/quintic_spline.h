#pragma once

#include <Eigen/Core>

namespace idbench {

/// Signals and their first two time derivatives at evenly spaced instants, M × k each.
struct SmoothSignals {
  Eigen::MatrixXd value, rate, acceleration;
};

/// Quintic spline of uniformly sampled signals, and its derivatives.
///
/// With knot_samples = 1 it goes through every sample; the two knots next to either end are none
/// (of a polynomial of degree 5 nothing is lost). The error of ẋ is then O(h⁵), that of ẍ O(h⁴):
/// for signals without noise, up to the resolution of a good encoder. With more, one knot stands
/// for so many samples (the last stretch as for the others: knots are evenly spaced) and the spline
/// is that of least squares: a low-pass at about 1/(2·knot_samples·h) that has no phase and no
/// edges.
///
/// @param samples       N × k, at 0, h, 2h …
/// @param step_s        h > 0 [s].
/// @param knot_samples  ≥ 1.
/// @param per_step      instants at which the spline is wanted, for each step of the samples, ≥ 1.
/// @return (N − 1)·per_step + 1 instants, the samples' own among them.
/// @throws std::invalid_argument for other arguments, or fewer samples than the spline has to have:
///         6, and as many as it has coefficients.
/// Banded QR, O(N). Source: de Boor, A Practical Guide to Splines, 1978, chapters IX, XIII and XIV.
SmoothSignals QuinticSpline(const Eigen::Ref<const Eigen::MatrixXd>& samples, double step_s,
                            int knot_samples = 1, int per_step = 1);

}  // namespace idbench
