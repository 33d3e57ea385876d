#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "robots/dynamics/equations.h"
#include "robots/dynamics/model.h"
#include "scenarios/problem/problem_options.h"

/// Parts of the robot that a problem's equations are about: sensors, motors and their gains.
namespace idbench {

/// Returns the cuts of the equations of the kind kCut, increasing: indices into RobotModel::cuts().
std::vector<int> CutsOf(const std::vector<PlacedEquation>& equations);

/// Returns the channels of the wrenches at cuts and of the duty cycles in a problem's equations,
/// which scores compare with predictions as they do joint torques.
std::vector<std::string> ScoredChannels(const ProblemOptions& problem);

/// Motors whose torques follow from those of joints that have rows, u = B⁻¹·τ.
struct MotorsFromJoints {
  std::vector<int> motors;      ///< Increasing.
  Eigen::MatrixXd from_joints;  ///< Their rows of B⁻¹: motors.size() × n.
};
/// Returns those of the joints that have rows of duty cycles (kPwmDrive); none if B is singular.
MotorsFromJoints MotorsOfDutyCycles(const RobotModel& model,
                                    const std::vector<PlacedEquation>& equations);

/// Returns the gains of drives among `parameters` (indices into π).
std::vector<int> DriveGainsAmong(const RobotModel& model, const std::vector<int>& parameters);
/// Returns the motor of a gain, an index into π, and of a gain that a configuration has of its own
/// that too: "elbow", "elbow@later".
std::string MotorOfGain(const RobotModel& model, int gain);

}  // namespace idbench
