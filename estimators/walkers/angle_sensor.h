#pragma once

#include <Eigen/Core>
#include <optional>
#include <string_view>
#include <vector>

#include "estimators/walkers/first_link.h"
#include "estimators/walkers/walker_data.h"
#include "scenarios/options/enum_names.h"

namespace idbench {

/// Sensor of a walker's absolute angle q1.
enum class AngleSensor {
  kEncoder,
  kHallEncoder,    ///< It then gives all joints.
  kDistanceMeter,  ///< To the ground.
  kImu,            ///< Accelerometer and gyroscope.
  kImuAsPrinted,   ///< The same, used as in the paper: see MleOptions.
};
template <>
inline constexpr auto kEnumNames<AngleSensor> =
    std::to_array<EnumName<AngleSensor>>({{AngleSensor::kEncoder, "joint_position"},
                                          {AngleSensor::kHallEncoder, "hall_position"},
                                          {AngleSensor::kDistanceMeter, "distance"},
                                          {AngleSensor::kImu, "imu"},
                                          {AngleSensor::kImuAsPrinted, "imu_as_printed"}});

/// Returns the channels that the sensor needs beside joint_position.
std::vector<std::string_view> ChannelsOf(AngleSensor sensor);

/// Returns true if the sensor is an accelerometer with a gyroscope.
bool IsImu(AngleSensor sensor);

/// What the sensor of one recording says of the absolute angle.
struct AngleReadings {
  std::optional<FirstLink> link;  ///< That carries the sensor; nothing for an encoder.
  /// N columns. Rows: q1 [rad] of an encoder, a distance [m], or f [m/s²] and q̇1 [rad/s] of
  /// FirstLink from an IMU.
  Eigen::MatrixXd y;
};
/// @param recording  read with ChannelsOf(sensor).
/// @throws EstimationFailure (refused) as FirstLink does.
AngleReadings ReadAngle(AngleSensor sensor, const RobotModel& model,
                        const WalkerRecording& recording);

/// Returns the declared σ of the rows of `readings`, those of ReadAngle() with the same arguments.
/// @throws EstimationFailure (refused) unless all of them are declared and positive.
Eigen::VectorXd DeclaredSigma(AngleSensor sensor, const AngleReadings& readings,
                              const WalkerRecording& recording);

}  // namespace idbench
