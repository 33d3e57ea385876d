#include "sim/compile_truth.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "robots/model_reader.h"
#include "sim/per_joint.h"

namespace idbench {
namespace {

/// Element of the spec with this id in the compiled model.
mjsElement* FindById(mjSpec* spec, mjtObj type, int id) {
  mjsElement* element = mjs_firstElement(spec, type);
  while (element != nullptr && mjs_getId(element) != id) element = mjs_nextElement(spec, element);
  return element;
}

void SetInertia(mjsBody& body, const CentralInertia& inertia) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(inertia.I_com);
  Eigen::Matrix3d axes = principal.eigenvectors();
  if (axes.determinant() < 0.0) axes.col(2) = -axes.col(2);
  const Eigen::Quaterniond quat(axes);
  body.explicitinertial = 1;
  body.mass = inertia.mass;
  for (int i = 0; i < 3; ++i) {
    body.ipos[i] = inertia.com[i];
    body.inertia[i] = principal.eigenvalues()[i];
  }
  body.iquat[0] = quat.w();
  body.iquat[1] = quat.x();
  body.iquat[2] = quat.y();
  body.iquat[3] = quat.z();
  body.ialt.type = mjORIENTATION_QUAT;
  body.fullinertia[0] = std::numeric_limits<double>::quiet_NaN();  // not given
}

std::string PayloadName(std::size_t k) { return fmt::format("payload/{}", k); }

/// Adds the payloads as bodies of their own, welded to their links.
void AddPayloads(mjSpec* spec, const ModelTree& tree, const std::vector<Payload>& payloads) {
  std::vector<mjsBody*> carriers;  // found first: an added body makes ids void
  for (const Payload& payload : payloads) {
    const auto link = std::ranges::find_if(tree.bodies, [&](const LinkBody& body) {
      return body.link == payload.link && body.carries_frame;
    });
    carriers.push_back(mjs_asBody(FindById(spec, mjOBJ_BODY, link->body)));
  }
  for (std::size_t k = 0; k < payloads.size(); ++k) {
    mjsBody* const body = mjs_addBody(carriers[k], nullptr);
    mjs_setName(body->element, PayloadName(k).c_str());
    SetInertia(*body, payloads[k].inertia);
  }
}

ModelPtr CompileModel(const Robot& robot, const Eigen::Ref<const Eigen::VectorXd>& pi,
                      const std::vector<Payload>& payloads) {
  const SpecPtr spec = ParseSpec(robot.file);
  const ModelTree tree = ReadTree(*Compile(spec.get(), robot.file), robot.name, robot.file);
  const ParameterLayout layout(robot.model.dofs());
  spec->compiler.inertiafromgeom = mjINERTIAFROMGEOM_AUTO;
  spec->compiler.balanceinertia = 0;
  for (const LinkBody& body : tree.bodies) {
    if (body.link < 0) continue;
    mjsBody* written = mjs_asBody(FindById(spec.get(), mjOBJ_BODY, body.body));
    // The link's frame carries all of it; what is fused into it is left with nothing.
    CentralInertia inertia;
    if (body.carries_frame) {
      inertia = FromStandard(pi.segment<kInertialCount>(layout.Body(body.link)));
    }
    SetInertia(*written, inertia);
  }
  for (int i = 0; i < robot.model.dofs(); ++i) {
    mjsJoint* joint =
        mjs_asJoint(FindById(spec.get(), mjOBJ_JOINT, tree.joint_ids[static_cast<std::size_t>(i)]));
    joint->armature = pi[layout.Joint(i, JointParameter::kRotorInertia)];
  }
  AddPayloads(spec.get(), tree, payloads);
  return Compile(spec.get(), robot.file);
}

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
  for (const LinkBody& body : ReadTree(model, robot.name, robot.file).bodies) {
    if (body.link < 0 && body.carries_frame) base.body = body.body;
  }
  return base;
}

}  // namespace

TrueRobot CompileTruth(const Robot& robot, const Eigen::Ref<const Eigen::VectorXd>& pi,
                       const MujocoPlantOptions& options, const TrueJointOptions& joints,
                       const std::vector<Payload>& payloads) {
  ModelPtr model = CompileModel(robot, pi, payloads);
  std::vector<TruePayload> placed;
  for (std::size_t k = 0; k < payloads.size(); ++k) {
    placed.push_back({payloads[k], mj_name2id(model.get(), mjOBJ_BODY, PayloadName(k).c_str())});
  }
  const TrueBase base = BaseOf(*model, robot, pi);
  return {std::move(model),
          robot.model.joint_names(),
          FrictionOf(pi, joints.friction, robot.model.dofs()),
          options,
          base,
          std::move(placed)};
}

}  // namespace idbench
