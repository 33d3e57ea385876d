#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "robots/collision_options.h"
#include "robots/cut_options.h"
#include "robots/log_columns.h"
#include "robots/robot.h"
#include "robots/term_options.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// File beside a model for what MJCF and URDF cannot express.
inline constexpr std::string_view kRobotFile = "robot.json";

/// Inertia of a body: mass, centre of mass in the body frame, and (Ixx, Iyy, Izz, Ixy, Ixz, Iyz)
/// about the centre of mass in body axes.
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
  Labelled<double> terms;  ///< Of the robot's own terms, by name; 0 of those that are missing.
};
FieldTable Visit(RobotFileSet& set);

struct RobotFileLimits {
  std::optional<double> velocity_limit_rad_s;
  std::optional<double> acceleration_limit_rad_s2;
};
FieldTable Visit(RobotFileLimits& limits);

/// Motors and the gears and couplings between them and the joints, see Transmission.
struct RobotFileTransmission {
  std::vector<std::string> motors;          ///< Names; empty: motor1, motor2 …
  std::vector<std::vector<double>> matrix;  ///< N, a row for each motor.
  std::vector<double> offset_rad;           ///< q₀, one for each joint; empty: 0.
};
FieldTable Visit(RobotFileTransmission& transmission);

/// Contents of a robot.json.
struct RobotFile {
  std::string name, title, model, nominal_set, limits_source, kinematics_source;
  Labelled<RobotFileLimits> joints;
  /// For each motor the joints that it drives and their torque per torque of the motor (a column of
  /// B); absent: one motor on each joint.
  std::optional<Labelled<Labelled<double>>> actuators;
  std::optional<RobotFileTransmission> transmission;  ///< In place of `actuators`, B = Nᵀ.
  ForceTorqueSensors force_torque_sensors;            ///< By name.
  std::vector<TermOptions> terms;                     ///< Beside fv, fc, fo and ia of each joint.
  std::optional<CollisionOptions> collision;          ///< Absent: see SpheresOfGeoms().
  std::optional<LogColumns> log;                      ///< Of the robot's own logs.
  Labelled<RobotFileSet> sets;
};
FieldTable Visit(RobotFile& file);

/// Reads and checks a robot.json.
/// @throws ConfigError if the file cannot be read, or a field has a value that it does not accept.
RobotFile ReadRobotFile(const std::filesystem::path& file);

/// Describes a robot with one parameter set, its nominal one: limits and the set.
/// @param model  name of the model file beside it.
/// @param stated_velocity  limits of velocity that this file states itself, n [rad/s or m/s], as
///                         UrdfVelocityLimits(): those of the robot that are the same are left out.
RobotFile DescribeRobot(const RobotModel& robot, const ParameterSet& set, const std::string& model,
                        const std::string& title, const Eigen::VectorXd& stated_velocity);

/// Returns the file as text without absent fields; ReadRobotFile() reads it back bit for bit.
std::string ToText(RobotFile file);

}  // namespace idbench
