#include "robots/recording/quintic_spline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

namespace idbench {
namespace {

constexpr int kOrder = 6;  ///< Coefficients that a value takes: degree 5.
constexpr int kBand = 7;   ///< Coefficients that an equation takes: one more without a knot.

/// 120 times the six B-splines of an interval, coefficients of 1, t … t⁵, 0 ≤ t ≤ 1.
constexpr double kBasis[kOrder][kOrder] = {{1, -5, 10, -10, 5, -1},  {26, -50, 20, 20, -20, 5},
                                           {66, 0, -60, 0, 30, -10}, {26, 50, 20, -20, -20, 10},
                                           {1, 5, 10, 10, 5, -5},    {0, 0, 0, 0, 0, 1}};

using BasisValues = Eigen::Matrix<double, 1, kOrder>;

/// A place on evenly spaced knots: t in [0, 1] behind knot `interval`.
struct Place {
  Eigen::Index interval;
  double t;
};

Place PlaceOf(double knots, Eigen::Index intervals) {
  const Eigen::Index interval =
      std::clamp(static_cast<Eigen::Index>(knots), Eigen::Index{0}, intervals - 1);
  return {interval, knots - static_cast<double>(interval)};
}

/// Derivative of that order of the six B-splines with respect to t.
BasisValues Basis(double t, int derivative) {
  BasisValues values;
  for (int k = 0; k < kOrder; ++k) {
    double sum = 0.0;
    for (int power = kOrder - 1; power >= derivative; --power) {
      double factor = 1.0;
      for (int d = 0; d < derivative; ++d) factor *= power - d;
      sum = sum * t + factor * kBasis[k][power];
    }
    values(k) = sum / 120.0;
  }
  return values;
}

/// Least squares with rows of kBand neighbours: the triangle of a QR decomposition, by Givens
/// rotations. Rows whose first entries come in order cost O(kBand²) each.
class BandedLeastSquares {
 public:
  BandedLeastSquares(Eigen::Index unknowns, Eigen::Index columns)
      : triangle_(Eigen::MatrixXd::Zero(kBand, unknowns + kBand)),
        right_(Eigen::MatrixXd::Zero(columns, unknowns)) {}

  /// Adds the equation Σ_k row_k·c_(first + k) = right.
  void Add(Eigen::Index first, Eigen::Matrix<double, kBand, 1> row, Eigen::VectorXd right) {
    for (Eigen::Index c = first; c < right_.cols() && !row.isZero(0.0); ++c) {
      const double norm = std::hypot(triangle_(0, c), row(0));
      if (row(0) != 0.0) {
        const double cosine = triangle_(0, c) / norm, sine = row(0) / norm;
        const Eigen::Matrix<double, kBand, 1> above = triangle_.col(c);
        triangle_.col(c) = cosine * above + sine * row;
        row = cosine * row - sine * above;
        const Eigen::VectorXd right_above = right_.col(c);
        right_.col(c) = cosine * right_above + sine * right;
        right = cosine * right - sine * right_above;
      }
      std::shift_left(row.begin(), row.end(), 1);
      row(kBand - 1) = 0.0;
    }
  }

  /// Unknowns × columns.
  Eigen::MatrixXd Solve() const {
    const Eigen::Index size = right_.cols();
    Eigen::MatrixXd c = Eigen::MatrixXd::Zero(size + kBand, right_.rows());
    for (Eigen::Index k = size; k-- > 0;) {
      c.row(k) = (right_.col(k).transpose() -
                  triangle_.col(k).tail(kBand - 1).transpose() * c.middleRows(k + 1, kBand - 1)) /
                 triangle_(0, k);
    }
    return c.topRows(size);
  }

 private:
  Eigen::MatrixXd triangle_;  ///< Column c holds the entries (c, c) … (c, c + kBand − 1).
  Eigen::MatrixXd right_;     ///< Column c belongs to them.
};

/// The spline's coefficients, one column per signal.
Eigen::MatrixXd Fit(const Eigen::Ref<const Eigen::MatrixXd>& samples, Eigen::Index intervals,
                    double knots_per_sample) {
  const Eigen::Index size = intervals + kOrder - 1;
  BandedLeastSquares equations(size, samples.cols());
  // No jump of the fifth derivative, Δ⁶c = 0: there is no knot.
  const Eigen::Matrix<double, kBand, 1> no_knot{1, -6, 15, -20, 15, -6, 1};
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(samples.cols());
  const bool interpolates = size > samples.rows();
  if (interpolates) {
    for (const Eigen::Index first : {0, 1}) equations.Add(first, no_knot, zero);
  }
  for (Eigen::Index i = 0; i < samples.rows(); ++i) {
    const Place place = PlaceOf(static_cast<double>(i) * knots_per_sample, intervals);
    Eigen::Matrix<double, kBand, 1> row;
    row << Basis(place.t, 0).transpose(), 0.0;
    equations.Add(place.interval, row, samples.row(i).transpose());
  }
  if (interpolates) {
    for (const Eigen::Index first : {size - kBand - 1, size - kBand}) {
      equations.Add(first, no_knot, zero);
    }
  }
  return equations.Solve();
}

void CheckKnots(Eigen::Index samples, double step_s, int knot_samples, int per_step) {
  if (!(step_s > 0.0) || knot_samples < 1 || per_step < 1) {
    throw std::invalid_argument(
        "QuinticSpline: step, samples per knot and instants per step must be positive");
  }
  if (samples < kOrder) {
    throw std::invalid_argument("QuinticSpline: a quintic spline needs 6 samples, got " +
                                std::to_string(samples));
  }
}

}  // namespace

SmoothSignals QuinticSpline(const Eigen::Ref<const Eigen::MatrixXd>& samples, double step_s,
                            int knot_samples, int per_step) {
  CheckKnots(samples.rows(), step_s, knot_samples, per_step);
  const double steps = static_cast<double>(samples.rows() - 1);
  const auto intervals =
      std::max(Eigen::Index{1}, static_cast<Eigen::Index>(std::lround(steps / knot_samples)));
  if (knot_samples > 1 && intervals + kOrder - 1 > samples.rows()) {
    throw std::invalid_argument("QuinticSpline: " + std::to_string(samples.rows()) +
                                " samples are too few for one knot every " +
                                std::to_string(knot_samples));
  }
  const double per_sample = static_cast<double>(intervals) / steps, per_s = per_sample / step_s;
  const Eigen::MatrixXd c = Fit(samples, intervals, per_sample);
  const Eigen::Index instants = (samples.rows() - 1) * per_step + 1;
  SmoothSignals smooth{Eigen::MatrixXd(instants, samples.cols()),
                       Eigen::MatrixXd(instants, samples.cols()),
                       Eigen::MatrixXd(instants, samples.cols())};
  for (Eigen::Index i = 0; i < instants; ++i) {
    const Place place = PlaceOf(static_cast<double>(i) / per_step * per_sample, intervals);
    const auto of_interval = c.middleRows(place.interval, kOrder);
    smooth.value.row(i) = Basis(place.t, 0) * of_interval;
    smooth.rate.row(i) = per_s * (Basis(place.t, 1) * of_interval);
    smooth.acceleration.row(i) = per_s * per_s * (Basis(place.t, 2) * of_interval);
  }
  return smooth;
}

}  // namespace idbench
