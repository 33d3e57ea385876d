#pragma once

#include "estimators/interface/observer.h"
#include "estimators/observers/residual_covariance.h"

namespace idbench {

struct ForceKalmanOptions {
  double walk_n_sqrt_s = 20.0;
  double start_std_n = 10.0;
  CovarianceShape covariance = CovarianceShape::kDiagonal;

  bool operator==(const ForceKalmanOptions&) const = default;
};
FieldTable Visit(ForceKalmanOptions& options);

/// Kalman filter of the force f of the outside on the robot at its end effector, without a moment:
///
///   f_k = f_{k−1} + w,  w ~ N(0, walk²·(t_k − t_{k−1})·1),
///   r_k = −J_vᵀ f_k + e,  e ~ N(0, R),
///
/// with r the residual of the joint torques, J_v the Jacobian of the end effector's velocity in
/// base axes, and R the second moments of r in the identification data, or the declared σ² if there
/// are none. f starts at 0 ± start_std_n. Near singular configurations what the joints do not feel
/// stays where it was. A sample that lacks a torque is passed over: f stays, and its spread grows.
/// Causal, if the problem does not resample.
class ForceKalman : public ConfiguredObserver<ForceKalmanOptions> {
 public:
  EstimatorNeeds needs() const override { return ArmNeeds(); }
  std::vector<std::string_view> gives() const override { return {kExternalForce}; }
  bool causal() const override { return true; }

 protected:
  void CheckProblem(const Problem& problem) const override;
  Observation Watch(const Problem& problem, const Estimate& model,
                    std::span<const Dataset> training, const Dataset& watched) override;
};

}  // namespace idbench
