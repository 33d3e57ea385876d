#include "sim/truth/true_robot.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "robots/compile_robot.h"
#include "sim/sensors/per_joint.h"
#include "sim/truth/implicit_friction.h"

namespace idbench {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<std::string> JointNamesOf(const mjModel& model) {
  std::vector<std::string> names;
  for (int i = 0; i < model.njnt; ++i) {
    const char* name = mj_id2name(&model, mjOBJ_JOINT, i);
    names.emplace_back(name == nullptr ? "(unnamed)" : name);
  }
  return names;
}

std::vector<int> JointIds(const mjModel& model, const std::vector<std::string>& joint_names) {
  std::vector<int> ids;
  for (const std::string& name : joint_names) {
    const int id = mj_name2id(&model, mjOBJ_JOINT, name.c_str());
    if (id < 0) {
      throw std::invalid_argument(
          fmt::format("TrueRobot: the MuJoCo model has no joint '{}', but {}", name,
                      fmt::join(JointNamesOf(model), ", ")));
    }
    if (model.jnt_type[id] != mjJNT_HINGE && model.jnt_type[id] != mjJNT_SLIDE) {
      throw std::invalid_argument(
          fmt::format("TrueRobot: joint '{}' is neither hinge nor slide", name));
    }
    ids.push_back(id);
  }
  if (std::cmp_not_equal(ids.size(), model.njnt)) {
    throw std::invalid_argument(
        fmt::format("TrueRobot: {} joints are named, but the MuJoCo model has {}: {}", ids.size(),
                    model.njnt, fmt::join(JointNamesOf(model), ", ")));
  }
  return ids;
}

void CheckSize(const char* name, const Eigen::VectorXd& values, int dofs) {
  if (values.size() == dofs) return;
  throw std::invalid_argument(
      fmt::format("TrueRobot: {} friction has {} entries, expected one for each of {} joints", name,
                  values.size(), dofs));
}

int IntegratorOf(const std::string& name) {
  static constexpr std::pair<std::string_view, int> kIntegrators[] = {
      {"Euler", mjINT_EULER},
      {"RK4", mjINT_RK4},
      {"implicit", mjINT_IMPLICIT},
      {"implicitfast", mjINT_IMPLICITFAST},
      {"discrete", mjINT_DISCRETE}};
  for (const auto& [known, value] : kIntegrators) {
    if (name == known) return value;
  }
  throw std::invalid_argument(fmt::format("TrueRobot: unknown integrator '{}'", name));
}

/// Leaves rigid bodies, gravity and rotor inertia.
void SwitchOffAllElse(mjModel& model) {
  model.opt.disableflags = mjDSBL_CONSTRAINT | mjDSBL_EQUALITY | mjDSBL_FRICTIONLOSS |
                           mjDSBL_LIMIT | mjDSBL_CONTACT | mjDSBL_SPRING | mjDSBL_DAMPER |
                           mjDSBL_ACTUATION | mjDSBL_SENSOR | mjDSBL_EULERDAMP | mjDSBL_AUTORESET;
  model.opt.enableflags = 0;
  model.opt.density = 0.0;
  model.opt.viscosity = 0.0;
  std::fill_n(model.dof_damping, model.nv, 0.0);
  std::fill_n(model.dof_frictionloss, model.nv, 0.0);
  std::fill_n(model.tendon_frictionloss, model.ntendon, 0.0);
  std::fill_n(model.dof_dampingpoly, model.nv * mjNPOLY, 0.0);
  for (int i = 0; i < model.ntendon; ++i) {
    const char* const name = mj_id2name(&model, mjOBJ_TENDON, i);
    const bool is_rotor = name != nullptr && std::string_view(name).starts_with(kTermTendon);
    if (!is_rotor) model.tendon_armature[i] = 0.0;
  }
  std::fill_n(model.actuator_armature, model.nactuator, 0.0);
  std::fill_n(model.body_gravcomp, model.nbody, 0.0);
  model.ngravcomp = 0;
  model.flg_gravcomp = false;
}

}  // namespace

TrueRobot::TrueRobot(ModelPtr model, std::vector<std::string> joint_names, TrueFriction friction,
                     const MujocoPlantOptions& options, TrueParts parts)
    : model_(std::move(model)),
      joint_names_(std::move(joint_names)),
      joint_ids_(JointIds(*model_, joint_names_)),
      friction_(std::move(friction)),
      options_(options),
      parts_(std::move(parts)) {
  CheckSize("viscous", friction_.viscous, dofs());
  CheckSize("coulomb", friction_.coulomb, dofs());
  CheckSize("offset", friction_.offset, dofs());
  CheckSize("stribeck", friction_.stribeck_excess, dofs());
  CheckSize("stribeck", friction_.stribeck_velocity, dofs());
  CheckSize("load", friction_.load_coefficient, dofs());
  if (const auto why_not = WhyNotImplicit(options_, mismatch())) {
    throw std::invalid_argument("TrueRobot: " + *why_not);
  }
  InstallMujocoLogHandler();
  SwitchOffAllElse(*model_);
  if (AnyNonZero(mismatch().frictionloss_nm)) {
    model_->opt.disableflags &= ~(mjDSBL_CONSTRAINT | mjDSBL_FRICTIONLOSS);
    for (int i = 0; i < dofs(); ++i) {
      model_->dof_frictionloss[dof_address(i)] =
          mismatch().frictionloss_nm[static_cast<std::size_t>(i)];
    }
  }
  if (mismatch().tilted()) {
    Eigen::Map<Eigen::Vector3d> gravity(model_->opt.gravity);
    gravity = mismatch().Tilted(gravity);
  }
  model_->opt.timestep = options_.timestep_s;
  model_->opt.integrator = IntegratorOf(options_.integrator);
}

double TrueRobot::PositionTorque(int i, double q) const {
  double torque =
      mismatch().cogging ? mismatch().cogging->Torque(static_cast<std::size_t>(i), q) : 0.0;
  for (const CableSpring& cable : parts_.cables) {
    if (cable.joint == i) torque += cable.Torque(q);
  }
  return torque;
}

void TrueRobot::AddTermTorques(double factor, const Eigen::VectorXd& qd,
                               Eigen::VectorXd& tau) const {
  for (const TrueTerm& each : parts_.terms) {
    if (each.term.argument != TermArgument::kVelocity) continue;
    double torque = each.value * each.term.Shape(each.term.Argument(qd), friction_shape());
    if (each.term.shape != TermShape::kOne) torque *= factor;
    for (const Term::Share& share : each.term.shares) tau[share.joint] += share.factor * torque;
  }
}

void TrueRobot::AddRotorTorques(const Eigen::VectorXd& qdd, Eigen::VectorXd& tau) const {
  for (const TrueTerm& each : parts_.terms) {
    if (each.term.argument != TermArgument::kAcceleration) continue;
    const double torque = each.value * each.term.Argument(qdd);
    for (const Term::Share& share : each.term.shares) tau[share.joint] += share.factor * torque;
  }
}

const std::string& TrueRobot::JointAt(int dof_address) const {
  int i = 0;
  while (this->dof_address(i) != dof_address) ++i;
  return joint_names_[static_cast<std::size_t>(i)];
}

double TrueRobot::lower(int i) const {
  return model_->jnt_limited[JointId(i)] ? model_->jnt_range[2 * JointId(i)] : -kInfinity;
}

double TrueRobot::upper(int i) const {
  return model_->jnt_limited[JointId(i)] ? model_->jnt_range[2 * JointId(i) + 1] : kInfinity;
}

}  // namespace idbench
