#include "robots/export/export_robot.h"

#include <fmt/format.h>

#include <limits>

#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/export/edited_model.h"
#include "robots/export/export_check.h"
#include "robots/export/written_model.h"
#include "robots/mjspec.h"
#include "robots/model_reader.h"
#include "robots/robot_file.h"
#include "robots/urdf_limits.h"

namespace idbench {
namespace {

constexpr Eigen::Index kComparedStates = 20;

/// Joint torques on fixed states, and the base wrench or zeros.
Eigen::MatrixXd RowsOf(const RobotModel& model, const Eigen::VectorXd& pi, bool base) {
  const Dynamics dynamics(model);
  Dynamics::Scratch scratch(dynamics);
  const FixedStates states = MakeFixedStates(model, kComparedStates, StateSet::kWrittenModel);
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(kComparedStates, model.dofs() + 6);
  dynamics.InverseDynamics(pi, states.samples(), scratch, rows.leftCols(model.dofs()));
  if (base) dynamics.BaseWrench(pi, states.samples(), scratch, rows.rightCols(6));
  return rows;
}

/// Those of the bodies alone.
Eigen::MatrixXd RigidBodyRows(const RobotModel& model, Eigen::VectorXd pi, bool base) {
  pi.tail(ParameterLayout(model).term_count()).setZero();
  return RowsOf(model, pi, base);
}

/// What differs; "" if nothing does.
std::string Difference(const RobotModel& read, const Eigen::MatrixXd& rows, const RobotModel& model,
                       const Eigen::MatrixXd& wanted) {
  if (read.joint_names() != model.joint_names()) {
    return "its joints are others, or in another order";
  }
  const double error = (rows - wanted).cwiseAbs().maxCoeff();
  if (error <= kSameTorque * wanted.cwiseAbs().maxCoeff()) return "";
  return fmt::format("its torques differ by up to {:.2g} N·m", error);
}

/// Velocity limits that an exported model file states: an edited one has its own, a URDF that is
/// written anew all of the robot.
Eigen::VectorXd StatedVelocities(const Robot& robot, ModelFormat own, ModelFormat exported) {
  if (exported == ModelFormat::kUrdf && own != exported) return robot.model.limits().velocity;
  const std::vector<std::string> joints = robot.model.joint_names();
  if (own == exported) return UrdfVelocityLimits(robot.file, joints);
  return Eigen::VectorXd::Constant(std::ssize(joints), std::numeric_limits<double>::infinity());
}

/// Exports a robot that is all of its file.
/// @param moved  names of the joints that are not held.
RobotExport ExportWhole(const Robot& robot, const ParameterSet& set,
                        const std::vector<std::string>& moved, std::optional<ModelFormat> format,
                        ExportedCoulomb coulomb) {
  RobotExport files;
  ParameterSet described = set;
  const ModelFormat own = CheckModelText(robot.file);
  const PassiveJoints joints = PassiveOf(robot, set.pi, moved, format.value_or(own), coulomb);
  if (format.value_or(own) == own) {
    files.model_name = robot.file.filename();
    files.model = EditedModel(robot, set.pi, joints, moved, files.notes);
  } else {
    const bool urdf = *format == ModelFormat::kUrdf;
    files.model_name = robot.file.stem().string() + (urdf ? ".urdf" : ".xml");
    files.model =
        urdf ? WrittenUrdf(robot.model, set.pi, joints) : WrittenMjcf(robot.model, set.pi, joints);
    if (urdf) described.pi = InUrdfFrames(robot.model, set.pi);
    files.notes.push_back(
        fmt::format("written anew as {}, without geometry: the robot's file is {}",
                    urdf ? "URDF" : "MJCF", urdf ? "MJCF" : "URDF"));
  }
  if (!joints.note.empty()) files.notes.push_back(joints.note);
  if (const std::string also = StillCounted(robot.file);
      !also.empty() && format.value_or(own) == own) {
    files.notes.push_back(also);
  }
  files.notes.insert(files.notes.end(), joints.warnings.begin(), joints.warnings.end());
  RobotFile description =
      DescribeRobot(robot.model, described, files.model_name, robot.title + ", identified",
                    StatedVelocities(robot, own, format.value_or(own)));
  if (!robot.log.empty()) description.log = robot.log;
  files.description = ToText(std::move(description));
  return files;
}

/// Refuses a part whose root is not in a file that is written anew.
void CheckRoot(const Robot& whole, const std::string& root, std::optional<ModelFormat> format) {
  const LinkBody* const body = FindBody(whole, root);
  if (body == nullptr || body->carries_frame || !format) return;
  if (*format == CheckModelText(whole.file)) return;
  const std::string& link = whole.model.BodyName(body->link);
  throw ConfigError(
      whole.file.string(), root,
      fmt::format("the root is fixed to {}, and a file that is written anew has links alone", link),
      {fmt::format("export the file's own format, or name {} as the root", link)});
}

}  // namespace

RobotExport ExportRobot(const Robot& robot, const ParameterSet& set,
                        std::optional<ModelFormat> format, LockedBodies locked,
                        ExportedCoulomb coulomb) {
  const std::vector<std::string> moved = robot.model.joint_names();
  if (!IsReduced(robot)) return ExportWhole(robot, set, moved, format, coulomb);
  const IdentifiedWhole whole = IntoWhole(robot, set.pi, locked);
  CheckRoot(whole.robot, robot.part.root, format);
  RobotExport files =
      ExportWhole(whole.robot, {set.name, set.source, set.note, whole.pi}, moved, format, coulomb);
  files.notes.insert(files.notes.end(), whole.notes.begin(), whole.notes.end());
  return files;
}

void CheckExport(const std::filesystem::path& model_file, const Robot& robot,
                 const ParameterSet& set) {
  const std::vector<std::string> cure = {
      "--export-format writes the robot anew in the other format"};
  const SpecPtr spec = ParseModel(model_file, robot.part).spec;
  const RobotDescription read = ReadRobot(spec.get(), robot.name, model_file);
  // The base of a part may have another frame where the file is written anew.
  const bool base = !IsReduced(robot) || CheckModelText(model_file) == CheckModelText(robot.file);
  const std::string what = Difference(read.model, RigidBodyRows(read.model, read.pi, base),
                                      robot.model, RigidBodyRows(robot.model, set.pi, base));
  if (!what.empty()) {
    throw ConfigError(model_file.string(), "",
                      "the export does not load as the robot that it was made from: " + what, cure);
  }
  const Robot again = LoadRobot(model_file, robot.part);
  if (again.nominal_set != set.name) return;  // no robot.json of the export
  const std::string described =
      Difference(again.model, RowsOf(again.model, again.FindSet("")->pi, base), robot.model,
                 RowsOf(robot.model, set.pi, base));
  if (described.empty()) return;
  throw ConfigError(
      model_file.string(), "",
      "its robot.json does not describe the robot that it was made from: " + described);
}

}  // namespace idbench
