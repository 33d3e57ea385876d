#pragma once

#include <Eigen/Core>

namespace idbench {

/// Joint torque as a function of time alone, continuous or not, to be replayed in open loop.
class TorqueLaw {
 public:
  virtual ~TorqueLaw() = default;
  /// Writes τ(t) [N·m or N], t in s; the caller has allocated n entries. Safe to call from
  /// several threads.
  virtual void At(double t, Eigen::VectorXd& tau) const = 0;
};

}  // namespace idbench
