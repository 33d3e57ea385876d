#pragma once

#include <Eigen/Core>

#include "robots/dynamics/parametrisation.h"

namespace idbench {

/// x = (q, q̇): what is unknown is not the robot, π = π_known, but how its joints stand and move.
/// Such unknowns change with time, and the equations of joint positions and velocities read them.
///
/// Names are `<joint>.q` [rad or m] and then `<joint>.qd` [rad/s or m/s]. FromPi() is 0,
/// the prior's mean.
Parametrisation JointStateParametrisation(const RobotModel& model,
                                          const Eigen::Ref<const Eigen::VectorXd>& pi_known);

}  // namespace idbench
