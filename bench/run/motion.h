#pragma once

#include <Eigen/Core>

#include "robots/robot.h"
#include "scenarios/options/json_fwd.h"

namespace idbench {

/// Returns what a line of `series/motions.jsonl` says of a robot, without time (see TrialTraces):
/// gravity, joints, the frames of its StickFigure, and of each instant the joint positions and
/// those frames, with 4 decimals.
/// @param q  joint positions, one instant per row [rad or m].
Json MotionOf(const Robot& robot, const Eigen::MatrixXd& q);

}  // namespace idbench
