#include "robots/dynamics/parameters.h"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <string>
#include <vector>

namespace idbench {
namespace {

using Standard = Eigen::Matrix<double, kInertialCount, 1>;

RobotModel SlideOnHinge() {
  Link hinge, slide;
  hinge.name = "arm";
  hinge.joint = "shoulder";
  slide.name = "rod";
  slide.joint = "extension";
  slide.parent = 0;
  slide.type = JointType::kPrismatic;
  const Eigen::VectorXd none = Eigen::VectorXd::Constant(2, 1e9);
  return {"crane", "foot", {hinge, slide}, {0.0, 0.0, -9.81}, {-none, none, none, none, none}};
}

CentralInertia SampleBody() {
  CentralInertia body;
  body.mass = 2.5;
  body.com = {0.1, -0.2, 0.3};
  body.I_com << 0.4, 0.01, -0.02, 0.01, 0.5, 0.03, -0.02, 0.03, 0.6;
  return body;
}

TEST_CASE("π holds the base's ten, ten per link and four per joint, named after the model file") {
  const RobotModel model = SlideOnHinge();
  const ParameterLayout layout(model.dofs());
  const std::vector<std::string> names = ParameterNames(model);
  const std::vector<std::string> units = ParameterUnits(model);
  REQUIRE(layout.size() == 38);
  REQUIRE(names.size() == 38);
  REQUIRE(units.size() == 38);
  const auto expect = [&](int index, const char* name, const char* unit) {
    CHECK(names[static_cast<std::size_t>(index)] == name);
    CHECK(units[static_cast<std::size_t>(index)] == unit);
  };
  const char* const inertial[][2] = {
      {"m", "kg"},      {"mcx", "kg·m"},  {"mcy", "kg·m"},  {"mcz", "kg·m"},  {"Ixx", "kg·m²"},
      {"Ixy", "kg·m²"}, {"Iyy", "kg·m²"}, {"Ixz", "kg·m²"}, {"Iyz", "kg·m²"}, {"Izz", "kg·m²"}};
  const char* const bodies[] = {"foot", "arm", "rod"};
  for (int body = -1; body < 2; ++body) {
    for (int k = 0; k < kInertialCount; ++k) {
      const std::string name = std::string(bodies[body + 1]) + "." + inertial[k][0];
      expect(layout.Body(body) + k, name.c_str(), inertial[k][1]);
    }
  }
  expect(layout.Joint(0, JointParameter::kViscous), "shoulder.fv", "N·m·s/rad");
  expect(layout.Joint(0, JointParameter::kCoulomb), "shoulder.fc", "N·m");
  expect(layout.Joint(0, JointParameter::kOffset), "shoulder.fo", "N·m");
  expect(layout.Joint(0, JointParameter::kRotorInertia), "shoulder.ia", "kg·m²");
  expect(layout.Joint(1, JointParameter::kViscous), "extension.fv", "N·s/m");
  expect(layout.Joint(1, JointParameter::kCoulomb), "extension.fc", "N");
  expect(layout.Joint(1, JointParameter::kOffset), "extension.fo", "N");
  expect(layout.Joint(1, JointParameter::kRotorInertia), "extension.ia", "kg");
}

TEST_CASE("Standard parameters are about the frame's origin: Steiner's theorem") {
  const Standard p = ToStandard(SampleBody());
  // h = m·c, I_o = I_c + m(|c|²·1 − c·cᵀ), by hand
  Standard expected;
  expected << 2.5, 0.25, -0.5, 0.75, 0.4 + 2.5 * 0.13, 0.01 + 2.5 * 0.02, 0.5 + 2.5 * 0.1,
      -0.02 - 2.5 * 0.03, 0.03 + 2.5 * 0.06, 0.6 + 2.5 * 0.05;
  CHECK((p - expected).norm() < 1e-15);  // round-off
}

TEST_CASE("FromStandard inverts ToStandard") {
  const CentralInertia body = SampleBody();
  const CentralInertia back = FromStandard(ToStandard(body));
  CHECK(back.mass == body.mass);
  CHECK((back.com - body.com).norm() < 1e-15);  // round-off
  CHECK((back.I_com - body.I_com).norm() < 1e-15);
}

TEST_CASE("A body without mass has its centre at the origin") {
  Standard p = Standard::Zero();
  p[4] = 0.3;
  const CentralInertia body = FromStandard(p);
  CHECK(body.mass == 0.0);
  CHECK(body.com == Eigen::Vector3d::Zero());
  CHECK(body.I_com(0, 0) == 0.3);
}

TEST_CASE("Parameters in another frame are those of the moved body") {
  const Eigen::Matrix3d R_BA =
      Eigen::AngleAxisd(0.8, Eigen::Vector3d(1.0, -2.0, 0.5).normalized()).toRotationMatrix();
  const Eigen::Vector3d p_BA_B(0.7, 0.1, -0.4);
  const CentralInertia body = SampleBody();
  CentralInertia moved = body;
  moved.com = p_BA_B + R_BA * body.com;
  moved.I_com = R_BA * body.I_com * R_BA.transpose();
  const Standard in_B = Transformed(ToStandard(body), R_BA, p_BA_B);
  CHECK((in_B - ToStandard(moved)).norm() < 1e-14);  // round-off
  // And back again.
  const Standard in_A = Transformed(in_B, R_BA.transpose(), -(R_BA.transpose() * p_BA_B));
  CHECK((in_A - ToStandard(body)).norm() < 1e-14);
}

TEST_CASE("A body is whole if all ten of its parameters are there, and the base is one too") {
  Link first{.name = "a", .joint = "a"};
  Link second{.name = "b", .joint = "b", .parent = 0};
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(2);
  const RobotModel model("two", "base", {first, second}, {0.0, 0.0, -9.81},
                         {none, none, none, none, none});
  std::vector<int> parameters;
  for (int k = 0; k < 10; ++k) parameters.push_back(k);   // the base
  for (int k = 10; k < 19; ++k) parameters.push_back(k);  // nine of a
  for (int k = 20; k < 32; ++k) parameters.push_back(k);  // b, and a's friction
  CHECK(WholeBodies(model, parameters) == std::vector<int>{-1, 1});
  CHECK(WholeBodies(model, {}).empty());
}

}  // namespace
}  // namespace idbench
