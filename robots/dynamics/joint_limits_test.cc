#include "robots/dynamics/joint_limits.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "robots/robot.h"

namespace idbench {
namespace {

TEST_CASE("Joints without a limit of velocity are named") {
  const RobotModel arm = LoadRobot("planar2").model;
  CHECK(WithoutVelocityLimit(arm).empty());
  JointLimits limits = arm.limits();
  limits.velocity[1] = std::numeric_limits<double>::infinity();
  CHECK(WithoutVelocityLimit({"arm", "base", arm.links(), arm.gravity(), limits}) ==
        std::vector<std::string>{"joint2"});
}

}  // namespace
}  // namespace idbench
