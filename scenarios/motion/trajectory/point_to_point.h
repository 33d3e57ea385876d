#pragma once

#include <Eigen/Core>
#include <vector>

#include "robots/plant/motion.h"
#include "scenarios/motion/trajectory/lagged_step.h"

namespace idbench {

/// A way to a point and the rest in it.
struct PointMove {
  Eigen::VectorXd to;    ///< n [rad or m]
  double move_s = 0.0;   ///< Of the quintic step there.
  double dwell_s = 0.0;  ///< Before the next one begins.
};

/// Minimum-jerk moves from point to point on straight lines of joint space, as joints with a lag
/// follow them, see LaggedStep. It begins at rest in the first point, with a move, and holds the
/// last point. Position and velocity are continuous, and the acceleration too.
///
/// Minimum jerk: Flash & Hogan, "The coordination of arm movements", J. Neuroscience 5(7), 1985.
class PointToPointMotion : public Motion {
 public:
  /// @param begin       first point, n.
  /// @param duration_s  of the motion, which may end within a move.
  /// @throws std::invalid_argument unless there is a move, the duration is positive and no rest is
  ///         negative, and as LaggedStep does.
  PointToPointMotion(const Eigen::VectorXd& begin, const std::vector<PointMove>& moves,
                     JointLag lag, double duration_s);

  const Eigen::VectorXd& begin() const { return begin_; }
  const std::vector<PointMove>& moves() const { return moves_; }
  double duration_s() const override { return duration_s_; }
  /// Allocates nothing. O(log of the moves + n).
  void Evaluate(double t, JointState& desired) const override;
  void Describe(CanonicalText& text) const override;

 private:
  Eigen::VectorXd begin_;
  std::vector<PointMove> moves_;
  JointLag lag_;
  double duration_s_;
  std::vector<LaggedStep> steps_;  ///< Moves and rests in turn, the last one without an end.
  std::vector<double> begins_;     ///< Of them [s].
};

}  // namespace idbench
