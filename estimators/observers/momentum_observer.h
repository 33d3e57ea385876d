#pragma once

#include <string_view>
#include <vector>

#include "estimators/interface/observer.h"
#include "estimators/observers/detection.h"
#include "estimators/observers/force_fit.h"
#include "estimators/observers/residual_covariance.h"
#include "scenarios/options/enum_names.h"

namespace idbench {

/// What a momentum observer tells.
enum class MomentumGives {
  kForce,    ///< The force at the end effector.
  kContact,  ///< Whether something touches the robot, wherever.
  kBoth,
};
template <>
inline constexpr auto kEnumNames<MomentumGives> =
    std::to_array<EnumName<MomentumGives>>({{MomentumGives::kForce, "force"},
                                            {MomentumGives::kContact, "contact"},
                                            {MomentumGives::kBoth, "force and contact"}});

struct MomentumObserverOptions {
  MomentumGives gives = MomentumGives::kForce;
  double gain_per_s = 20.0;
  CovarianceShape covariance = CovarianceShape::kDiagonal;
  double least_condition = kLeastForceCondition;
  DetectionOptions detection = {};

  bool operator==(const MomentumObserverOptions&) const = default;
};
FieldTable Visit(MomentumObserverOptions& options);

/// Computes the torques that the outside exerts on the joints, from their generalised momentum
/// p = M(q)·q̇ and without accelerations. With h(q, q̇) the torques at q̈ = 0, friction among them,
///
///   ṗ = τ + Ṁ·q̇ − h + τ_ext,   ρ̇ = K·(τ_ext − ρ),   r = −ρ.
///
/// ρ follows τ_ext = Jᵀ F as a low-pass of first order does: 1 − e^(−K·t) of a step. Over a step
/// from one sample to the next the mean of τ_ext is (Δp)/Δt − (the mean of τ + Ṁ·q̇ − h), by the
/// trapezoidal rule, and ρ moves as it would under that constant: an error of O(Δt²), stable at
/// every K. M·q̇ = ID(q, 0, q̇) − ID(q, 0, 0); Ṁ·q̇ is a central difference of it along q̇. Rotor
/// inertia is a part of M. ρ = 0 at the first sample; one that lacks a number is NaN, and the next
/// step begins at the last one before it. O(N·n), eight samples at a time.
///
/// Where no torques of joints are measured, but what drives are fed, τ = B·diag(v)·ĝ with the gains
/// ĝ of π; what motors lose is a part of h, as far as π holds it. The row of joint j takes τ_j and
/// the states of all joints, no other torque: joints without a row, because no motor drives them,
/// spoil no other one.
///
/// @param rows  of joint torques, or of drives.
/// @return r in the columns of `rows`, with the signs of a ModelResidual; without `qdd`.
/// @throws EstimationFailure (refused) if π has another size than the robot's, or a channel is
///         missing, was not sampled together with the others, or has a wrong number of columns.
/// Source: De Luca & Mattone, ICRA 2003 and 2005.
ModelResidual MomentumResidual(const Problem& problem, const Eigen::VectorXd& pi,
                               const Dataset& dataset, const JointRows& rows, double gain_per_s);

/// From MomentumResidual(), of all joints that have a measured torque or a drive:
///
///   "force":    the force of the outside on the robot at its end effector, by ForceFit with R the
///               second moments of r in the identification data; without these the declared σ² of
///               the rows. NaN near singular configurations, see EndEffectorForce. Takes three
///               joints that move the end effector in space.
///   "contact":  T² = rᵀ R⁻¹ r, above ThresholdOf() where something touches a link that one of the
///               joints moves. One joint is enough.
///
/// It needs no accelerations. Causal, if the problem does not resample.
class MomentumObserver : public ConfiguredObserver<MomentumObserverOptions> {
 public:
  EstimatorNeeds needs() const override {
    return {.channels = {kJointPosition, kJointVelocity},
            .problem = {Capability::kStandardUnknowns}};
  }
  std::vector<std::string_view> gives() const override;
  Detects detects() const override {
    return TellsContact() ? Detects::kContact : Detects::kNothing;
  }
  bool causal() const override { return true; }

 protected:
  void CheckProblem(const Problem& problem) const override;
  Observation Watch(const Problem& problem, const Estimate& model,
                    std::span<const Dataset> training, const Dataset& watched) override;

 private:
  bool TellsForce() const { return options_.gives != MomentumGives::kContact; }
  bool TellsContact() const { return options_.gives != MomentumGives::kForce; }
  JointRows Rows(const Problem& problem) const {
    return JointTorqueRows(problem, TellsForce() ? 3 : 1);
  }
};

}  // namespace idbench
