#include "robots/export/written_model.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "robots/robot.h"

namespace idbench {
namespace {

TEST_CASE("A number's text reads back to its bits, and there is no minus zero") {
  for (const double value : {0.1, 1.0 / 3.0, -2.5e-310, 1e300, 6.02214076e23, 0.1 + 0.2}) {
    CHECK(std::strtod(ExactText(value).c_str(), nullptr) == value);
  }
  CHECK(ExactText(0.1) == "0.1");
  CHECK(ExactText(-0.0) == "0");
  CHECK(ExactText(Eigen::Vector3d(1.0, -0.0, 0.25)) == "1 0 0.25");
}

TEST_CASE("A robot whose frames lie on its joints' axes keeps its parameters in a URDF") {
  const Robot robot = LoadRobot("planar2");
  const Eigen::VectorXd& pi = robot.FindSet("")->pi;
  CHECK((InUrdfFrames(robot.model, pi) - pi).norm() < 1e-14 * pi.norm());  // rounding of shifts
}

}  // namespace
}  // namespace idbench
