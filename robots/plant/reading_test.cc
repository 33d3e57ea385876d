#include "robots/plant/reading.h"

#include <doctest/doctest.h>

#include <stdexcept>

namespace idbench {
namespace {

TEST_CASE("A reading has each channel once, and refuses one that is not read") {
  Reading reading;
  reading.At("joint_position").value = Eigen::Vector2d(1.0, 2.0);
  reading.At("joint_velocity").value = Eigen::Vector2d(3.0, 4.0);
  reading.At("joint_position").t = 0.5;
  REQUIRE(reading.channels.size() == 2);
  CHECK(reading.channels[0].channel == "joint_position");
  CHECK(reading["joint_position"] == Eigen::Vector2d(1.0, 2.0));
  CHECK(reading.Find("joint_position")->t == 0.5);
  CHECK(reading["joint_velocity"] == Eigen::Vector2d(3.0, 4.0));
  CHECK(reading.Find("joint_torque") == nullptr);
  CHECK_THROWS_WITH_AS(reading["joint_torque"], "Reading: nothing reads joint_torque",
                       std::invalid_argument);
}

}  // namespace
}  // namespace idbench
