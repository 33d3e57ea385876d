#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>

#include "robots/dynamics/model.h"

namespace idbench {

/// Linear map from joint torques τ to what an equation measures, y = T(q)·τ. May hold scratch: use
/// one object per thread.
class TorqueMap {
 public:
  virtual ~TorqueMap() = default;

  /// Computes T at q. Allocates nothing. Returns false and sets T to NaN where there is no T.
  /// @param[out] T  rows × n.
  virtual bool At(const Eigen::Ref<const Eigen::VectorXd>& q, Eigen::Ref<Eigen::MatrixXd> T) = 0;

  /// Says why there is no T at such a q, and the cure. Allocates.
  virtual std::string WhyNone(const Eigen::Ref<const Eigen::VectorXd>& q) = 0;
};

/// Returns the map to the wrench at the end effector, see EndEffectorWrench.
std::unique_ptr<TorqueMap> MakeEndEffectorWrench(const RobotModel& model);

}  // namespace idbench
