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
#include "robots/mujoco_torques.h"
#include "robots/physical_inertia.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

constexpr int kCheckedStates = 50;

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
  const Dynamics dynamics(robot.model);
  Dynamics::Scratch scratch(dynamics);
  const FixedStates states = MakeFixedStates(robot.model, kCheckedStates, StateSet::kSelfCheck);
  Eigen::MatrixXd tau(kCheckedStates, dynamics.dofs());
  dynamics.InverseDynamics(pi, states.samples(), scratch, tau);
  if (!tau.allFinite()) return std::numeric_limits<double>::infinity();
  const Eigen::MatrixXd theirs = MujocoTorques(model, tree, states.samples());
  double worst = 0.0;
  for (Eigen::Index k = 0; k < kCheckedStates; ++k) {
    const double error = (tau.row(k) - theirs.row(k)).cwiseAbs().maxCoeff();
    if (error > 0.0) worst = std::max(worst, error / theirs.row(k).cwiseAbs().maxCoeff());
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
  LeaveJointsAlone(*model);
  model->opt.disableflags |= mjDSBL_DAMPER;
  result.max_relative_error = WorstError(robot, *model, pi);
  return result;
}

}  // namespace idbench
