#include "robots/dynamics/parameters/joint_state_parametrisation.h"

#include <doctest/doctest.h>

#include "robots/robot.h"

namespace idbench {
namespace {

TEST_CASE("The state of the joints is named joint by joint, and says nothing of the robot") {
  const Robot robot = LoadRobot("planar2");
  const Eigen::VectorXd& pi = robot.FindSet("")->pi;
  const Parametrisation state = JointStateParametrisation(robot.model, pi);
  REQUIRE(state.size() == 4);
  CHECK(state.names[0] == robot.model.link(0).joint + ".q");
  CHECK(state.names[3] == robot.model.link(1).joint + ".qd");
  CHECK(state.units == std::vector<std::string>{"rad", "rad", "rad/s", "rad/s"});
  CHECK(state.Pi(Eigen::Vector4d(1, 2, 3, 4)) == pi);
  CHECK(state.Jacobian(Eigen::Vector4d(1, 2, 3, 4)).isZero(0.0));
}

}  // namespace
}  // namespace idbench
