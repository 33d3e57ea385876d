#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>

#include "robots/dynamics/model.h"
#include "robots/plant/motion.h"
#include "scenarios/motion/trajectory/timed_table.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Natural cubic spline through given positions: twice continuously differentiable, with zero
/// acceleration at both ends. With m_i the accelerations at the knots, h_i = t_(i+1) − t_i
/// and u = t − t_i,
///   q(t) = q_i + u·((q_(i+1) − q_i)/h_i − h_i·(2m_i + m_(i+1))/6) + u²·m_i/2
///          + u³·(m_(i+1) − m_i)/(6h_i).
class SplineMotion : public Motion {
 public:
  /// @param positions  at least 2 rows, see TimedTable; N × n [rad or m].
  explicit SplineMotion(TimedTable positions);

  double duration_s() const override { return positions_.time_s(positions_.time_s.size() - 1); }
  /// Allocates nothing. O(log N + n).
  void Evaluate(double t, JointState& desired) const override;
  void Describe(CanonicalText& text) const override;

 private:
  TimedTable positions_;
  Eigen::MatrixXd accelerations_;  ///< m, N × n.
};

/// Options of a motion that was recorded or made elsewhere.
struct RecordedMotionOptions {
  static constexpr std::string_view kType = "recorded";
  std::string file;

  bool operator==(const RecordedMotionOptions&) const = default;
};
FieldTable Visit(RecordedMotionOptions& options);

/// Returns the columns of a recorded motion: q1_rad … and, of a prismatic joint, q1_m, or q1_rad as
/// it was called before.
TimedColumns PositionColumns(const RobotModel& model);

}  // namespace idbench
