#pragma once

#include <Eigen/Core>

#include "estimators/walker_regressor.h"
#include "robots/dynamics/model.h"

namespace idbench {

/// What an IMU and a distance meter on the first link of a planar robot tell about its angle q1.
///
/// "Up" in the link's axes is a·sin q1 + b·cos q1, with unit vectors a and b across the joint's
/// axis; the accelerometer's reading is taken along these two:
///   f = λ·q̈1 − p·q̇1² + g·(sin q1, cos q1),
/// p the IMU's place from the joint's axis and λ its lever, both along (a, b); the gyroscope reads
/// q̇1 along the axis. A distance meter reads d = −(s·up)/(e·up) on a link that turns about a point
/// of the ground, s its place from there and e its optical axis. Source: Dolinský & Čelikovský
/// 2018, (52)-(54) and (63), which are these in other words.
class FirstLink {
 public:
  /// @throws EstimationFailure (refused) unless the model has a sensor of the asked kind on its
  ///         first link, whose axis is horizontal, and with a distance meter on the ground.
  static FirstLink WithImu(const RobotModel& model);
  static FirstLink WithDistanceMeter(const RobotModel& model);

  /// @param reading  N columns (x, y, z) [m/s²]. @return f, 2 × N.
  Eigen::Matrix2Xd AlongUp(const Eigen::Matrix3Xd& reading) const;
  /// @param reading  N columns (x, y, z) [rad/s]. @return q̇1, N.
  Eigen::RowVectorXd Rate(const Eigen::Matrix3Xd& reading) const;
  /// σ of AlongUp() and Rate() where those of the readings are given, for independent axes.
  Eigen::Vector2d AlongUpSigma(const Eigen::Vector3d& sigma) const;
  double RateSigma(const Eigen::Vector3d& sigma) const;

  /// f from the angle, and the other way round, (63).
  Eigen::Vector2d Force(const AbsoluteAngle& angle) const;
  Eigen::Vector2d SineAndCosine(const Eigen::Vector2d& force, double rate,
                                double acceleration) const;
  /// λ, p [m] and g [m/s²].
  const Eigen::Vector2d& lever() const { return lever_; }
  const Eigen::Vector2d& place() const { return place_; }
  double gravity() const { return gravity_; }

  /// d(q1) [m] and its derivative [m/rad].
  double Distance(double q1) const;
  double DistanceSlope(double q1) const;
  /// q1 [rad], of the two angles at which the meter reads `distance` the one at which it is above
  /// the ground.
  double Angle(double distance) const;

 private:
  explicit FirstLink(const RobotModel& model);

  Eigen::Matrix<double, 2, 3> up_;  ///< Rows a, b.
  Eigen::Vector3d axis_;
  double gravity_;
  Eigen::Vector2d lever_ = Eigen::Vector2d::Zero(), place_ = Eigen::Vector2d::Zero();
  Eigen::Vector2d optical_axis_ = Eigen::Vector2d::Zero();  ///< e along (a, b).
};

}  // namespace idbench
