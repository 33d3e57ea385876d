#pragma once

#include <Eigen/Core>
#include <vector>

#include "robots/robot.h"
#include "sim/true_joints.h"
#include "sim/true_robot.h"

namespace idbench {

/// The robot with the values `pi` (see ParameterLayout) instead of those of its model file:
/// inertial parameters and rotor inertias go into the MuJoCo model, friction acts as a force of our
/// own.
///
/// Of `joints` it takes what `pi` has no place for; for the rest see TrueJointOptions::ApplyTo().
/// A payload is a body of its own, welded to its link. The IMU is not quite where the robot's model
/// takes it for: `imu_offset_L` beyond [m].
/// What is fixed to the world does not move; its mass counts in the base wrench alone.
/// @throws ConfigError with MuJoCo's words if it refuses a value, e.g. an inertia that no body has;
///         see MakePhysical().
TrueRobot CompileTruth(const Robot& robot, const Eigen::Ref<const Eigen::VectorXd>& pi,
                       const MujocoPlantOptions& options, const TrueJointOptions& joints = {},
                       const std::vector<Payload>& payloads = {},
                       const Eigen::Vector3d& imu_offset_L = Eigen::Vector3d::Zero());

}  // namespace idbench
