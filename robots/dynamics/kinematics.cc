#include "robots/dynamics/kinematics.h"

#include <cassert>
#include <stdexcept>
#include <string>

namespace idbench {
namespace {

/// Pose of a link in its parent's frame at joint position q.
Pose PoseInParent(const Link& link, double q) {
  const double delta = q - link.reference;
  if (link.type == JointType::kPrismatic) {
    return {link.R0, link.p0 + delta * (link.R0 * link.axis)};
  }
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(delta, link.axis).toRotationMatrix();
  return {link.R0 * turn, link.p0 + link.R0 * (link.anchor - turn * link.anchor)};
}

}  // namespace

Pose PoseOf(const FixedFrame& frame, const std::vector<Pose>& poses) {
  if (frame.link < 0) return {frame.R_LF, frame.p_LF_L};
  const Pose& link = poses[static_cast<std::size_t>(frame.link)];
  return {link.R_BL * frame.R_LF, link.p_BL_B + link.R_BL * frame.p_LF_L};
}

FixedFrame FrameOfWrench(const RobotModel& model, int cut) {
  if (cut < 0) return {};
  const Cut& at = model.cuts()[static_cast<std::size_t>(cut)];
  return {at.link, at.R_LS, at.p_LS_L};
}

std::vector<Pose> ForwardKinematics(const RobotModel& model,
                                    const Eigen::Ref<const Eigen::VectorXd>& q) {
  if (q.size() != model.dofs()) {
    throw std::invalid_argument("ForwardKinematics: got " + std::to_string(q.size()) +
                                " joint positions, " + model.name() + " has " +
                                std::to_string(model.dofs()) + " joints");
  }
  std::vector<Pose> poses(static_cast<std::size_t>(model.dofs()));
  ForwardKinematics(model, q, poses);
  return poses;
}

void ForwardKinematics(const RobotModel& model, const Eigen::Ref<const Eigen::VectorXd>& q,
                       std::vector<Pose>& poses) {
  assert(q.size() == model.dofs() && poses.size() == model.links().size());
  for (int i = 0; i < model.dofs(); ++i) {
    const Link& link = model.link(i);
    const Pose in_parent = PoseInParent(link, q[i]);
    const Pose parent = link.parent < 0 ? Pose{} : poses[static_cast<std::size_t>(link.parent)];
    poses[static_cast<std::size_t>(i)] = {parent.R_BL * in_parent.R_BL,
                                          parent.p_BL_B + parent.R_BL * in_parent.p_BL_B};
  }
}

Eigen::MatrixXd PointJacobian(const RobotModel& model, const Eigen::Ref<const Eigen::VectorXd>& q,
                              int link, const Eigen::Vector3d& p_LP_L) {
  const std::vector<Pose> poses = ForwardKinematics(model, q);
  if (link < 0 || link >= model.dofs()) {
    throw std::invalid_argument("PointJacobian: got link " + std::to_string(link) + ", " +
                                model.name() + " has links 0 to " +
                                std::to_string(model.dofs() - 1));
  }
  Eigen::MatrixXd J(6, model.dofs());
  PointJacobian(model, poses, link, p_LP_L, J);
  return J;
}

void PointJacobian(const RobotModel& model, const std::vector<Pose>& poses, int link,
                   const Eigen::Vector3d& p_LP_L, Eigen::Ref<Eigen::MatrixXd> J) {
  assert(link >= 0 && link < model.dofs() && J.rows() == 6 && J.cols() == model.dofs());
  const Pose& own = poses[static_cast<std::size_t>(link)];
  const Eigen::Vector3d p_BP_B = own.p_BL_B + own.R_BL * p_LP_L;
  J.setZero();
  for (int i = link; i >= 0; i = model.link(i).parent) {
    const Pose& pose = poses[static_cast<std::size_t>(i)];
    const Eigen::Vector3d axis = pose.R_BL * model.link(i).axis;
    if (model.link(i).type == JointType::kPrismatic) {
      J.col(i).head<3>() = axis;
    } else {
      const Eigen::Vector3d p_BA_B = pose.p_BL_B + pose.R_BL * model.link(i).anchor;
      J.col(i).head<3>() = axis.cross(p_BP_B - p_BA_B);
      J.col(i).tail<3>() = axis;
    }
  }
}

}  // namespace idbench
