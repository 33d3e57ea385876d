#include "scenarios/motion/trajectory/pose.h"

#include <doctest/doctest.h>

#include "scenarios/motion/limited_robot_test.h"

namespace idbench {
namespace {

TEST_CASE("A pose has one position for each joint, each within its range, bounds included") {
  const RobotModel robot = LimitedRobot();
  std::vector<Issue> issues;
  CheckPose({-2.0, 3.0}, robot, "/q", issues);
  CHECK(issues.empty());
  CheckPose({-2.5, 3.5}, robot, "/q", issues);
  REQUIRE(issues.size() == 2);
  CHECK(issues[0].where == "/q/0");
  CHECK(issues[0].what == "got -2.5, out of the range of joint 'shoulder'");
  CHECK(issues[1].where == "/q/1");
  CHECK(issues[1].details == std::vector<std::string>{"accepted here: -3 to 3"});
  issues.clear();
  CheckPose({9.0}, robot, "/q", issues);
  REQUIRE(issues.size() == 1);  // of which joint is it?
  CHECK(issues[0].what == "got a list of 1");
  CHECK(issues[0].details ==
        std::vector<std::string>{"accepted here: one number for each of shoulder, elbow"});
}

TEST_CASE("Numbers of a list are those of the vector") {
  CHECK(ToVector({1.0, -2.0, 3.0}) == Eigen::Vector3d(1.0, -2.0, 3.0));
  CHECK(ToVector({}).size() == 0);
}

}  // namespace
}  // namespace idbench
