#include "robots/dynamics/actuation.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "robots/dynamics/no_limits_test.h"

namespace idbench {
namespace {

RobotModel ThreeJoints() {
  std::vector<Link> links(3);
  for (int i = 0; i < 3; ++i) {
    links[static_cast<std::size_t>(i)].name = "link" + std::to_string(i + 1);
    links[static_cast<std::size_t>(i)].joint = "q" + std::to_string(i + 1);
    links[static_cast<std::size_t>(i)].parent = i - 1;
  }
  return RobotModel("chain", "base", links, Eigen::Vector3d(0.0, 0.0, -9.81), NoLimits(3));
}

/// Motors of the walker of Dolinský & Čelikovský, whose B has this.
RobotModel DrivenWalker() {
  RobotModel model = ThreeJoints();
  model.SetActuation({{"u1", "u2"}, Eigen::MatrixXd{{0.0, 0.0}, {0.0, -1.0}, {1.0, 1.0}}});
  return model;
}

TEST_CASE("A robot has a motor on each joint unless it says otherwise") {
  CHECK(HasMotorOnEachJoint(ThreeJoints()));
  CHECK(UndrivenJoints(ThreeJoints()).empty());
  CHECK(MotorsOfJointTorque(ThreeJoints().actuation()) == Eigen::MatrixXd::Identity(3, 3));
  CHECK_FALSE(HasMotorOnEachJoint(DrivenWalker()));
}

TEST_CASE("Joints that nothing drives are named") {
  CHECK(UndrivenJoints(DrivenWalker()) == std::vector<std::string>{"q1"});
}

TEST_CASE("Motors' torques come back from those on the joints") {
  const RobotModel walker = DrivenWalker();
  const Actuation& actuation = walker.actuation();
  const Eigen::Vector2d u(3.5, -0.25);
  CHECK(MotorsOfJointTorque(actuation) * (actuation.B * u) == u);  // numbers without rounding
}

TEST_CASE("Motors that cannot be told apart are refused") {
  Actuation twins = DrivenWalker().actuation();
  twins.B.col(1) = 2.0 * twins.B.col(0);
  const char* const message =
      "MotorsOfJointTorque: motors that drive no joint, or joints as others do, cannot be told "
      "apart";
  CHECK_THROWS_WITH_AS(MotorsOfJointTorque(twins), message, std::invalid_argument);
  CHECK_THROWS_WITH_AS(MotorsOfJointTorque({{}, Eigen::MatrixXd(3, 0)}), message,
                       std::invalid_argument);
}

}  // namespace
}  // namespace idbench
