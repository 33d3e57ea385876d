#include "sim/compile_truth.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>
#include <limits>

#include "robots/model_reader.h"

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

}  // namespace

TrueRobot CompileTruth(const Robot& robot, const Eigen::Ref<const Eigen::VectorXd>& pi,
                       const MujocoPlantOptions& options) {
  const SpecPtr spec = ParseSpec(robot.file);
  const ModelTree tree = ReadTree(*Compile(spec.get(), robot.file), robot.name, robot.file);
  const ParameterLayout layout(robot.model.dofs());
  spec->compiler.inertiafromgeom = mjINERTIAFROMGEOM_AUTO;
  spec->compiler.balanceinertia = 0;
  mjsElement* base_element = nullptr;
  for (const LinkBody& body : tree.bodies) {
    mjsElement* const element = FindById(spec.get(), mjOBJ_BODY, body.body);
    if (body.link < 0) {
      if (body.carries_frame) base_element = element;
      continue;
    }
    mjsBody* written = mjs_asBody(element);
    // The link's frame carries all of it; what is fused into it is left with nothing.
    CentralInertia inertia;
    if (body.carries_frame) {
      inertia = FromStandard(pi.segment<kInertialCount>(layout.Body(body.link)));
    }
    SetInertia(*written, inertia);
  }
  TrueFriction friction = TrueFriction::None(robot.model.dofs());
  for (int i = 0; i < robot.model.dofs(); ++i) {
    friction.viscous[i] = pi[layout.Joint(i, JointParameter::kViscous)];
    friction.coulomb[i] = pi[layout.Joint(i, JointParameter::kCoulomb)];
    friction.offset[i] = pi[layout.Joint(i, JointParameter::kOffset)];
    mjsJoint* joint =
        mjs_asJoint(FindById(spec.get(), mjOBJ_JOINT, tree.joint_ids[static_cast<std::size_t>(i)]));
    joint->armature = pi[layout.Joint(i, JointParameter::kRotorInertia)];
  }
  ModelPtr model = Compile(spec.get(), robot.file);
  const auto pi_base = pi.segment<kInertialCount>(layout.Body(-1));
  const TrueBase base{base_element == nullptr ? 0 : mjs_getId(base_element), pi_base[0],
                      pi_base.segment<3>(1)};
  return {std::move(model), robot.model.joint_names(), std::move(friction), options, base};
}

}  // namespace idbench
