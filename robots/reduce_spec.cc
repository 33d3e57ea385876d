#include "robots/reduce_spec.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>
#include <stdexcept>

#include "robots/mjspec.h"
#include "robots/spec_poses.h"

namespace idbench {
namespace {

using Isometry = Eigen::Isometry3d;

/// How a joint at that position moves its body, in the body's frame.
Isometry MotionOf(mjsElement* element, double position) {
  const mjsJoint& joint = *mjs_asJoint(element);
  Isometry motion = Isometry::Identity();
  if (joint.type != mjJNT_HINGE && joint.type != mjJNT_SLIDE) return motion;
  const double delta = position - JointUnit(joint) * joint.ref;
  if (delta == 0.0) return motion;
  const Isometry frames = PoseOfFrames(element);
  const Eigen::Vector3d axis =
      frames.linear() * Eigen::Vector3d(joint.axis[0], joint.axis[1], joint.axis[2]).normalized();
  if (joint.type == mjJNT_SLIDE) {
    motion.translation() = delta * axis;
    return motion;
  }
  const Eigen::Vector3d anchor = frames * Eigen::Vector3d(joint.pos[0], joint.pos[1], joint.pos[2]);
  motion.linear() = Eigen::AngleAxisd(delta, axis).toRotationMatrix();
  motion.translation() = anchor - motion.linear() * anchor;
  return motion;
}

/// body ← body·motion
void MoveBody(mjsBody& body, const Isometry& motion) {
  ResolveOrientation(body.element, body.quat, body.alt);
  const Isometry pose = PoseFrom(body.pos, body.quat) * motion;
  const Eigen::Quaterniond quat(pose.linear());
  for (int i = 0; i < 3; ++i) body.pos[i] = pose.translation()[i];
  body.quat[0] = quat.w();
  body.quat[1] = quat.x();
  body.quat[2] = quat.y();
  body.quat[3] = quat.z();
}

/// Takes a joint that moves its body before one that is held along to the other side of it:
/// J(q)·H = H·J′(q) with J′ = H⁻¹·J·H, so that axis and anchor turn by H⁻¹.
void TakeAlong(mjsElement* element, const Isometry& motion) {
  mjsJoint& joint = *mjs_asJoint(element);
  const Isometry frames = PoseOfFrames(element);
  const Isometry move = frames.inverse() * motion.inverse() * frames;
  const Eigen::Vector3d axis =
      move.linear() * Eigen::Vector3d(joint.axis[0], joint.axis[1], joint.axis[2]);
  const Eigen::Vector3d pos = move * Eigen::Vector3d(joint.pos[0], joint.pos[1], joint.pos[2]);
  for (int i = 0; i < 3; ++i) {
    joint.axis[i] = axis[i];
    joint.pos[i] = pos[i];
  }
}

void DeleteElement(mjSpec* spec, mjsElement* element) {
  if (mjs_delete(spec, element) != 0) {
    throw std::runtime_error(fmt::format("MuJoCo: {}", mjs_getError(spec)));
  }
}

/// Takes all from a body but its place: MuJoCo would compute the inertia of what becomes a frame,
/// and might refuse it.
void LeavePlace(mjSpec* spec, mjsBody& body) {
  while (mjsElement* const geom = mjs_firstChild(&body, mjOBJ_GEOM, 0)) DeleteElement(spec, geom);
  ResolveOrientation(body.element, body.quat, body.alt);
  body.explicitinertial = true;
  body.mass = 0.0;
  std::fill_n(body.inertia, 3, 0.0);
  std::fill_n(body.fullinertia, 6, 0.0);
  body.fullinertia[0] = std::numeric_limits<double>::quiet_NaN();  // not given
  body.ialt.type = mjORIENTATION_QUAT;
}

}  // namespace

void LeaveOut(mjSpec* spec, const PartPlan& plan) {
  if (plan.changes_nothing()) return;
  // Flexible bodies hang on bodies and joints that may be gone.
  for (mjsElement* flex : Elements(spec, mjOBJ_FLEX)) DeleteElement(spec, flex);
  for (mjsBody* body : plan.left_out) DeleteElement(spec, body->element);
}

void HoldJoints(mjSpec* spec, const PartPlan& plan) {
  for (const auto& [element, position] : plan.held) {
    mjsBody* const body = mjs_getParent(element);
    const Isometry motion = MotionOf(element, position);
    if (!motion.isApprox(Isometry::Identity(), 0.0)) {
      MoveBody(*body, motion);
      for (mjsElement* before = mjs_firstChild(body, mjOBJ_JOINT, 0); before != element;
           before = mjs_nextChild(body, before, 0)) {
        TakeAlong(before, motion);
      }
    }
    DeleteElement(spec, element);
  }
  if (plan.root == nullptr) return;
  const mjsBody* const world = mjs_findBody(spec, "world");
  for (mjsBody* above = mjs_getParent(plan.root->element); above != world;
       above = mjs_getParent(plan.root->element)) {
    LeavePlace(spec, *above);
    if (mjs_bodyToFrame(&above) == nullptr) {
      throw std::runtime_error(fmt::format("MuJoCo: {}", mjs_getError(spec)));
    }
  }
}

}  // namespace idbench
