#pragma once

#include <Eigen/Core>

#include "robots/dynamics/parameters/parametrisation.h"

namespace idbench {

/// Makes x = (q, q̇): the robot is known, π = π_known, and the state of its joints is unknown. Such
/// unknowns change with time; the equations of joint positions and velocities measure them.
///
/// Names are `<joint>.q` [rad or m], then `<joint>.qd` [rad/s or m/s]. FromPi() returns 0,
/// the prior's mean.
Parametrisation JointStateParametrisation(const RobotModel& model,
                                          const Eigen::Ref<const Eigen::VectorXd>& pi_known);

}  // namespace idbench
