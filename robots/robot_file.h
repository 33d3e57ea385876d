#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "robots/robot.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// The file beside a model that holds what MJCF and URDF have no place for.
inline constexpr std::string_view kRobotFile = "robot.json";

struct RobotFileBody {
  double mass_kg = 0.0;
  std::vector<double> com_m = {0.0, 0.0, 0.0};
  std::vector<double> inertia_com_kgm2 = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
};
FieldTable Visit(RobotFileBody& body);

struct RobotFileJoint {
  double viscous_nms_rad = 0.0;
  double coulomb_nm = 0.0;
  double offset_nm = 0.0;
  double rotor_inertia_kgm2 = 0.0;
};
FieldTable Visit(RobotFileJoint& joint);

struct RobotFileSet {
  std::string source;
  std::string note;
  Labelled<RobotFileBody> bodies;
  Labelled<RobotFileJoint> joints;
};
FieldTable Visit(RobotFileSet& set);

struct RobotFileLimits {
  std::optional<double> velocity_limit_rad_s;
  std::optional<double> acceleration_limit_rad_s2;
};
FieldTable Visit(RobotFileLimits& limits);

/// The contents of a robot.json.
struct RobotFile {
  std::string name, title, model, nominal_set, limits_source, kinematics_source;
  Labelled<RobotFileLimits> joints;
  /// Torque on each joint per torque of each motor, B by its columns; absent: one on each joint.
  std::optional<Labelled<Labelled<double>>> actuators;
  Labelled<RobotFileSet> sets;
};
FieldTable Visit(RobotFile& file);

/// @throws ConfigError for a file that cannot be read, or what its fields do not accept.
RobotFile ReadRobotFile(const std::filesystem::path& file);

/// What describes a robot with one parameter set, its nominal one: limits and the set.
/// @param model  name of the model file beside it.
RobotFile DescribeRobot(const RobotModel& robot, const ParameterSet& set, const std::string& model,
                        const std::string& title);

/// As text, absent fields left out; ReadRobotFile() gives the same back, to the last bit.
std::string ToText(RobotFile file);

}  // namespace idbench
