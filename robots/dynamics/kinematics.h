#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <vector>

#include "robots/dynamics/model.h"

namespace idbench {

/// Pose of a frame L in the base frame B: axes R_BL and origin p_BL_B [m].
struct Pose {
  Eigen::Matrix3d R_BL = Eigen::Matrix3d::Identity();
  Eigen::Vector3d p_BL_B = Eigen::Vector3d::Zero();
};

/// Greatest radius of a cylinder that stands for a link [m]: a number in mm lies above it.
inline constexpr double kWidestLink = 2.0;

/// Frame F fixed to a link L, or to the base (−1).
struct FixedFrame {
  int link = -1;
  Eigen::Matrix3d R_LF = Eigen::Matrix3d::Identity();
  Eigen::Vector3d p_LF_L = Eigen::Vector3d::Zero();
};

/// Returns the pose of F in the base frame. @param poses  of all links.
Pose PoseOf(const FixedFrame& frame, const std::vector<Pose>& poses);

/// Returns the frame in which the wrench of an equation is measured: that of the cut, or the base.
/// @param cut  index into RobotModel::cuts(); −1: the wrench on the base.
FixedFrame FrameOfWrench(const RobotModel& model, int cut);

/// Returns the poses of all links' frames in the base frame at q, n [rad or m].
/// @throws std::invalid_argument if q does not have the model's size.
std::vector<Pose> ForwardKinematics(const RobotModel& model,
                                    const Eigen::Ref<const Eigen::VectorXd>& q);

/// As above, without allocating; sizes are asserted.
/// @param[out] poses  n, overwritten.
void ForwardKinematics(const RobotModel& model, const Eigen::Ref<const Eigen::VectorXd>& q,
                       std::vector<Pose>& poses);

/// Returns the geometric Jacobian J (6 × n, rows v then ω) of a point fixed to link `link`: (v, ω)
/// = J·q̇ in base axes, v of the point.
/// @param p_LP_L  the point in the link's frame [m].
/// @throws std::invalid_argument if q does not have the model's size or there is no such link.
Eigen::MatrixXd PointJacobian(const RobotModel& model, const Eigen::Ref<const Eigen::VectorXd>& q,
                              int link, const Eigen::Vector3d& p_LP_L);

/// As above, from the poses of all links, without allocating; sizes are asserted.
/// @param[out] J  6 × n, overwritten.
void PointJacobian(const RobotModel& model, const std::vector<Pose>& poses, int link,
                   const Eigen::Vector3d& p_LP_L, Eigen::Ref<Eigen::MatrixXd> J);

}  // namespace idbench
