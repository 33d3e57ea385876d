#include "robots/dynamics/parameters/payload_parametrisation.h"

#include <doctest/doctest.h>

#include <stdexcept>

#include "robots/robot.h"

namespace idbench {
namespace {

const Robot& Wam() {
  static const Robot robot = LoadRobot("barrett_wam7");
  return robot;
}

TEST_CASE("A payload adds its ten standard parameters to those of its link, and to no other") {
  const Eigen::VectorXd& known = Wam().FindSet("")->pi;
  const ParameterLayout layout(Wam().model.dofs());
  for (const int link : {3, 6}) {
    CAPTURE(link);
    CentralInertia body;
    body.mass = 3.0;
    body.com = {0.02, -0.05, 0.1};
    body.I_com = Eigen::Vector3d(0.03, 0.05, 0.06).asDiagonal();
    const Parametrisation p = PayloadParametrisation(Wam().model, link, body.com, known);
    REQUIRE(p.size() == 4);
    Eigen::VectorXd expected = known;
    expected.segment<kInertialCount>(layout.Body(link)) += ToStandard(body);
    const Eigen::VectorXd pi = p.Pi(Eigen::Vector4d(3.0, 0.03, 0.05, 0.06));
    CHECK((pi - expected).norm() < 1e-15 * expected.norm());  // round-off
    // Round-off of numbers up to the link's own.
    CHECK((p.FromPi(expected) - Eigen::Vector4d(3.0, 0.03, 0.05, 0.06)).norm() < 1e-14);
    CHECK(p.FromPi(known).isZero(0.0));
    CHECK(p.affine()->pi0 == known);
  }
}

TEST_CASE(
    "Of a payload whose centre is elsewhere, mass and moments about the assumed one are read") {
  const Eigen::VectorXd& known = Wam().FindSet("")->pi;
  CentralInertia body;
  body.mass = 2.0;
  body.com = {0.0, 0.0, 0.15};
  const Parametrisation p =
      PayloadParametrisation(Wam().model, 6, Eigen::Vector3d(0.0, 0.0, 0.1), known);
  Eigen::VectorXd pi = known;
  pi.segment<kInertialCount>(ParameterLayout(7).Body(6)) += ToStandard(body);
  // I_o of the point mass less that of one at 0.1 m: 2·(0.15² − 0.1²) across, nothing along.
  const Eigen::Vector4d expected(2.0, 0.025, 0.025, 0.0);
  CHECK((p.FromPi(pi) - expected).norm() < 1e-14);  // round-off
}

TEST_CASE("A payload's unknowns have names and units, and no bounds yet") {
  const Parametrisation p =
      PayloadParametrisation(Wam().model, 6, Eigen::Vector3d::Zero(), Wam().FindSet("")->pi);
  CHECK(p.type() == "payload");
  CHECK(p.names ==
        std::vector<std::string>{"payload.m", "payload.Ixx", "payload.Iyy", "payload.Izz"});
  CHECK(p.units == std::vector<std::string>{"kg", "kg·m²", "kg·m²", "kg·m²"});
  CHECK_FALSE(p.representative);
  CHECK(p.changes);
  CHECK_FALSE(p.prior.has_value());
}

TEST_CASE("A payload needs a link of the robot") {
  const Eigen::VectorXd& known = Wam().FindSet("")->pi;
  CHECK_THROWS_WITH_AS(PayloadParametrisation(Wam().model, 7, Eigen::Vector3d::Zero(), known),
                       "payload: there is no link 7, the robot has 0 to 6", std::invalid_argument);
  CHECK_THROWS_AS(PayloadParametrisation(Wam().model, -1, Eigen::Vector3d::Zero(), known),
                  std::invalid_argument);
}

}  // namespace
}  // namespace idbench
