#include "sim/true_joints.h"

#include "robots/dynamics/parameters.h"
#include "sim/per_joint.h"

namespace idbench {
namespace {

/// The layout of a π of this size.
ParameterLayout LayoutOf(const Eigen::VectorXd& pi) {
  // size = 10·(n + 1) + 4·n
  return ParameterLayout((static_cast<int>(pi.size()) - kInertialCount) /
                         (kInertialCount + kJointParameterCount));
}

}  // namespace

void TrueJointOptions::ApplyTo(Eigen::VectorXd& pi) const {
  const ParameterLayout layout = LayoutOf(pi);
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
  table.Add("friction", options.friction, {.doc = "friction of the joints"})
      .Add("rotor_inertia_kgm2", options.rotor_inertia_kgm2,
           {.doc = "rotor inertia on the joint's side of the gear; absent: the parameter set's",
            .unit = "kg·m²",
            .lower = 0});
}

std::vector<Issue> CheckTrueJoints(const TrueJointOptions& options, const std::string& where,
                                   const std::vector<std::string>& joints) {
  std::vector<Issue> issues;
  const auto check = [&](const std::string& key, const std::optional<PerJoint>& numbers) {
    if (numbers) CheckCount(*numbers, where + key, joints, issues);
  };
  check("/friction/viscous_nms_rad", options.friction.viscous_nms_rad);
  check("/friction/coulomb_nm", options.friction.coulomb_nm);
  check("/friction/offset_nm", options.friction.offset_nm);
  check("/friction/stribeck_excess_nm", options.friction.stribeck_excess_nm);
  check("/friction/stribeck_velocity_rad_s", options.friction.stribeck_velocity_rad_s);
  check("/rotor_inertia_kgm2", options.rotor_inertia_kgm2);
  return issues;
}

std::vector<std::string> BeyondModel(const TrueJointOptions& options) {
  std::vector<std::string> effects;
  if (AnyNonZero(options.friction.stribeck_excess_nm)) effects.emplace_back("Stribeck friction");
  return effects;
}

}  // namespace idbench
