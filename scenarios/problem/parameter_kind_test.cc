#include "scenarios/problem/parameter_kind.h"

#include <doctest/doctest.h>

#include "robots/dynamics/parameters.h"
#include "robots/robot.h"

namespace idbench {
namespace {

TEST_CASE("The kind of a parameter is the last part of its name, regrouped or not") {
  CHECK(ParameterKind("link3.mcx") == "mcx");
  CHECK(ParameterKind("link3.mcx_R") == "mcx");
  CHECK(ParameterKind("joint1.fv") == "fv");
  CHECK(ParameterKind("link1.alpha") == "alpha");
  CHECK(ParameterKind("arm_R.shoulder_R.Izz") == "Izz");
  CHECK(ParameterKind("arm_R.Izz_R") == "Izz");
  CHECK(ParameterKind("q1") == "q1");
}

TEST_CASE("Inertial are the kinds with which the parameters of a robot begin, and no others") {
  const Robot robot = LoadRobot("planar2");
  const std::vector<std::string> names = ParameterNames(robot.model);
  const auto inertial = static_cast<std::size_t>(ParameterLayout(robot.model).inertial_size());
  for (std::size_t k = 0; k < names.size(); ++k) {
    CAPTURE(names[k]);
    CHECK(IsInertialKind(ParameterKind(names[k])) == (k < inertial));
  }
}

}  // namespace
}  // namespace idbench
