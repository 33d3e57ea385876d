#include "robots/recording/dataset.h"

#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>

namespace idbench {
namespace {

Channel Position() {
  Channel channel;
  channel.name = kJointPosition;
  channel.unit = "rad";
  channel.time_s = Eigen::Vector3d(0.0, 0.1, 0.25);
  channel.samples = Eigen::MatrixXd::Constant(3, 2, 1.5);
  return channel;
}

TEST_CASE("A dataset gives back the channels it was given, in their order") {
  Dataset dataset("run1", Role::kValidation);
  dataset.Add(Position());
  Channel torque = Position();
  torque.name = kJointTorque;
  torque.sigma = Eigen::Vector2d(0.1, 0.2);
  dataset.Add(torque);

  CHECK(dataset.label() == "run1");
  CHECK(dataset.role() == Role::kValidation);
  REQUIRE(dataset.channels().size() == 2);
  CHECK(dataset.channels()[0].name == kJointPosition);
  CHECK(dataset.Get(kJointTorque).sigma[1] == 0.2);
  CHECK(dataset.Find(kJointPosition) == &dataset.channels()[0]);
  CHECK(dataset.Find(kMotorCurrent) == nullptr);
}

TEST_CASE("A channel that is not there is refused with the names of those that are") {
  Dataset dataset("run1", Role::kIdentification);
  CHECK_THROWS_WITH_AS(dataset.Get(kJointTorque),
                       "dataset 'run1' has no channel 'joint_torque'; its channels: none",
                       std::invalid_argument);
  dataset.Add(Position());
  CHECK_THROWS_WITH_AS(dataset.Get(kJointTorque),
                       "dataset 'run1' has no channel 'joint_torque'; its channels: joint_position",
                       std::invalid_argument);
}

TEST_CASE("A channel of a name that is there is refused") {
  Dataset dataset("run1", Role::kIdentification);
  dataset.Add(Position());
  CHECK_THROWS_WITH_AS(dataset.Add(Position()),
                       "dataset 'run1' has a channel 'joint_position' already",
                       std::invalid_argument);
}

TEST_CASE("Sizes that contradict each other are refused") {
  Dataset dataset("run1", Role::kIdentification);
  Channel channel = Position();
  channel.samples.resize(4, 2);
  CHECK_THROWS_WITH_AS(dataset.Add(channel),
                       "channel 'joint_position': 3 time stamps for 4 samples",
                       std::invalid_argument);
  channel = Position();
  channel.sigma = Eigen::Vector3d::Ones();
  CHECK_THROWS_WITH_AS(
      dataset.Add(channel),
      "channel 'joint_position': 3 declared standard deviations for 2 columns; none "
      "or one per column is accepted",
      std::invalid_argument);
  CHECK(dataset.channels().empty());
}

TEST_CASE("Time that does not increase is refused") {
  Dataset dataset("run1", Role::kIdentification);
  Channel channel = Position();
  channel.time_s[2] = 0.1;
  CHECK_THROWS_WITH_AS(dataset.Add(channel),
                       "channel 'joint_position': time does not increase: sample 1 is at 0.1 s, "
                       "sample 2 at 0.1 s",
                       std::invalid_argument);
  channel.time_s[2] = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH_AS(dataset.Add(channel), "channel 'joint_position': a time stamp is not finite",
                       std::invalid_argument);
}

TEST_CASE("Origins and roles have the names that scenarios and reports use") {
  CHECK(ToString(Origin::kMeasured) == "measured");
  CHECK(ToString(Origin::kDerived) == "derived");
  CHECK(ToString(Origin::kOracle) == "oracle");
  CHECK(ToString(Role::kIdentification) == "identification");
  CHECK(ToString(Role::kTuning) == "tuning");
  CHECK(ToString(Role::kValidation) == "validation");
}

}  // namespace
}  // namespace idbench
