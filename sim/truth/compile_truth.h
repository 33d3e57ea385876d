#pragma once

#include <Eigen/Core>
#include <vector>

#include "robots/robot.h"
#include "sim/truth/true_joints.h"
#include "sim/truth/true_robot.h"

namespace idbench {

/// Compiles the robot with the values `pi` (see ParameterLayout) in place of those of its model
/// file: inertial parameters and rotor inertias go into the MuJoCo model; friction acts as a force
/// computed here.
///
/// What is fixed to the world does not move; its mass counts in the base wrench only.
/// @param joints        only what `pi` cannot express is used; TrueJointOptions::ApplyTo()
///         writes the rest.
/// @param payloads      each a separate body, welded to its link.
/// @param imu_offset_L  true position of the IMU relative to that in the robot's model [m].
/// @throws std::invalid_argument for a cable at a joint or sensor that the robot has not.
/// @throws ConfigError with MuJoCo's message if it refuses a value, e.g. an impossible inertia;
///         see MakePhysical().
TrueRobot CompileTruth(const Robot& robot, const Eigen::Ref<const Eigen::VectorXd>& pi,
                       const MujocoPlantOptions& options, const TrueJointOptions& joints = {},
                       const std::vector<Payload>& payloads = {},
                       const Eigen::Vector3d& imu_offset_L = Eigen::Vector3d::Zero());

}  // namespace idbench
