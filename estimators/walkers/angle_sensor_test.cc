#include "estimators/walkers/angle_sensor.h"

#include <doctest/doctest.h>

#include <cmath>

#include "estimators/interface/estimate_test.h"

namespace idbench {
namespace {

/// A recording with that many times the declared noise, read for that sensor.
WalkerRecording ReadFor(AngleSensor sensor, const SyntheticWalker& walker,
                        double noise_scale = 0.0) {
  return ReadWalkerData(walker.problem, std::vector{walker.Record("a", noise_scale)},
                        ChannelsOf(sensor), 9)
      .at(0);
}

TEST_CASE("A sensor needs its own channels, the first encoder none") {
  using Channels = std::vector<std::string_view>;
  CHECK(ChannelsOf(AngleSensor::kEncoder).empty());
  CHECK(ChannelsOf(AngleSensor::kHallEncoder) == Channels{kHallPosition});
  CHECK(ChannelsOf(AngleSensor::kDistanceMeter) == Channels{kDistance});
  for (const AngleSensor sensor : {AngleSensor::kImu, AngleSensor::kImuAsPrinted}) {
    CHECK(ChannelsOf(sensor) == Channels{kAccelerometer, kGyroscope});
    CHECK(IsImu(sensor));
  }
  CHECK(!IsImu(AngleSensor::kDistanceMeter));
}

TEST_CASE("Encoders read the angle itself, a distance meter and an IMU what follows from it") {
  const SyntheticWalker& walker = Biped();
  const WalkerRecording encoder = ReadFor(AngleSensor::kEncoder, walker);
  const Eigen::RowVectorXd q1 = encoder.q.samples.row(0);
  CHECK(ReadAngle(AngleSensor::kEncoder, walker.problem.model, encoder).y == q1);
  CHECK(!ReadAngle(AngleSensor::kEncoder, walker.problem.model, encoder).link);
  const WalkerRecording hall = ReadFor(AngleSensor::kHallEncoder, walker, 1.0);
  CHECK(hall.q.samples.row(0) != hall.Further(kHallPosition).samples.row(0));  // two readings
  CHECK(ReadAngle(AngleSensor::kHallEncoder, walker.problem.model, hall).y ==
        hall.Further(kHallPosition).samples.row(0));

  const WalkerRecording meter = ReadFor(AngleSensor::kDistanceMeter, walker);
  const AngleReadings distance =
      ReadAngle(AngleSensor::kDistanceMeter, walker.problem.model, meter);
  REQUIRE(distance.link);
  REQUIRE(distance.y.rows() == 1);
  for (Eigen::Index k = 0; k < q1.size(); ++k) {
    // The synthetic meter is computed in the world's axes: rounding.
    CHECK(std::abs(distance.link->Distance(q1[k]) - distance.y(0, k)) < 1e-13);
  }

  const SyntheticWalker leg = SyntheticWalker::Leg();
  const WalkerRecording imu = ReadFor(AngleSensor::kImu, leg);
  const AngleReadings readings = ReadAngle(AngleSensor::kImu, leg.problem.model, imu);
  REQUIRE(readings.link);
  CHECK(readings.y.rows() == 3);
  CHECK(readings.y.topRows(2) == readings.link->AlongUp(imu.Further(kAccelerometer).samples));
  CHECK(readings.y.row(2) == readings.link->Rate(imu.Further(kGyroscope).samples));
}

TEST_CASE("The declared σ is that of the readings, and must be there") {
  SyntheticWalker walker = Biped();
  walker.noise.hall_rad = 2.0 * walker.noise.q1_rad;
  const auto sigma = [](AngleSensor sensor, const SyntheticWalker& of) {
    const WalkerRecording recording = ReadFor(sensor, of);
    return DeclaredSigma(sensor, ReadAngle(sensor, of.problem.model, recording), recording);
  };
  CHECK(sigma(AngleSensor::kEncoder, walker) == Eigen::VectorXd::Constant(1, walker.noise.q1_rad));
  CHECK(sigma(AngleSensor::kHallEncoder, walker) ==
        Eigen::VectorXd::Constant(1, walker.noise.hall_rad));
  CHECK(sigma(AngleSensor::kDistanceMeter, walker) ==
        Eigen::VectorXd::Constant(1, walker.noise.distance_m));
  const SyntheticWalker leg = SyntheticWalker::Leg();
  // The same on all axes, and so it is along any direction.
  CHECK(sigma(AngleSensor::kImu, leg)
            .isApprox(Eigen::Vector3d(leg.noise.accelerometer_m_s2, leg.noise.accelerometer_m_s2,
                                      leg.noise.gyroscope_rad_s),
                      1e-15));
  WalkerRecording undeclared = ReadFor(AngleSensor::kDistanceMeter, walker);
  const AngleReadings readings =
      ReadAngle(AngleSensor::kDistanceMeter, walker.problem.model, undeclared);
  undeclared.further[0].sigma.resize(0);
  CHECK(Refusal([&] {
          DeclaredSigma(AngleSensor::kDistanceMeter, readings, undeclared);
        }).find("distance") != std::string::npos);
}

}  // namespace
}  // namespace idbench
