#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

#include "robots/dynamics/parameters.h"
#include "sim/truth/mismatch.h"
#include "sim/truth/motor.h"
#include "sim/truth/true_friction.h"

namespace idbench {

/// Properties of the true robot's joints that its parameter set does not state.
struct TrueJointOptions {
  FrictionOptions friction;
  std::optional<PerJoint> rotor_inertia_kgm2;  ///< Absent: the set's.
  MotorOptions motor;
  MismatchOptions mismatch;

  bool operator==(const TrueJointOptions&) const = default;

  /// Writes those that π contains (fv, fc, fo, ia) into `pi` (see ParameterLayout).
  void ApplyTo(const ParameterLayout& layout, Eigen::VectorXd& pi) const;
};
/// Adds the fields to the table of the options that contain them.
void AddFields(FieldTable& table, TrueJointOptions& options);

/// Returns an issue for each list with another length than the number of joints, or of motors, and
/// for each cable where the robot has no such joint or sensor.
/// @param where  JSON pointer of the object with the fields.
/// @param cuts   names of the force/torque sensors.
std::vector<Issue> CheckTrueJoints(const TrueJointOptions& options, const std::string& where,
                                   const std::vector<std::string>& joints,
                                   const std::vector<std::string>& motors,
                                   const std::vector<std::string>& cuts = {});

/// Returns in words the effects of the true joints that are linear in no parameter of the model;
/// empty if there are none.
std::vector<std::string> BeyondModel(const TrueJointOptions& options);

/// Likewise those between what a channel of the motors measures and the joints' torques, which
/// gains do not model.
/// @param channel  "": of any.
std::vector<std::string> BeyondGains(const MotorOptions& options, std::string_view channel);

}  // namespace idbench
