#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "robots/dynamics/model.h"
#include "robots/dynamics/torque_map.h"
#include "robots/recording/channels.h"
#include "scenarios/options/capability.h"
#include "scenarios/options/enum_names.h"

/// The kinds of equation that idbench knows. A further one is a value, its name and a row of
/// kEquationKinds; if torques of joints are mapped to it, the row names what makes the map.
namespace idbench {

/// Kind of equation of a sample, in the order of rows.
enum class Equation : std::uint8_t {
  kTorque,
  kWrench,
  kCut,
  kEndEffector,
  kTorqueDrive,
  kCurrentDrive,
  kPwmDrive,
  kPosition,
  kVelocity,
};
template <>
inline constexpr auto kEnumNames<Equation> =
    std::to_array<EnumName<Equation>>({{Equation::kTorque, "joint_torque"},
                                       {Equation::kWrench, "base_wrench"},
                                       {Equation::kCut, "wrench"},
                                       {Equation::kEndEffector, "end_effector_wrench"},
                                       {Equation::kTorqueDrive, "motor_torque"},
                                       {Equation::kCurrentDrive, "motor_current"},
                                       {Equation::kPwmDrive, "motor_pwm"},
                                       {Equation::kPosition, "joint_position"},
                                       {Equation::kVelocity, "joint_velocity"}});

/// Equation of a kind at its place: kCut needs one, that of all other kinds follows from the kind.
struct PlacedEquation {
  // NOLINTNEXTLINE(google-explicit-constructor): a kind alone says it all, but for a cut.
  PlacedEquation(Equation of_kind, int at_cut = -1, std::vector<int> of_rows = {})
      : kind(of_kind), cut(at_cut), rows(std::move(of_rows)) {}

  Equation kind;
  int cut;  ///< Of kCut: index into RobotModel::cuts(); −1 otherwise.
  /// Its rows that count, increasing: joints, or components of a wrench. Empty: all of them.
  std::vector<int> rows;

  auto operator<=>(const PlacedEquation&) const = default;
};

/// What the rows of an equation are made of.
enum class RowsFrom : std::uint8_t {
  kTorqueRows,  ///< n rows of the joint torques' regressor.
  kWrenchRows,  ///< 6 rows of the regressor of the ground's wrench on the base.
  kCutRows,     ///< 6 rows of the regressor of the wrench at a cut, on what lies beyond it.
  kMappedRows,  ///< T(q) times the rows of the joint torques, see TorqueMap.
  /// n rows 0 = τ − B·diag(v)·gains: those of the joint torques, and of each drive gain a column
  /// that holds what the channel measured. Nothing stands on the measured side. Of duty cycles the
  /// back-EMF counts as viscous friction of the motors, see MotorOptions.
  kDriveRows,
  kStateRows,  ///< n rows that read the unknowns, see JointStateParametrisation().
};

/// All that there is to say about a kind of equation.
struct EquationInfo {
  Equation equation;
  /// Channel that holds its measured side, unless a problem names another; a row for each column.
  std::string_view channel;
  RowsFrom rows;
  std::string_view mount = kAtJoints;  ///< Place of the robot that its rows are about.
  Capabilities needs = {Capability::kStandardUnknowns};
  /// Makes T of kMappedRows.
  std::unique_ptr<TorqueMap> (*make_map)(const RobotModel& model) = nullptr;
  bool reads_velocity = false;      ///< Of kStateRows: the second half of the unknowns.
  std::string_view gain_unit = "";  ///< Of kDriveRows: of a motor's gain.
};

inline constexpr auto kEquationKinds = std::to_array<EquationInfo>({
    {.equation = Equation::kTorque,
     .channel = kJointTorque,
     .rows = RowsFrom::kTorqueRows,
     .needs = {Capability::kMotionUnknowns}},
    {.equation = Equation::kWrench,
     .channel = kBaseWrench,
     .rows = RowsFrom::kWrenchRows,
     .mount = kAtBase},
    {.equation = Equation::kCut,
     .channel = kWrenchAtCut,
     .rows = RowsFrom::kCutRows,
     .mount = kAtCut,
     .needs = {Capability::kStandardUnknowns, Capability::kForceTorqueSensor}},
    {.equation = Equation::kEndEffector,
     .channel = kEndEffectorWrench,
     .rows = RowsFrom::kMappedRows,
     .mount = kAtEndEffector,
     .needs = {Capability::kStandardUnknowns, Capability::kSixJoints},
     .make_map = MakeEndEffectorWrench},
    {.equation = Equation::kTorqueDrive,
     .channel = kMotorTorque,
     .rows = RowsFrom::kDriveRows,
     .mount = kAtMotors,
     .needs = {Capability::kStandardUnknowns, Capability::kMotorPerJoint},
     .gain_unit = "1"},
    {.equation = Equation::kCurrentDrive,
     .channel = kMotorCurrent,
     .rows = RowsFrom::kDriveRows,
     .mount = kAtMotors,
     .needs = {Capability::kStandardUnknowns, Capability::kMotorPerJoint},
     .gain_unit = "N·m/A"},
    {.equation = Equation::kPwmDrive,
     .channel = kMotorPwm,
     .rows = RowsFrom::kDriveRows,
     .mount = kAtMotors,
     .needs = {Capability::kStandardUnknowns, Capability::kMotorPerJoint},
     .gain_unit = "N·m/%"},
    {.equation = Equation::kPosition,
     .channel = kJointPosition,
     .rows = RowsFrom::kStateRows,
     .needs = {Capability::kStateUnknowns}},
    {.equation = Equation::kVelocity,
     .channel = kJointVelocity,
     .rows = RowsFrom::kStateRows,
     .needs = {Capability::kStateUnknowns},
     .reads_velocity = true},
});

/// Returns the row of an equation.
constexpr const EquationInfo& InfoOf(Equation equation) {
  return kEquationKinds[static_cast<std::size_t>(equation)];
}

/// Returns the number of rows of `equation` per sample: 6 for a wrench, `dofs` otherwise.
int RowsOf(Equation equation, int dofs);
/// Returns the number of those that count.
int RowsOf(const PlacedEquation& equation, int dofs);
/// Returns those that count, increasing.
std::vector<int> ChosenRows(const PlacedEquation& equation, int dofs);

/// Returns one equation for each kind and place, with the rows of all those in `equations`. In the
/// order of rows.
std::vector<PlacedEquation> EachRowOnce(std::vector<PlacedEquation> equations);

/// Returns equations that are defined at all states and tell the same parameters of the robot
/// apart: joint torques in place of what they are mapped to, which need not exist at singular
/// configurations, and of drives, whose gains they do not hold; and joint torques if no equation
/// contains π. In the order of rows, each row once.
std::vector<PlacedEquation> EverywhereDefined(const std::vector<PlacedEquation>& equations);

/// Returns the equations with joint torques in place of those of drives, which hold what was
/// measured among their columns. In the order of rows, each row once.
std::vector<PlacedEquation> WithoutDrives(const std::vector<PlacedEquation>& equations);

/// Returns true if an equation has rows of that source.
bool HaveRowsFrom(const std::vector<PlacedEquation>& equations, RowsFrom source);

}  // namespace idbench
