#include "robots/export/export_check.h"

#include <fmt/format.h>

#include "robots/export/joint_passive.h"
#include "robots/mjspec.h"
#include "robots/model_reader.h"
#include "robots/mujoco_torques.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

/// An exported file as MuJoCo has it.
struct LoadedExport {
  LoadedExport(const std::filesystem::path& file, const Robot& robot)
      : spec(ParseModel(file, robot.part).spec),
        model(Compile(spec.get(), file)),
        tree(ReadTree(*model, robot.name)) {}

  SpecPtr spec;
  ModelPtr model;
  ModelTree tree;
};

Eigen::MatrixXd TorquesOf(const RobotModel& model, const Eigen::VectorXd& pi,
                          const FrictionShape& friction, const StateSamples& motion) {
  const Dynamics dynamics(model, friction);
  Dynamics::Scratch scratch(dynamics);
  Eigen::MatrixXd tau(motion.size(), model.dofs());
  dynamics.InverseDynamics(pi, motion, scratch, tau);
  return tau;
}

/// By idbench's own dynamics of what is read from a file.
Eigen::MatrixXd TorquesAsRead(mjSpec* spec, const std::filesystem::path& file, const Robot& robot,
                              const StateSamples& motion) {
  RobotDescription read = ReadRobot(spec, robot.name, file);
  const std::vector<JointPassive> joints = PassiveIn(spec);
  const ParameterLayout layout(read.model);
  for (int i = 0; i < read.model.dofs(); ++i) {
    const JointPassive& joint = joints[static_cast<std::size_t>(i)];
    read.pi[layout.Joint(i, JointParameter::kViscous)] = joint.damping[0];
    read.pi[layout.Joint(i, JointParameter::kRotorInertia)] = joint.armature;
  }
  return TorquesOf(read.model, read.pi, {}, motion);
}

/// @param[out] refused  MuJoCo's words if it does not load the file.
Eigen::MatrixXd TorquesOfFile(const std::filesystem::path& file, const Robot& robot,
                              const StateSamples& motion, std::string& refused) {
  try {
    const LoadedExport loaded(file, robot);
    LeaveJointsAlone(*loaded.model);
    return MujocoTorques(*loaded.model, loaded.tree, motion);
  } catch (const ConfigError& error) {
    refused = error.issues().front().what;
  }
  return TorquesAsRead(ParseModel(file, robot.part).spec.get(), file, robot, motion);
}

}  // namespace

MotionCheck CheckExportOnMotion(const std::filesystem::path& model_file, const Robot& robot,
                                const Eigen::Ref<const Eigen::VectorXd>& pi,
                                const StateSamples& motion) {
  MotionCheck check;
  const Eigen::MatrixXd theirs = TorquesOfFile(model_file, robot, motion, check.refused_by_mujoco);
  const Eigen::MatrixXd wanted = TorquesOf(
      robot.model, StatedParameters(robot.model, pi, CheckModelText(model_file)), {}, motion);
  Eigen::Index sample = 0, joint = 0;
  const double error = (theirs - wanted).cwiseAbs().maxCoeff<Eigen::PropagateNaN>(&sample, &joint);
  const double greatest = wanted.cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
  if (!(error <= kSameTorque * greatest)) {
    throw ConfigError(
        model_file.string(), robot.model.link(static_cast<int>(joint)).joint,
        fmt::format(
            "inverse dynamics of the export differs by {:.2g} N·m from the estimate (bodies, "
            "damping and armature), whose greatest torque is {:.3g} N·m",
            error, greatest),
        {"--export-format writes the robot anew in the other format"});
  }
  if (!ActuatorsThatAdd(model_file, robot.model.joint_names()).empty()) {
    throw ConfigError(model_file.string(), "",
                      "its actuators add damping or armature to joints that were identified",
                      {"give the actuators of the robot's own file none"});
  }
  check.relative_error = greatest > 0.0 ? error / greatest : 0.0;
  return check;
}

Eigen::VectorXd FrictionlossError(const std::filesystem::path& model_file, const Robot& robot,
                                  const Eigen::Ref<const Eigen::VectorXd>& pi,
                                  const FrictionShape& friction, const StateSamples& motion) {
  const LoadedExport loaded(model_file, robot);
  LeaveJointsAlone(*loaded.model);
  const Eigen::MatrixXd without = MujocoTorques(*loaded.model, loaded.tree, motion);
  LeaveJointsAlone(*loaded.model, true);
  const Eigen::MatrixXd theirs = MujocoTorques(*loaded.model, loaded.tree, motion) - without;
  const ParameterLayout layout(robot.model);
  Eigen::VectorXd coulomb = Eigen::VectorXd::Zero(pi.size());
  for (int i = 0; i < robot.model.dofs(); ++i) {
    const int k = layout.Joint(i, JointParameter::kCoulomb);
    coulomb[k] = pi[k];
  }
  const Eigen::MatrixXd ours = TorquesOf(robot.model, coulomb, friction, motion);
  return (theirs - ours).colwise().squaredNorm().transpose().array().sqrt() /
         std::sqrt(static_cast<double>(motion.size()));
}

}  // namespace idbench
