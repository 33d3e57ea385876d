#pragma once

#include <Eigen/Core>
#include <vector>

#include "robots/dynamics/model.h"

namespace idbench {

/// Cure applied virtually to a log of n joints: what joint j of the model reads. With c(j) and d(j)
/// the columns of positions and torques that it gets,
///   q_j = position_scale[c]·column_c + position_offset[j],
///   q̇_j = clock_speed·position_scale[c]·d column_c/dt,  q̈_j with clock_speed²,
///   τ_j(t) = torque_scale[d]·column_d(t + torque_delay_s).
/// Scales belong to columns, because units and signs are those of what was recorded.
struct DataChange {
  std::vector<int> position_of;         ///< c(j), n
  std::vector<int> torque_of;           ///< d(j), n
  Eigen::VectorXd position_scale;       ///< n, by column.
  Eigen::VectorXd position_offset;      ///< n, by joint [rad or m].
  Eigen::VectorXd torque_scale;         ///< n, by column.
  double torque_delay_s = 0.0;          ///< By how much torques are late, by the log's clock.
  double clock_speed = 1.0;             ///< Duration by the log's clock over the true one.
  Eigen::Vector3d gravity = {0, 0, 0};  ///< In base axes [m/s²].

  /// Returns the change that changes nothing.
  static DataChange None(const RobotModel& model);

  /// Whether both read the same states under the same gravity, so that their regressors are equal.
  bool SameRegressor(const DataChange& other) const;
};

/// Returns the robot's links under another gravity, without terms, cuts and what can be attached.
RobotModel UnderGravity(const RobotModel& model, const Eigen::Vector3d& gravity);

}  // namespace idbench
