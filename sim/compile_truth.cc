#include "sim/compile_truth.h"

#include <fmt/format.h>

#include <utility>

#include "robots/compile_robot.h"
#include "robots/model_reader.h"
#include "sim/per_joint.h"

namespace idbench {
namespace {

TrueFriction FrictionOf(const Eigen::Ref<const Eigen::VectorXd>& pi, const FrictionOptions& options,
                        int dofs) {
  const ParameterLayout layout(dofs);
  TrueFriction friction = TrueFriction::None(dofs);
  for (int i = 0; i < dofs; ++i) {
    friction.viscous[i] = pi[layout.Joint(i, JointParameter::kViscous)];
    friction.coulomb[i] = pi[layout.Joint(i, JointParameter::kCoulomb)];
    friction.offset[i] = pi[layout.Joint(i, JointParameter::kOffset)];
  }
  friction.stribeck_excess = ToVector(options.stribeck_excess_nm, dofs);
  friction.stribeck_velocity = ToVector(options.stribeck_velocity_rad_s, dofs);
  return friction;
}

TrueBase BaseOf(const mjModel& model, const Robot& robot,
                const Eigen::Ref<const Eigen::VectorXd>& pi) {
  const auto pi_base = pi.segment<kInertialCount>(ParameterLayout(robot.model.dofs()).Body(-1));
  TrueBase base{.mass = pi_base[0], .first_moment = pi_base.segment<3>(1)};
  for (const LinkBody& body : ReadTree(model, robot.name).bodies) {
    if (body.link < 0 && body.carries_frame) base.body = body.body;
  }
  return base;
}

}  // namespace

TrueRobot CompileTruth(const Robot& robot, const Eigen::Ref<const Eigen::VectorXd>& pi,
                       const MujocoPlantOptions& options, const TrueJointOptions& joints,
                       const std::vector<Payload>& payloads) {
  std::vector<WeldedBody> welded;
  for (std::size_t k = 0; k < payloads.size(); ++k) {
    welded.push_back({fmt::format("payload/{}", k), payloads[k].link, payloads[k].inertia});
  }
  ModelPtr model = CompileRobot(robot, pi, welded);
  std::vector<TruePayload> placed;
  for (std::size_t k = 0; k < payloads.size(); ++k) {
    placed.push_back({payloads[k], mj_name2id(model.get(), mjOBJ_BODY, welded[k].name.c_str())});
  }
  const TrueBase base = BaseOf(*model, robot, pi);
  return {std::move(model), robot.model.joint_names(),
          FrictionOf(pi, joints.friction, robot.model.dofs()), options,
          TrueParts{base, std::move(placed), joints.mismatch, joints.motor}};
}

}  // namespace idbench
