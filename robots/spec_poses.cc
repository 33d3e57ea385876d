#include "robots/spec_poses.h"

#include <array>

#include "robots/mjspec.h"

namespace idbench {

Eigen::Isometry3d PoseFrom(const double* pos, const double* quat) {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.translation() << pos[0], pos[1], pos[2];
  pose.linear() =
      Eigen::Quaterniond(quat[0], quat[1], quat[2], quat[3]).normalized().toRotationMatrix();
  return pose;
}

Eigen::Isometry3d PoseFrom(mjsElement* element, const double* pos, const double* quat,
                           mjsOrientation alt) {
  std::array<double, 4> own = {quat[0], quat[1], quat[2], quat[3]};
  ResolveOrientation(element, own.data(), alt);
  return PoseFrom(pos, own.data());
}

Eigen::Isometry3d PoseOfFrames(const mjsElement* element) {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  for (mjsFrame* frame = mjs_getFrame(element); frame != nullptr;
       frame = mjs_getFrame(frame->element)) {
    pose = PoseFrom(frame->element, frame->pos, frame->quat, frame->alt) * pose;
  }
  return pose;
}

}  // namespace idbench
