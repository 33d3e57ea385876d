#pragma once

#include <Eigen/Core>

namespace idbench {

/// Joint torque as a function of time alone, continuous or not: what is replayed open loop.
class TorqueLaw {
 public:
  virtual ~TorqueLaw() = default;
  /// Writes τ(t), t in s: n numbers [N·m or N], already allocated by the caller. Safe to call from
  /// several threads.
  virtual void At(double t, Eigen::VectorXd& tau) const = 0;
};

}  // namespace idbench
