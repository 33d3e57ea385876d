#include "estimators/walkers/first_link.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>
#include <string_view>

#include "estimators/interface/estimate.h"

namespace idbench {
namespace {

/// Lengths [m] and sines below this are round-off of a model file.
constexpr double kModelRoundOff = 1e-9;

void CheckOnFirstLink(const RobotModel& model, int link, std::string_view what) {
  if (link == 0) return;
  Refuse(
      fmt::format("the {} is on link '{}'; on the first link, '{}', it would tell the absolute "
                  "angle",
                  what, model.link(link).name, model.link(0).name));
}

}  // namespace

FirstLink::FirstLink(const RobotModel& model) : gravity_(model.gravity().norm()) {
  const Link& link = model.link(0);
  axis_ = link.axis;
  // At q1 = reference up is R0ᵀ·z; from there the link turns under it.
  const Eigen::Vector3d up = link.R0.transpose() * (-model.gravity() / gravity_);
  const Eigen::Vector3d across = up.cross(axis_);
  const double sine = std::sin(link.reference), cosine = std::cos(link.reference);
  // Rot(axis, −δ)·up = cos δ·up + sin δ·(up × axis), δ = q1 − reference.
  up_.row(0) = (cosine * across + sine * up).transpose();
  up_.row(1) = (cosine * up - sine * across).transpose();
}

FirstLink FirstLink::WithImu(const RobotModel& model) {
  if (!model.imu()) Refuse("the robot has no IMU: declare /robot/imu");
  CheckOnFirstLink(model, model.imu()->link, "IMU");
  FirstLink link(model);
  const Eigen::Vector3d arm = model.imu()->p_LS_L - model.link(0).anchor;
  link.place_ = link.up_ * arm;
  link.lever_ = link.up_ * link.axis_.cross(arm);
  return link;
}

FirstLink FirstLink::WithDistanceMeter(const RobotModel& model) {
  if (!model.distance_meter())
    Refuse("the robot has no distance meter: declare /robot/distance_meter");
  CheckOnFirstLink(model, model.distance_meter()->link, "distance meter");
  FirstLink link(model);
  const Link& first = model.link(0);
  const double height = -model.gravity().dot(first.p0 + first.R0 * first.anchor) / link.gravity_;
  if (!(std::abs(height) <= kModelRoundOff)) {
    Refuse(
        fmt::format("the distance meter's link turns {:.3g} m above the ground; on the ground it "
                    "would tell the absolute angle",
                    height));
  }
  link.place_ = link.up_ * (model.distance_meter()->p_LS_L - first.anchor);
  link.optical_axis_ = link.up_ * model.distance_meter()->axis_L;
  return link;
}

Eigen::Matrix2Xd FirstLink::AlongUp(const Eigen::Matrix3Xd& reading) const { return up_ * reading; }

Eigen::RowVectorXd FirstLink::Rate(const Eigen::Matrix3Xd& reading) const {
  return axis_.transpose() * reading;
}

Eigen::Vector2d FirstLink::AlongUpSigma(const Eigen::Vector3d& sigma) const {
  return (up_ * sigma.asDiagonal()).rowwise().norm();
}

double FirstLink::RateSigma(const Eigen::Vector3d& sigma) const {
  return axis_.cwiseProduct(sigma).norm();
}

Eigen::Vector2d FirstLink::Force(const AbsoluteAngle& angle) const {
  return angle.acceleration * lever_ - angle.rate * angle.rate * place_ +
         gravity_ * Eigen::Vector2d(angle.sine, angle.cosine);
}

Eigen::Vector2d FirstLink::SineAndCosine(const Eigen::Vector2d& force, double rate,
                                         double acceleration) const {
  return (force - acceleration * lever_ + rate * rate * place_) / gravity_;
}

double FirstLink::Distance(double q1) const {
  const Eigen::Vector2d up(std::sin(q1), std::cos(q1));
  return -place_.dot(up) / optical_axis_.dot(up);
}

double FirstLink::DistanceSlope(double q1) const {
  const Eigen::Vector2d up(std::sin(q1), std::cos(q1)), turned(up[1], -up[0]);
  const double along = optical_axis_.dot(up);
  return (place_.dot(up) * optical_axis_.dot(turned) - place_.dot(turned) * along) /
         (along * along);
}

double FirstLink::Angle(double distance) const {
  // The light's end s + d·e is on the ground: (s + d·e)·up = 0.
  const Eigen::Vector2d end = place_ + distance * optical_axis_;
  Eigen::Vector2d up(-end[1], end[0]);
  if (place_.dot(up) < 0.0) up = -up;
  return std::atan2(up[0], up[1]);
}

}  // namespace idbench
