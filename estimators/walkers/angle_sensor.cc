#include "estimators/walkers/angle_sensor.h"

namespace idbench {
namespace {

/// The encoders of all joints that the sensor stands for.
const WalkerSignal& Encoders(AngleSensor sensor, const WalkerRecording& recording) {
  return sensor == AngleSensor::kHallEncoder ? recording.Further(kHallPosition) : recording.q;
}

}  // namespace

std::vector<std::string_view> ChannelsOf(AngleSensor sensor) {
  switch (sensor) {
    case AngleSensor::kEncoder:
      break;
    case AngleSensor::kHallEncoder:
      return {kHallPosition};
    case AngleSensor::kDistanceMeter:
      return {kDistance};
    case AngleSensor::kImu:
    case AngleSensor::kImuAsPrinted:
      return {kAccelerometer, kGyroscope};
  }
  return {};
}

bool IsImu(AngleSensor sensor) {
  return sensor == AngleSensor::kImu || sensor == AngleSensor::kImuAsPrinted;
}

AngleReadings ReadAngle(AngleSensor sensor, const RobotModel& model,
                        const WalkerRecording& recording) {
  if (IsImu(sensor)) {
    const FirstLink link = FirstLink::WithImu(model);
    Eigen::MatrixXd y(3, recording.size());
    y << link.AlongUp(recording.Further(kAccelerometer).samples),
        link.Rate(recording.Further(kGyroscope).samples);
    return {link, std::move(y)};
  }
  if (sensor == AngleSensor::kDistanceMeter) {
    return {FirstLink::WithDistanceMeter(model), recording.Further(kDistance).samples};
  }
  return {std::nullopt, Encoders(sensor, recording).samples.row(0)};
}

Eigen::VectorXd DeclaredSigma(AngleSensor sensor, const AngleReadings& readings,
                              const WalkerRecording& recording) {
  if (IsImu(sensor)) {
    Eigen::VectorXd sigma(3);
    sigma << readings.link->AlongUpSigma(
        DeclaredSigma(recording, recording.Further(kAccelerometer))),
        readings.link->RateSigma(DeclaredSigma(recording, recording.Further(kGyroscope)));
    return sigma;
  }
  if (sensor == AngleSensor::kDistanceMeter)
    return DeclaredSigma(recording, recording.Further(kDistance));
  return Eigen::VectorXd::Constant(1, DeclaredSigmaOfAngle(recording, Encoders(sensor, recording)));
}

}  // namespace idbench
