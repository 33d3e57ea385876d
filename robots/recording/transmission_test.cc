#include "robots/recording/transmission.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <utility>

namespace idbench {
namespace {

/// A wrist whose second motor turns with both joints, and an offset.
Transmission Wrist() {
  Eigen::Matrix2d N;
  N << 45.0, 0.0,  //
      32.0, -32.0;
  return {N, Eigen::Vector2d(0.5, -1.0)};
}

Dataset Motors() {
  const Transmission wrist = Wrist();
  Eigen::MatrixXd q(3, 2), tau(3, 2);
  q << 0.5, -1.0, 0.7, -0.2, -0.3, 2.0;
  tau << 1.0, 0.0, 0.0, 2.0, -0.5, 0.25;
  const Eigen::VectorXd time = Eigen::Vector3d(0.0, 0.1, 0.2);
  Dataset dataset("log", Role::kIdentification);
  const auto add = [&](const char* name, const Eigen::MatrixXd& samples) {
    Channel channel;
    channel.name = name;
    channel.time_s = time;
    channel.samples = samples;
    dataset.Add(std::move(channel));
  };
  add("motor_position", (q.rowwise() - wrist.offset.transpose()) * wrist.N.transpose());
  add("motor_torque", tau);
  return dataset;
}

TEST_CASE("Joints are derived from motors, with the power of the motors") {
  const Dataset motors = Motors();
  const Dataset with = ThroughTransmission(motors, Wrist());
  const Channel& q = with.Get("joint_position");
  CHECK(q.origin == Origin::kMeasured);
  CHECK(q.unit == "rad");
  Eigen::MatrixXd expected(3, 2);
  expected << 0.5, -1.0, 0.7, -0.2, -0.3, 2.0;
  CHECK((q.samples - expected).norm() < 1e-14);
  CHECK(motors.Get("motor_position").samples.row(0).isZero(0.0));  // at the offset
  const Channel& tau = with.Get("joint_torque");
  // The second motor loads both joints.
  CHECK(tau.samples.row(0) == Eigen::RowVector2d(45.0, 0.0));
  CHECK(tau.samples.row(1) == Eigen::RowVector2d(64.0, -64.0));
  const Eigen::RowVector2d dq = q.samples.row(2) - q.samples.row(1);
  const Eigen::RowVector2d dq_m =
      motors.Get("motor_position").samples.row(2) - motors.Get("motor_position").samples.row(1);
  CHECK(tau.samples.row(2).dot(dq) ==
        doctest::Approx(motors.Get("motor_torque").samples.row(2).dot(dq_m)));
  CHECK(with.channels().size() == 4);
}

TEST_CASE("What a recording has of the joints stays as it is") {
  Dataset dataset = Motors();
  Channel measured = dataset.Get("motor_position");
  measured.name = "joint_position";
  measured.samples.setOnes();
  dataset.Add(measured);
  const Dataset with = ThroughTransmission(dataset, Wrist());
  CHECK(with.Get("joint_position").samples == measured.samples);
  CHECK(with.Get("joint_position").origin == Origin::kMeasured);
}

TEST_CASE("A transmission without an inverse, or for other motors, is refused") {
  CHECK_THROWS_WITH_AS(
      ThroughTransmission(Motors(), {Eigen::Matrix2d::Ones(), Eigen::Vector2d::Zero()}),
      doctest::Contains("has no inverse"), std::invalid_argument);
  CHECK_THROWS_WITH_AS(
      ThroughTransmission(Motors(), {Eigen::Matrix3d::Identity(), Eigen::Vector3d::Zero()}),
      doctest::Contains("has 2 columns for 3 motors"), std::invalid_argument);
}

}  // namespace
}  // namespace idbench
