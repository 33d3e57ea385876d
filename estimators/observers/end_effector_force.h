#pragma once

#include <optional>

#include "estimators/interface/observer.h"
#include "estimators/observers/force_fit.h"
#include "estimators/observers/residual_covariance.h"

namespace idbench {

/// What is taken to act at the end effector.
enum class ForceMethod {
  kWrench,  ///< A force and a moment.
  kForce,   ///< A force alone.
};
template <>
inline constexpr auto kEnumNames<ForceMethod> = std::to_array<EnumName<ForceMethod>>(
    {{ForceMethod::kWrench, "wrench"}, {ForceMethod::kForce, "force"}});

struct EndEffectorForceOptions {
  ForceMethod method = ForceMethod::kForce;
  CovarianceShape covariance = CovarianceShape::kDiagonal;
  double least_condition = kLeastForceCondition;
  std::optional<double> cutoff_hz = {};

  bool operator==(const EndEffectorForceOptions&) const = default;
};
FieldTable Visit(EndEffectorForceOptions& options);

/// Force of the outside on the robot at its end effector, from the residuals r = τ − W·π of the
/// joint torques of a sample. What acts there with the wrench F makes r = −Jᵀ F.
///
///   "wrench":  F = −(J Jᵀ)⁻¹ J·r, of which the force is given: least squares with a moment, see
///              EndEffectorWrench. All joints count equally. Takes six joints.
///   "force":   f = −(J_v R⁻¹ J_vᵀ)⁻¹ J_v R⁻¹ r, see ForceFit: without a moment, each joint by what
///              its residuals are where nothing acts. R are second moments of r in the
///              identification data, or the declared σ² if there are none. Takes three joints.
///
/// Near singular configurations, where the reciprocal condition of J (lengths as in
/// WrenchFromTorque()) or J_v is below `least_condition`, there is no force (NaN): a damped one
/// would be too small, and by how much is not known. Nor is there one at a sample that lacks a
/// torque. Then a low-pass (LowPass()) if `cutoff_hz` is given. Causal, if the problem does not
/// resample.
class EndEffectorForce : public ConfiguredObserver<EndEffectorForceOptions> {
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
