#include "sim/truth/true_joints.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "sim/sensors/per_joint.h"

namespace idbench {
namespace {

void CheckMotors(const MotorOptions& motor, const std::string& where,
                 const std::vector<std::string>& motors, std::vector<Issue>& issues) {
  const auto check = [&](const std::string& key, const PerJoint& numbers) {
    CheckCount(numbers, where + key, motors, issues);
  };
  check("/motor/gear_ratio", motor.gear_ratio);
  check("/motor/gear_efficiency", motor.gear_efficiency);
  check("/motor/torque_constant_nm_a", motor.torque_constant_nm_a);
  check("/motor/ripple_fraction", motor.ripple_fraction);
  check("/motor/ripple_periods_per_rev", motor.ripple_periods_per_rev);
  check("/motor/resistance_ohm", motor.resistance_ohm);
  check("/motor/supply_voltage_v", motor.supply_voltage_v);
  if (motor.back_emf_constant_vs_rad) {
    check("/motor/back_emf_constant_vs_rad", *motor.back_emf_constant_vs_rad);
  }
  check("/motor/gain_drift_per_min", motor.gain_drift_per_min);
}

/// Static friction is at least Coulomb friction, and above 0 where that is.
void CheckStaticFriction(const MismatchOptions& mismatch, const std::string& where,
                         const std::vector<std::string>& joints, std::vector<Issue>& issues) {
  if (!mismatch.lugre) return;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const double coulomb = mismatch.lugre->coulomb_nm[j];
    const double fs = mismatch.lugre->static_nm[j];
    if (fs >= coulomb && (coulomb > 0.0 || fs == 0.0)) continue;
    issues.push_back(
        {where + "/mismatch/lugre",
         fmt::format("joint '{}' has static_nm {} and coulomb_nm {}", joints[j], fs, coulomb),
         {"accepted here: static_nm at least coulomb_nm, both above 0; or both 0"}});
  }
}

std::string CoggingText(const CoggingOptions& cogging) {
  if (!cogging.random_phase) return "cogging";
  return *cogging.random_phase == Draw::kTrial ? "cogging with phases of each trial"
                                               : "cogging with phases drawn once for all trials";
}

/// The load of a joint is what its losses leave; a constraint of MuJoCo is none of them, and with
/// k·κ ≥ 1 nothing would be left.
void CheckLoadFriction(const TrueJointOptions& options, const std::string& where,
                       std::vector<Issue>& issues) {
  const PerJoint& load = options.friction.load_coefficient;
  if (!AnyNonZero(load)) return;
  if (AnyNonZero(options.mismatch.frictionloss_nm)) {
    issues.push_back({where + "/friction/load_coefficient",
                      "cannot be combined with frictionloss_nm, a constraint of MuJoCo, of whose "
                      "torque the load is not known",
                      {"declare /robot/truth/friction/coulomb_nm in place of frictionloss_nm"}});
  }
  const auto& warm_up = options.mismatch.friction_warm_up;
  const double factor = warm_up ? warm_up->GreatestFactor() : 1.0;
  const double greatest = *std::ranges::max_element(load.values);
  if (factor * greatest < 1.0) return;
  issues.push_back({where + "/friction/load_coefficient",
                    fmt::format("is {} where friction warms up to {} times its start: the joint "
                                "would lock itself",
                                greatest, factor),
                    {fmt::format("accepted here: less than {:.3g}", 1.0 / factor)}});
}

}  // namespace

void TrueJointOptions::ApplyTo(const ParameterLayout& layout, Eigen::VectorXd& pi) const {
  const auto write = [&](const std::optional<PerJoint>& numbers, JointParameter which) {
    if (!numbers) return;
    for (int i = 0; i < layout.dofs(); ++i) {
      pi[layout.Joint(i, which)] = (*numbers)[static_cast<std::size_t>(i)];
    }
  };
  write(friction.viscous_nms_rad, JointParameter::kViscous);
  write(friction.coulomb_nm, JointParameter::kCoulomb);
  write(friction.offset_nm, JointParameter::kOffset);
  write(rotor_inertia_kgm2, JointParameter::kRotorInertia);
}

void AddFields(FieldTable& table, TrueJointOptions& options) {
  table.Add("friction", options.friction, {.doc = "Friction of the joints"})
      .Add("rotor_inertia_kgm2", options.rotor_inertia_kgm2,
           {.doc = "Rotor inertia on the joint's side of the gear; null: that of the parameter set",
            .unit = "kg·m²",
            .lower = 0})
      .Add("motor", options.motor, {.doc = "Motors and gears of the joints"})
      .Add("mismatch", options.mismatch,
           {.doc = "Effects that no model of the estimators describes"});
}

