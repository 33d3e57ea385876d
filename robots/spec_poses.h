#pragma once

#include <mujoco/mujoco.h>

#include <Eigen/Geometry>

namespace idbench {

/// Returns the pose of a position [m] and a quaternion (w, x, y, z), which is normalised.
Eigen::Isometry3d PoseFrom(const double* pos, const double* quat);

/// Returns the pose of an element of a spec that is written like this, the orientation as `quat` or
/// in one of MuJoCo's other notations. Leaves the element as it is.
Eigen::Isometry3d PoseFrom(mjsElement* element, const double* pos, const double* quat,
                           mjsOrientation alt);

/// Returns the pose in its body of the frames around an element, which it leaves as they are.
Eigen::Isometry3d PoseOfFrames(const mjsElement* element);

}  // namespace idbench
