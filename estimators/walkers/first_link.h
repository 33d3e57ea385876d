#pragma once

#include <Eigen/Core>

#include "estimators/walkers/walker_regressor.h"
#include "robots/dynamics/model.h"

namespace idbench {

/// What an IMU and a distance meter on the first link of a planar robot say about its angle q1.
///
/// Let a and b be the unit vectors in the link's axes, both normal to the joint's axis, with "up" =
/// a·sin q1 + b·cos q1. The accelerometer's reading along (a, b) is
///   f = λ·q̈1 − p·q̇1² + g·(sin q1, cos q1),
/// where p is the position of the IMU relative to the joint's axis and λ its lever arm, both
/// along (a, b). The gyroscope reads q̇1 along the joint's axis. On a link that turns about a
/// point of the ground, a distance meter reads d = −(s·up)/(e·up), where s is its position
/// relative to that point and e its optical axis. Source: Dolinský & Čelikovský 2018, equivalent
/// to (52)-(54) and (63).
class FirstLink {
 public:
  /// Return the first link with its sensor. The axis of the first joint must be horizontal
  /// (not checked).
  /// @throws EstimationFailure (refused) if the model lacks the sensor or has it on another link;
  ///         with a distance meter also if the first joint's anchor is not at ground level.
  static FirstLink WithImu(const RobotModel& model);
  static FirstLink WithDistanceMeter(const RobotModel& model);

  /// Projects accelerometer readings on (a, b).
  /// @param reading  3 × N, columns (x, y, z) in the link's axes [m/s²].
  /// @return f, 2 × N [m/s²].
  Eigen::Matrix2Xd AlongUp(const Eigen::Matrix3Xd& reading) const;
  /// Projects gyroscope readings on the joint's axis.
  /// @param reading  3 × N, columns (x, y, z) in the link's axes [rad/s].
  /// @return q̇1, N [rad/s].
  Eigen::RowVectorXd Rate(const Eigen::Matrix3Xd& reading) const;
  /// Returns the σ of AlongUp() and of Rate() for readings with independent errors of standard
  /// deviation `sigma`.
  Eigen::Vector2d AlongUpSigma(const Eigen::Vector3d& sigma) const;
  double RateSigma(const Eigen::Vector3d& sigma) const;

  /// Returns f [m/s²] for a given motion of the angle.
  Eigen::Vector2d Force(const AbsoluteAngle& angle) const;
  /// Returns (sin q1, cos q1) from f [m/s²], q̇1 [rad/s] and q̈1 [rad/s²], (63). With noise the two
  /// need not belong to any angle.
  Eigen::Vector2d SineAndCosine(const Eigen::Vector2d& force, double rate,
                                double acceleration) const;
  /// Return λ [m], p [m] and g [m/s²].
  const Eigen::Vector2d& lever() const { return lever_; }
  const Eigen::Vector2d& place() const { return place_; }
  double gravity() const { return gravity_; }

  /// Return d(q1) [m] and its derivative [m/rad].
  double Distance(double q1) const;
  double DistanceSlope(double q1) const;
  /// Returns q1 [rad] for a `distance` [m]: of the two solutions the one with the meter
  /// above the ground.
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