std::vector<Issue> CheckTrueJoints(const TrueJointOptions& options, const std::string& where,
                                   const std::vector<std::string>& joints,
                                   const std::vector<std::string>& motors,
                                   const std::vector<std::string>& cuts) {
  std::vector<Issue> issues;
  const auto check = [&](const std::string& key, const std::optional<PerJoint>& numbers) {
    if (numbers) CheckCount(*numbers, where + key, joints, issues);
  };
  check("/friction/viscous_nms_rad", options.friction.viscous_nms_rad);
  check("/friction/coulomb_nm", options.friction.coulomb_nm);
  check("/friction/offset_nm", options.friction.offset_nm);
  check("/friction/stribeck_excess_nm", options.friction.stribeck_excess_nm);
  check("/friction/stribeck_velocity_rad_s", options.friction.stribeck_velocity_rad_s);
  check("/friction/load_coefficient", options.friction.load_coefficient);
  check("/rotor_inertia_kgm2", options.rotor_inertia_kgm2);
  CheckMotors(options.motor, where, motors, issues);
  const MismatchOptions& mismatch = options.mismatch;
  check("/mismatch/frictionloss_nm", mismatch.frictionloss_nm);
  check("/mismatch/torque_resolution_nm", mismatch.torque_resolution_nm);
  if (mismatch.lugre) {
    check("/mismatch/lugre/stiffness_nm_rad", mismatch.lugre->stiffness_nm_rad);
    check("/mismatch/lugre/damping_nms_rad", mismatch.lugre->damping_nms_rad);
    check("/mismatch/lugre/coulomb_nm", mismatch.lugre->coulomb_nm);
    check("/mismatch/lugre/static_nm", mismatch.lugre->static_nm);
    check("/mismatch/lugre/stribeck_velocity_rad_s", mismatch.lugre->stribeck_velocity_rad_s);
  }
  if (mismatch.cogging) {
    check("/mismatch/cogging/amplitude_nm", mismatch.cogging->amplitude_nm);
    check("/mismatch/cogging/periods_per_rev", mismatch.cogging->periods_per_rev);
    check("/mismatch/cogging/phase_rad", mismatch.cogging->phase_rad);
  }
  std::ranges::move(CheckCables(mismatch.cables, where + "/mismatch/cables", joints, cuts),
                    std::back_inserter(issues));
  CheckLoadFriction(options, where, issues);
  if (issues.empty()) CheckStaticFriction(mismatch, where, joints, issues);
  return issues;
}

std::vector<std::string> BeyondModel(const TrueJointOptions& options) {
  std::vector<std::string> effects;
  if (AnyNonZero(options.friction.stribeck_excess_nm)) effects.emplace_back("Stribeck friction");
  if (AnyNonZero(options.friction.load_coefficient)) {
    effects.emplace_back("friction that grows with the load");
  }
  if (AnyNonZero(options.mismatch.frictionloss_nm)) effects.emplace_back("MuJoCo's frictionloss");
  if (options.mismatch.lugre) effects.emplace_back("LuGre friction");
  if (options.mismatch.cogging) effects.push_back(CoggingText(*options.mismatch.cogging));
  if (AnyNonZero(options.mismatch.torque_resolution_nm)) {
    effects.emplace_back("torques in steps");
  }
  if (options.mismatch.presliding_rad > 0.0) effects.emplace_back("presliding of friction");
  const auto& warm_up = options.mismatch.friction_warm_up;
  if (warm_up && warm_up->fraction != 0.0) effects.emplace_back("friction that warms up");
  if (!options.mismatch.cables.empty()) effects.emplace_back("cables");
  if (options.mismatch.tilted()) effects.emplace_back("a tilted base");
  return effects;
}

std::vector<std::string> BeyondGains(const MotorOptions& options, std::string_view channel) {
  std::vector<std::string> effects;
  const bool loss = std::ranges::any_of(options.gear_efficiency.values,
                                        [](double efficiency) { return efficiency != 1.0; });
  if (loss) effects.emplace_back("losses of the gears");
  if (AnyNonZero(options.ripple_fraction) && channel != kMotorTorque) {
    effects.emplace_back("ripple of the torque constants");
  }
  if (AnyNonZero(options.gain_drift_per_min) && (channel == kMotorPwm || channel.empty())) {
    effects.emplace_back("drive gains that drift");
  }
  return effects;
}

}  // namespace idbench
