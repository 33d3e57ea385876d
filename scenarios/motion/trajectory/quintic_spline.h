#pragma once

#include <Eigen/Core>
#include <vector>

#include "robots/plant/motion.h"

namespace idbench {

/// Spline of degree 5 through positions at equal distances in time, at rest at both ends.
///
/// Four times continuously differentiable (C⁴), and zero speed and acceleration at the ends: with K
/// intervals these four conditions and the K + 1 positions determine the K + 5 numbers of a
/// B-spline with simple knots. It is linear in the positions: q(t) = Σ_m B_m(t)·q_m, one B_m for
/// each, by pieces a polynomial of the time u since the interval's beginning.
///
/// Source: de Boor, A Practical Guide to Splines, 1978, chapter XIII; in robotics Katsumata et al.,
/// "Optimal exciting motion for fast robot identification", RAS 113, 2019, section III-A.
class QuinticSpline {
 public:
  static constexpr int kDegree = 5;
  using Piece = Eigen::Matrix<double, kDegree + 1, Eigen::Dynamic>;

  /// @throws std::invalid_argument unless the duration is positive and there is an interval.
  QuinticSpline(double duration_s, int intervals);

  double duration_s() const { return duration_s_; }
  int intervals() const { return static_cast<int>(pieces_.size()); }
  /// Returns the number of positions.
  int size() const { return intervals() + 1; }
  double interval_s() const { return duration_s_ / intervals(); }
  /// Returns row k, column m: factor of u^k in B_m on interval i.
  const Piece& piece(int i) const { return pieces_[static_cast<std::size_t>(i)]; }
  /// Returns the interval that holds t, clamped to the motion. @param[out] u  time since its
  /// beginning [s].
  int IntervalOf(double t, double& u) const;
  /// Computes B, Ḃ and B̈ at time t, size() each, 3 rows.
  Eigen::MatrixXd At(double t) const;

 private:
  double duration_s_;
  std::vector<Piece> pieces_;
};

/// QuinticSpline of all joints; before its beginning and after its end the robot rests.
class QuinticSplineMotion : public Motion {
 public:
  /// @param positions  at least 2 rows, one per way point; columns are joints [rad or m].
  /// @throws std::invalid_argument as QuinticSpline does.
  QuinticSplineMotion(double duration_s, Eigen::MatrixXd positions);

  const Eigen::MatrixXd& positions() const { return positions_; }
  double duration_s() const override { return duration_s_; }
  /// Allocates nothing. O(n).
  void Evaluate(double t, JointState& desired) const override;
  void Describe(CanonicalText& text) const override;

 private:
  double duration_s_;
  Eigen::MatrixXd positions_;
  std::vector<QuinticSpline::Piece> pieces_;  ///< Columns are joints.
};

}  // namespace idbench
