#pragma once

#include <mujoco/mujoco.h>

#include <Eigen/Core>

#include "robots/dynamics/dynamics.h"
#include "robots/model_reader.h"

namespace idbench {

/// Leaves rigid bodies, gravity, rotor inertias and damping of joints of a compiled model: no
/// contacts, limits, springs, actuators, medium or compensation of gravity.
/// @param frictionloss  whether friction losses count too, as the soft constraints they are.
void LeaveJointsAlone(mjModel& model, bool frictionloss = false);

/// Returns the joint torques that MuJoCo's mj_inverse has at states of a robot, N × n [N·m or N].
/// @param tree     of `model`; its links are the columns.
/// @param samples  N states.
Eigen::MatrixXd MujocoTorques(const mjModel& model, const ModelTree& tree,
                              const StateSamples& samples);

}  // namespace idbench
