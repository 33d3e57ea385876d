#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "sim/mismatch.h"
#include "sim/motor.h"
#include "sim/true_friction.h"

namespace idbench {

/// What the true robot's joints are like where its parameter set does not say so.
struct TrueJointOptions {
  FrictionOptions friction;
  std::optional<PerJoint> rotor_inertia_kgm2;  ///< Absent: the set's.
  MotorOptions motor;
  MismatchOptions mismatch;

  bool operator==(const TrueJointOptions&) const = default;

  /// Writes what π has a place for (fv, fc, fo, ia) into `pi` (see ParameterLayout).
  void ApplyTo(Eigen::VectorXd& pi) const;
};
/// Adds its fields to those of what it belongs to.
void AddFields(FieldTable& table, TrueJointOptions& options);

/// Lists with another length than the robot has joints.
/// @param where  JSON pointer of what has the fields.
std::vector<Issue> CheckTrueJoints(const TrueJointOptions& options, const std::string& where,
                                   const std::vector<std::string>& joints);

/// What the true joints have that is linear in no parameter of the model, in words; empty: nothing.
std::vector<std::string> BeyondModel(const TrueJointOptions& options);

}  // namespace idbench
