#pragma once

#include <Eigen/Core>

#include "robots/plant/canonical_text.h"

namespace idbench {

/// Positions, velocities and accelerations of all joints at one instant, n each [rad or m, s].
struct JointState {
  Eigen::VectorXd q, qd, qdd;

  static JointState Zero(int dofs) {
    return {Eigen::VectorXd::Zero(dofs), Eigen::VectorXd::Zero(dofs), Eigen::VectorXd::Zero(dofs)};
  }
};

/// Desired motion of all joints.
class Motion {
 public:
  virtual ~Motion() = default;
  /// Returns the duration [s].
  virtual double duration_s() const = 0;
  /// Writes the desired state at time t [s]; the caller has allocated n entries each.
  virtual void Evaluate(double t, JointState& desired) const = 0;
  /// Adds the kind of motion and all numbers that define it: two motions of one text are the same
  /// function of time, bit for bit.
  virtual void Describe(CanonicalText& text) const = 0;
};

}  // namespace idbench
