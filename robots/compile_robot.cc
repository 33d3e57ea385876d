#include "robots/compile_robot.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
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
  body.explicitinertial = true;
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

/// Whatever the file says, which MuJoCo may refuse, is replaced by what it compiles.
void SetUnitInertias(mjSpec* spec) {
  spec->compiler.inertiafromgeom = mjINERTIAFROMGEOM_AUTO;
  spec->compiler.settotalmass = -1.0;
  const CentralInertia unit{1.0, Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity()};
  for (mjsElement* element : Elements(spec, mjOBJ_BODY)) {
    mjsBody* const body = mjs_asBody(element);
    if (body != mjs_findBody(spec, "world")) SetInertia(*body, unit);
  }
}

void AddBodies(mjSpec* spec, const ModelTree& tree, const std::vector<WeldedBody>& welded) {
  std::vector<mjsBody*> carriers;  // found first: an added body makes ids void
  for (const WeldedBody& added : welded) {
    const auto link = std::ranges::find_if(tree.bodies, [&](const LinkBody& body) {
      return body.link == added.link && body.carries_frame;
    });
    carriers.push_back(mjs_asBody(FindById(spec, mjOBJ_BODY, link->body)));
  }
  for (std::size_t k = 0; k < welded.size(); ++k) {
    mjsBody* const body = mjs_addBody(carriers[k], nullptr);
    mjs_setName(body->element, welded[k].name.c_str());
    SetInertia(*body, welded[k].inertia);
  }
}

/// Rotor inertias of the robot's own terms; its joints have their names.
void AddRotors(mjSpec* spec, const RobotModel& model, const Eigen::Ref<const Eigen::VectorXd>& pi) {
  Eigen::Index k = pi.size() - std::ssize(model.terms());
  for (const Term& term : model.terms()) {
    const double inertia = pi[k++];
    if (term.argument != TermArgument::kAcceleration || inertia == 0.0) continue;
    mjsTendon* const rotor = mjs_addTendon(spec, nullptr);
    mjs_setName(rotor->element, (std::string(kTermTendon) + term.name).c_str());
    rotor->armature = inertia;
    for (const Term::Share& share : term.shares) {
      mjs_wrapJoint(rotor, model.link(share.joint).joint.c_str(), share.factor);
    }
  }
}

}  // namespace

ModelPtr CompileRobot(const Robot& robot, const Eigen::Ref<const Eigen::VectorXd>& pi,
                      const std::vector<WeldedBody>& welded) {
  const SpecPtr spec = ParseModel(robot.file, robot.part).spec;
  SetUnitInertias(spec.get());
  const ModelTree tree = ReadTree(*Compile(spec.get(), robot.file), robot.name);
  const ParameterLayout layout(robot.model);
  for (const LinkBody& body : tree.bodies) {
    // The link's frame carries all of it; what is fused into it is left with nothing.
    CentralInertia inertia;
    if (body.carries_frame) {
      inertia = FromStandard(pi.segment<kInertialCount>(layout.Body(body.link)));
    }
    SetInertia(*mjs_asBody(FindById(spec.get(), mjOBJ_BODY, body.body)), inertia);
  }
  for (int i = 0; i < robot.model.dofs(); ++i) {
    mjsElement* const element =
        FindById(spec.get(), mjOBJ_JOINT, tree.joint_ids[static_cast<std::size_t>(i)]);
    mjs_asJoint(element)->armature = pi[layout.Joint(i, JointParameter::kRotorInertia)];
    mjs_setName(element, robot.model.link(i).joint.c_str());
  }
  AddBodies(spec.get(), tree, welded);
  AddRotors(spec.get(), robot.model, pi);
  return Compile(spec.get(), robot.file);
}

}  // namespace idbench
