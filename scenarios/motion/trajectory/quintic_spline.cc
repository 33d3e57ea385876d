#include "scenarios/motion/trajectory/quintic_spline.h"

#include <Eigen/LU>
#include <algorithm>
#include <stdexcept>
#include <unsupported/Eigen/Splines>
#include <utility>

namespace idbench {
namespace {

constexpr int kDegree = QuinticSpline::kDegree;
using Basis = Eigen::Spline<double, 1, kDegree>;

/// Knots in intervals, those of the ends as often as the degree asks for.
Basis::KnotVectorType KnotsOf(int intervals) {
  Basis::KnotVectorType knots(intervals + 1 + 2 * kDegree);
  for (Eigen::Index k = 0; k < knots.size(); ++k) {
    knots[k] = static_cast<double>(std::clamp<Eigen::Index>(k - kDegree, 0, intervals));
  }
  return knots;
}

/// Derivatives of order 0 … 5 in s of all B-splines at the beginning of interval i, 6 × (K + 5).
Eigen::MatrixXd DerivativesAt(const Basis::KnotVectorType& knots, double s) {
  const Eigen::Index count = knots.size() - kDegree - 1;
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(kDegree + 1, count);
  const Eigen::Index span = Basis::Span(s, kDegree, knots);
  all.middleCols(span - kDegree, kDegree + 1) =
      Basis::BasisFunctionDerivatives(s, kDegree, kDegree, knots);
  return all;
}

/// Returns the piece of a motion that holds t, clamped to the motion.
/// @param[out] u  time since its beginning [s].
int PieceAt(double t, double duration_s, int pieces, double& u) {
  const double within = std::clamp(t, 0.0, duration_s);
  const double interval_s = duration_s / pieces;
  const int i = std::min(static_cast<int>(within / interval_s), pieces - 1);
  u = within - i * interval_s;
  return i;
}

}  // namespace

QuinticSpline::QuinticSpline(double duration_s, int intervals) : duration_s_(duration_s) {
  if (!(duration_s > 0.0) || intervals < 1) {
    throw std::invalid_argument("QuinticSpline: takes a positive duration and an interval");
  }
  const Basis::KnotVectorType knots = KnotsOf(intervals);
  const double h = duration_s / intervals;
  // Conditions on the control points: the positions, and rest at both ends.
  const Eigen::Index count = intervals + kDegree;
  Eigen::MatrixXd conditions(count, count);
  for (int i = 0; i <= intervals; ++i) conditions.row(i) = DerivativesAt(knots, i).row(0);
  conditions.middleRows(intervals + 1, 2) = DerivativesAt(knots, 0).middleRows(1, 2);
  conditions.middleRows(intervals + 3, 2) = DerivativesAt(knots, intervals).middleRows(1, 2);
  const Eigen::MatrixXd control_points =
      conditions.partialPivLu().solve(Eigen::MatrixXd::Identity(count, intervals + 1));
  for (int i = 0; i < intervals; ++i) {
    Piece& piece = pieces_.emplace_back(DerivativesAt(knots, i) * control_points);
    double scale = 1.0;  // of derivatives in s = t/h to factors of u^k, 1/(k!·h^k)
    for (int k = 1; k <= kDegree; ++k) {
      scale /= k * h;
      piece.row(k) *= scale;
    }
  }
}

int QuinticSpline::IntervalOf(double t, double& u) const {
  return PieceAt(t, duration_s_, intervals(), u);
}

Eigen::MatrixXd QuinticSpline::At(double t) const {
  double u = 0.0;
  const Piece& c = piece(IntervalOf(t, u));
  Eigen::Matrix<double, 3, kDegree + 1> powers;
  powers << 1.0, u, u * u, u * u * u, u * u * u * u, u * u * u * u * u,      //
      0.0, 1.0, 2.0 * u, 3.0 * u * u, 4.0 * u * u * u, 5.0 * u * u * u * u,  //
      0.0, 0.0, 2.0, 6.0 * u, 12.0 * u * u, 20.0 * u * u * u;
  return powers * c;
}

QuinticSplineMotion::QuinticSplineMotion(double duration_s, Eigen::MatrixXd positions)
    : duration_s_(duration_s), positions_(std::move(positions)) {
  const QuinticSpline basis(duration_s, static_cast<int>(positions_.rows()) - 1);
  for (int i = 0; i < basis.intervals(); ++i) pieces_.emplace_back(basis.piece(i) * positions_);
}

void QuinticSplineMotion::Evaluate(double t, JointState& desired) const {
  double u = 0.0;
  const int i = PieceAt(t, duration_s_, static_cast<int>(pieces_.size()), u);
  const QuinticSpline::Piece& c = pieces_[static_cast<std::size_t>(i)];
  for (Eigen::Index j = 0; j < c.cols(); ++j) {
    const auto a = c.col(j);
    desired.q(j) = a[0] + u * (a[1] + u * (a[2] + u * (a[3] + u * (a[4] + u * a[5]))));
    desired.qd(j) =
        a[1] + u * (2.0 * a[2] + u * (3.0 * a[3] + u * (4.0 * a[4] + u * (5.0 * a[5]))));
    desired.qdd(j) = 2.0 * a[2] + u * (6.0 * a[3] + u * (12.0 * a[4] + u * (20.0 * a[5])));
  }
}

void QuinticSplineMotion::Describe(CanonicalText& text) const {
  text.Add("kind", "quintic_spline").Add("duration_s", duration_s_).Add("positions", positions_);
}

}  // namespace idbench
