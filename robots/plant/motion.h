#pragma once

#include <Eigen/Core>

namespace idbench {

/// Position, velocity and acceleration of all joints at one instant [rad or m, s].
struct JointState {
  Eigen::VectorXd q, qd, qdd;

  static JointState Zero(int dofs) {
    return {Eigen::VectorXd::Zero(dofs), Eigen::VectorXd::Zero(dofs), Eigen::VectorXd::Zero(dofs)};
  }
};

/// A desired motion of all joints.
class Motion {
 public:
  virtual ~Motion() = default;
  virtual double duration_s() const = 0;
  /// Writes the desired state at time t [s] (sizes n, already allocated by the caller).
  virtual void Evaluate(double t, JointState& desired) const = 0;
};

}  // namespace idbench
