#include "robots/export_robot.h"

#include <fmt/format.h>

#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/edited_model.h"
#include "robots/mjspec.h"
#include "robots/model_reader.h"
#include "robots/robot_file.h"
#include "robots/written_model.h"

namespace idbench {
namespace {

constexpr Eigen::Index kComparedStates = 20;
constexpr double kSameTorque = 1e-9;

/// Joint torques and base wrench of the bodies alone on fixed states.
Eigen::MatrixXd RigidBodyRows(const RobotModel& model, Eigen::VectorXd pi) {
  const ParameterLayout layout(model);
  pi.tail(layout.term_count()).setZero();
  const Dynamics dynamics(model);
  Dynamics::Scratch scratch(dynamics);
  const FixedStates states = MakeFixedStates(model, kComparedStates, StateSet::kWrittenModel);
  Eigen::MatrixXd rows(kComparedStates, model.dofs() + 6);
  dynamics.InverseDynamics(pi, states.samples(), scratch, rows.leftCols(model.dofs()));
  dynamics.BaseWrench(pi, states.samples(), scratch, rows.rightCols(6));
  return rows;
}

}  // namespace

RobotExport ExportRobot(const Robot& robot, const ParameterSet& set,
                        std::optional<ModelFormat> format) {
  RobotExport files;
  ParameterSet described = set;
  const ModelFormat own = CheckModelText(robot.file);
  if (format.value_or(own) == own) {
    files.model_name = robot.file.filename();
    files.model = EditedModel(robot, set.pi, files.notes);
  } else {
    const bool urdf = *format == ModelFormat::kUrdf;
    files.model_name = robot.file.stem().string() + (urdf ? ".urdf" : ".xml");
    files.model = urdf ? WrittenUrdf(robot.model, set.pi) : WrittenMjcf(robot.model, set.pi);
    if (urdf) described.pi = InUrdfFrames(robot.model, set.pi);
    files.notes.push_back(
        fmt::format("written anew as {}, without geometry: the robot's file is {}",
                    urdf ? "URDF" : "MJCF", urdf ? "MJCF" : "URDF"));
  }
  files.description =
      ToText(DescribeRobot(robot.model, described, files.model_name, robot.title + ", identified"));
  return files;
}

void CheckExport(const std::filesystem::path& model_file, const Robot& robot,
                 const ParameterSet& set) {
  const SpecPtr spec = ParseModel(model_file, robot.part).spec;
  const RobotDescription read = ReadRobot(spec.get(), robot.name, model_file);
  std::string what;
  if (read.model.joint_names() != robot.model.joint_names()) {
    what = "its joints are others, or in another order";
  } else {
    const Eigen::MatrixXd wanted = RigidBodyRows(robot.model, set.pi);
    const double error = (RigidBodyRows(read.model, read.pi) - wanted).cwiseAbs().maxCoeff();
    if (error <= kSameTorque * wanted.cwiseAbs().maxCoeff()) return;
    what = fmt::format("its torques differ by up to {:.2g} N·m", error);
  }
  throw ConfigError(model_file.string(), "",
                    "the export does not load as the robot that it was made from: " + what,
                    {"--export-format writes the robot anew in the other format"});
}

}  // namespace idbench
