#include "scenarios/motion/trajectory/pose.h"

#include <doctest/doctest.h>

#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

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

TEST_CASE("One number is that of all joints; of a list there is one each") {
  std::vector<Issue> issues;
  for (const PerJoint& fits : {PerJoint{{1.0}}, PerJoint{{1.0, 2.0}}}) {
    CheckPerJoint(fits, LimitedRobot(), "/gain", issues);
  }
  CHECK(issues.empty());
  CheckPerJoint(PerJoint{{1.0, 2.0, 3.0}}, LimitedRobot(), "/gain", issues);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].where == "/gain");
  CHECK(issues[0].what == "got a list of 3");
  CHECK(issues[0].details ==
        std::vector<std::string>{
            "accepted here: one number, or a list with one for each of shoulder, elbow"});
}

TEST_CASE("A joint without a range has a turn, or 2 m") {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const auto range = [&](JointType type, double lower, double upper) {
    std::vector<Link> links(1);
    links[0].joint = "joint";
    links[0].type = type;
    const Eigen::VectorXd all = Eigen::VectorXd::Constant(1, kInf);
    const auto bound = [](double value) { return Eigen::VectorXd::Constant(1, value); };
    return PositionRange(RobotModel("one", "base", links, Eigen::Vector3d::Zero(),
                                    {bound(lower), bound(upper), all, all, all}),
                         0);
  };
  using Pair = std::pair<double, double>;
  constexpr double kPi = std::numbers::pi;
  CHECK(range(JointType::kRevolute, -1.0, 2.0) == Pair(-1.0, 2.0));
  CHECK(range(JointType::kRevolute, -kInf, kInf) == Pair(-kPi, kPi));
  CHECK(range(JointType::kRevolute, -1.0, kInf) == Pair(-1.0, -1.0 + 2.0 * kPi));
  CHECK(range(JointType::kPrismatic, -kInf, 0.5) == Pair(-1.5, 0.5));
}

}  // namespace
}  // namespace idbench
