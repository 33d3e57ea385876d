#include "robots/dynamics/kernel_links.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "robots/dynamics/dynamics.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/mujoco_reference_test.h"

namespace idbench {
namespace {

/// The 24 rotations that take coordinate axes to coordinate axes, then one about z by any angle.
std::vector<Eigen::Quaterniond> Rotations() {
  std::vector<Eigen::Quaterniond> rotations;
  const auto quarters = [](int count, const Eigen::Vector3d& axis) {
    return Eigen::AngleAxisd(0.5 * std::numbers::pi * count, axis);
  };
  for (int about_z = 0; about_z < 4; ++about_z) {
    const auto turn = quarters(about_z, Eigen::Vector3d::UnitZ());
    for (int k = 0; k < 4; ++k) {
      rotations.emplace_back(quarters(k, Eigen::Vector3d::UnitY()) * turn);
    }
    for (const int k : {1, 3}) rotations.emplace_back(quarters(k, Eigen::Vector3d::UnitX()) * turn);
  }
  rotations.emplace_back(Eigen::AngleAxisd(0.7, Eigen::Vector3d::UnitZ()));
  return rotations;
}

/// A chain of hinges for each rotation, each turned by it against the last one, about x, −y, z, −x,
/// y and −z. Every third body stands at its parent's origin, one hinge beside its body's.
std::string Star() {
  std::string mjcf = R"(<mujoco><option gravity="1.5 -2.5 -9"/><worldbody><body name="base">)";
  constexpr const char* kAxes[] = {"1 0 0", "0 -1 0", "0 0 1", "-1 0 0", "0 1 0", "0 0 -1"};
  int body = 0;
  for (const Eigen::Quaterniond& R : Rotations()) {
    for (int k = 0; k < 6; ++k, ++body) {
      mjcf += fmt::format(
          R"(<body name="b{0}" quat="{1:.17g} {2:.17g} {3:.17g} {4:.17g}" pos="{5}">)"
          R"(<inertial pos="0.1 {6} -0.05" mass="2" fullinertia="0.06 0.05 0.04 0.004 -0.003 0.002"/>)"
          R"(<joint name="j{0}" axis="{7}" pos="{8}" ref="{9}"/>)",
          body, R.w(), R.x(), R.y(), R.z(), k % 3 == 1 ? "0 0 0" : "0.1 -0.2 0.3",
          0.02 * (body % 7), kAxes[k], k == 4 ? "0.1 0.2 0.3" : "0 0 0", 10 * (body % 5));
    }
    for (int k = 0; k < 6; ++k) mjcf += "</body>";
  }
  return mjcf + "</body></worldbody></mujoco>";
}

/// Greatest |a − b|, relative to the greatest |b|.
double RelativeError(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff();
}

TEST_CASE("Axes along axes, in all directions, give MuJoCo's torques, and Y·π the same") {
  MujocoReference star = MujocoReference::FromText(Star());
  const RobotModel& model = star.tree.model;
  const int n = model.dofs();
  REQUIRE(n == 150);
  const Dynamics dynamics(model);
  Dynamics::Scratch scratch(dynamics);
  const FixedStates states = MakeFixedStates(model, 9, 51);
  Eigen::MatrixXd tau(9, n), by_Y(9, n), wrench(9, 6), by_wrench_Y(9, 6), expected(9, n);
  dynamics.InverseDynamics(star.pi, states.samples(), scratch, tau);
  dynamics.BaseWrench(star.pi, states.samples(), scratch, wrench);
  Eigen::MatrixXd Y(n, kInertialCount * n), Y_wrench(6, kInertialCount * (n + 1));
  for (Eigen::Index k = 0; k < 9; ++k) {
    const Eigen::VectorXd q = states.q.row(k), qd = states.qd.row(k), qdd = states.qdd.row(k);
    star.SetState(q, qd, qdd);
    expected.row(k) = star.InverseDynamics();
    dynamics.TorqueRegressor(q, qd, qdd, scratch, Y);
    by_Y.row(k) = Y * star.pi.segment(kInertialCount, kInertialCount * n);
    dynamics.WrenchRegressor(q, qd, qdd, scratch, Y_wrench);
    by_wrench_Y.row(k) = Y_wrench * star.pi.head(kInertialCount * (n + 1));
  }
  // Round-off of two recursions over six joints.
  CHECK(RelativeError(tau, expected) < 1e-13);
  CHECK(RelativeError(by_Y, tau) < 1e-13);
  CHECK(RelativeError(by_wrench_Y, wrench) < 1e-13);
}

TEST_CASE("Every direction of an axis against the parent's axes is told from the others") {
  const RobotModel model = MujocoReference::FromText(Star()).tree.model;
  std::set<ZAxis> directions;
  std::set<double> quarter_turns;
  const std::vector<KernelLink> links = MakeKernelLinks(model);
  for (std::size_t i = 0; i < links.size(); ++i) {
    // Turned by 0.7 about z, only an axis along z is along one of the parent's.
    const bool general = i >= 6 * 24 && i % 6 != 2 && i % 6 != 5;
    CHECK((links[i].z_axis == ZAxis::kOther) == general);
    CHECK(std::abs(links[i].z[2]) == 1.0);
    directions.insert(links[i].z_axis);
    if (!general) quarter_turns.insert(links[i].quarter_turns);
    // The second of a chain stands at the first one's origin, and so does the fifth, but for its
    // anchor.
    CHECK(links[i].moves_origin == (i % 6 == 4));
    CHECK(links[i].turns_about_z == (i % 6 != 4));
    CHECK(links[i].origin == static_cast<int>(i % 6 == 1 ? i - 1 : i));
  }
  CHECK(directions.size() == 7);  // kOther included
  CHECK(quarter_turns == std::set<double>{-2.0, -1.0, 0.0, 1.0, 2.0});
}

TEST_CASE("An axis between the coordinate axes, or one along none of the parent's, is general") {
  Link link;
  link.axis = Eigen::Vector3d(0.6, 0.0, 0.8);
  Link tilted;
  tilted.name = tilted.joint = "tilted";
  tilted.parent = 0;
  tilted.R0 = Eigen::AngleAxisd(1e-9, Eigen::Vector3d::UnitX()).toRotationMatrix();
  const Eigen::VectorXd none = Eigen::VectorXd::Ones(2);
  const std::vector<KernelLink> links = MakeKernelLinks(
      RobotModel("two", "base", {link, tilted}, {0, 0, 0}, {none, none, none, none, none}));
  CHECK(links[0].z_axis == ZAxis::kOther);
  CHECK(!links[0].turns_about_z);
  CHECK(links[0].origin == -1);
  CHECK(links[1].z_axis == ZAxis::kOther);
  CHECK(links[1].turns_about_z);
  CHECK(links[1].origin == -1);
}

}  // namespace
}  // namespace idbench
