#include "robots/self_check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "robots/compile_robot.h"
#include "robots/dynamics/dynamics.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/mjspec.h"
#include "robots/model_reader.h"
#include "robots/physical_inertia.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

constexpr int kCheckedStates = 50;

/// Leaves rigid bodies and gravity.
void SwitchOffAllElse(mjModel& model) {
  model.opt.disableflags |=
      mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_SPRING | mjDSBL_DAMPER | mjDSBL_ACTUATION;
  model.opt.density = 0.0;
  model.opt.viscosity = 0.0;
  std::fill_n(model.body_gravcomp, model.nbody, 0.0);
  model.ngravcomp = 0;
}

/// The model as written, each body with its own inertia, without rotors; nullptr if MuJoCo refuses
/// it.
ModelPtr CompileAsWritten(const Robot& robot) {
  try {
    const SpecPtr spec = ParseModel(robot.file, robot.part).spec;
    // Not in the compiled model, which keeps the constant part of its mass matrix.
    for (mjsElement* joint : Elements(spec.get(), mjOBJ_JOINT)) mjs_asJoint(joint)->armature = 0.0;
    return Compile(spec.get(), robot.file);
  } catch (const ConfigError&) {
    return nullptr;
  }
}

double WorstError(const Robot& robot, const mjModel& model, const Eigen::VectorXd& pi) {
  const ModelTree tree = ReadTree(model, robot.name);
  const DataPtr data(mj_makeData(&model));
  const Dynamics dynamics(robot.model);
  Dynamics::Scratch scratch(dynamics);
  const FixedStates states = MakeFixedStates(robot.model, kCheckedStates, StateSet::kSelfCheck);
  Eigen::MatrixXd tau(kCheckedStates, dynamics.dofs());
  dynamics.InverseDynamics(pi, states.samples(), scratch, tau);
  if (!tau.allFinite()) return std::numeric_limits<double>::infinity();
  double worst = 0.0;
  for (Eigen::Index k = 0; k < kCheckedStates; ++k) {
    for (Eigen::Index i = 0; i < tau.cols(); ++i) {
      const int joint = tree.joint_ids[static_cast<std::size_t>(i)];
      data->qpos[model.jnt_qposadr[joint]] = states.q(k, i);
      data->qvel[model.jnt_dofadr[joint]] = states.qd(k, i);
      data->qacc[model.jnt_dofadr[joint]] = states.qdd(k, i);
    }
    mj_inverse(&model, data.get());
    double error = 0.0;
    double greatest = 0.0;
    for (Eigen::Index i = 0; i < tau.cols(); ++i) {
      const int joint = tree.joint_ids[static_cast<std::size_t>(i)];
      const double theirs = data->qfrc_inverse[model.jnt_dofadr[joint]];
      error = std::max(error, std::abs(tau(k, i) - theirs));
      greatest = std::max(greatest, std::abs(theirs));
    }
    if (error > 0.0) worst = std::max(worst, error / greatest);
  }
  return worst;
}

}  // namespace

SelfCheckResult SelfCheck(const Robot& robot) {
  Eigen::VectorXd pi = robot.FindSet("")->pi;
  pi.tail(ParameterLayout(robot.model).term_count()).setZero();
  SelfCheckResult result;
  result.states = kCheckedStates;
  ModelPtr model = CompileAsWritten(robot);
  if (!model) {
    PhysicalParameters physical = MakePhysical(robot.model, pi);
    pi = std::move(physical.pi);
    result.repaired = std::move(physical.changed);
    model = CompileRobot(robot, pi);
  }
  SwitchOffAllElse(*model);
  result.max_relative_error = WorstError(robot, *model, pi);
  return result;
}

}  // namespace idbench
