#pragma once

#include <Eigen/Core>

namespace idbench {

/// Computes a time derivative of sampled signals by differences over 2w + 1 samples.
///
/// Sample i gets the derivative at t_i of the parabola through the samples i − w, i and i + w. On
/// uniform time these are the central differences
///   ẋ_i = (x_{i+w} − x_{i−w}) / (2wh),  ẍ_i = (x_{i+w} − 2x_i + x_{i−w}) / (wh)².
/// The first and the last w samples use the parabola through the first or last three samples of
/// spacing w (one-sided differences). Exact for polynomials of degree 2 on any time vector. The
/// error is O(w²h²) for ẋ everywhere and for ẍ inside on uniform time, O(wh) for ẍ elsewhere. A
/// wider window passes less noise: white noise of σ becomes σ/(√2·wh) in ẋ and √6·σ/(wh)² in ẍ.
///
/// @param time_s      N, strictly increasing [s].
/// @param samples     N × k.
/// @param derivative  1 or 2.
/// @param half_width  w ≥ 1.
/// @return N × k, in the unit of `samples` per s or s².
/// @throws std::invalid_argument for another derivative or half-width, sizes that contradict each
///         other, fewer than 2w + 1 samples, or time that does not increase.
Eigen::MatrixXd Differentiate(const Eigen::VectorXd& time_s, const Eigen::MatrixXd& samples,
                              int derivative = 1, int half_width = 1);

}  // namespace idbench
