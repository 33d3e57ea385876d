#include "sim/truth/wall.h"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "robots/dynamics/parameters/base_parameters.h"
#include "scenarios/options/json.h"
#include "sim/truth/compile_truth.h"
#include "sim/truth/environment.h"
#include "sim/truth/true_dynamics.h"

namespace idbench {
namespace {

using Jacobian3 = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>;

/// Where a point of the last link is, and how it moves, by MuJoCo alone.
struct TipState {
  Eigen::Vector3d p_W, v_W;
  Eigen::MatrixXd J;  ///< 3 × n, in the order of the joints.
};
TipState TipOf(const TrueRobot& robot, const Eigen::Vector3d& p_LT_L, const Eigen::VectorXd& q,
               const Eigen::VectorXd& qd) {
  const DataPtr data(mj_makeData(&robot.model()));
  const int n = robot.dofs();
  for (int i = 0; i < n; ++i) data->qpos[robot.qpos_address(i)] = q(i);
  mj_kinematics(&robot.model(), data.get());
  mj_comPos(&robot.model(), data.get());
  const int body = robot.body_of(n - 1);
  TipState tip;
  tip.p_W = Eigen::Map<const Eigen::Vector3d>(data->xpos + 3 * body) +
            Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(data->xmat + 9 * body) *
                p_LT_L;
  Jacobian3 J(3, n);
  mj_jac(&robot.model(), data.get(), J.data(), nullptr, tip.p_W.data(), body);
  tip.J.resize(3, n);
  for (int i = 0; i < n; ++i) tip.J.col(i) = J.col(robot.dof_address(i));
  tip.v_W = tip.J * qd;
  return tip;
}

/// An arm that is on its fixed base, a state of it, and a wall before its tip.
struct WalledArm {
  Robot robot = LoadRobot("kuka_lwr4");
  TrueRobot truth = CompileTruth(robot, robot.FindSet("")->pi, {});
  Eigen::VectorXd q, qd, qdd;
  Environment environment = {.walls = {{.name = "wall 0",
                                        .link = 6,
                                        .p_LT_L = {0.05, -0.02, 0.2},
                                        .normal_B = Eigen::Vector3d(2.0, -1.0, 2.0) / 3.0,
                                        .stiffness = 8000.0,
                                        .damping = 60.0,
                                        .friction = 0.3}}};

  /// @param depth  of the tip behind the wall [m].
  explicit WalledArm(double depth) {
    const FixedStates states = MakeFixedStates(robot.model, 1, 7);
    q = states.q.row(0);
    qd = 0.1 * states.qd.row(0);
    qdd = states.qdd.row(0);
    wall().p_BW_B = tip().p_W + depth * wall().normal_B;
  }
  Wall& wall() { return environment.walls[0]; }
  TipState tip() const { return TipOf(truth, environment.walls[0].p_LT_L, q, qd); }
  /// The force of the wall as its docstring has it; the base of this arm is the world's frame.
  Eigen::Vector3d Expected(double depth) {
    const TipState at = tip();
    const Eigen::Vector3d n = wall().normal_B;
    const double F = std::max(0.0, wall().stiffness * depth - wall().damping * n.dot(at.v_W));
    const Eigen::Vector3d along = at.v_W - n.dot(at.v_W) * n;
    const double w = wall().friction_width;
    return F * n - wall().friction * F * along / std::sqrt(along.squaredNorm() + w * w);
  }
};

TEST_CASE("The force of a wall is that of its spring, its damper and its friction") {
  const double depth = 0.004;
  WalledArm arm(depth);
  const Eigen::Vector3d force = arm.Expected(depth);
  REQUIRE(force.norm() > 5.0);
  TrueDynamics walled({arm.truth, &arm.environment});
  TrueDynamics free(arm.truth);
  Eigen::VectorXd wrench(6), tau(7), free_tau(7), base(6), free_base(6);
  walled.ExternalWrench(arm.q, arm.qd, wrench);
  CHECK((wrench.head<3>() - force).norm() <= 1e-9 * force.norm());
  CHECK((wrench.tail<3>() - arm.tip().p_W.cross(force)).norm() <= 1e-9 * force.norm());
  walled.Torque(arm.q, arm.qd, arm.qdd, tau);
  free.Torque(arm.q, arm.qd, arm.qdd, free_tau);
  CHECK((free_tau - tau - arm.tip().J.transpose() * force).norm() <= 1e-9 * force.norm());
  walled.BaseWrench(arm.q, arm.qd, arm.qdd, base);
  free.BaseWrench(arm.q, arm.qd, arm.qdd, free_base);
  CHECK((free_base - base - wrench).norm() <= 1e-9 * force.norm());
}

TEST_CASE("A wall neither reaches in front of its plane nor pulls what leaves it") {
  Eigen::VectorXd wrench(6);
  WalledArm before(-1e-6);
  TrueDynamics({before.truth, &before.environment}).ExternalWrench(before.q, before.qd, wrench);
  CHECK(wrench.isZero(0.0));
  WalledArm leaving(1e-3);
  // Faster out of the wall than its spring would push the damper.
  if (leaving.wall().normal_B.dot(leaving.tip().v_W) < 0.0) leaving.qd = -leaving.qd;
  leaving.wall().damping = 1e6;
  TrueDynamics({leaving.truth, &leaving.environment}).ExternalWrench(leaving.q, leaving.qd, wrench);
  CHECK(wrench.isZero(0.0));
  leaving.qd = -leaving.qd;
  TrueDynamics({leaving.truth, &leaving.environment}).ExternalWrench(leaving.q, leaving.qd, wrench);
  CHECK(wrench.norm() > 1.0);
}

TEST_CASE(
    "The damping of a contact is the slope of its force across the plane, and its secant along") {
  WalledArm arm(0.004);
  WallContact contact(arm.wall(), arm.truth);
  const DataPtr data(mj_makeData(&arm.truth.model()));
  const auto find = [&](const Eigen::VectorXd& qd) {
    for (int i = 0; i < 7; ++i) {
      data->qpos[arm.truth.qpos_address(i)] = arm.q(i);
      data->qvel[arm.truth.dof_address(i)] = qd(i);
    }
    mj_kinematics(&arm.truth.model(), data.get());
    mj_comPos(&arm.truth.model(), data.get());
    contact.Find(arm.truth.model(), *data);
  };
  find(arm.qd);
  const double h = 0.01;
  Eigen::MatrixXd added = Eigen::MatrixXd::Zero(7, 7);
  contact.AddDamping(h, added);
  const TipState tip = arm.tip();
  const Eigen::Vector3d n = arm.wall().normal_B;
  const Eigen::Vector3d along = tip.v_W - n.dot(tip.v_W) * n;
  const double w = arm.wall().friction_width;
  const double secant = 0.3 * contact.force().dot(n) / std::hypot(along.norm(), w);
  const Eigen::Matrix3d C =
      60.0 * n * n.transpose() + secant * (Eigen::Matrix3d::Identity() - n * n.transpose());
  const Eigen::MatrixXd expected = h * tip.J.transpose() * C * tip.J;
  CHECK((added - expected).norm() <= 1e-12 * expected.norm());
  // How easily the tip moves across the plane.
  Eigen::MatrixXd M(7, 7);
  TrueDynamics(arm.truth).MassMatrix(arm.q, M);
  const Eigen::LLT<Eigen::MatrixXd> cholesky(M);
  const Eigen::VectorXd across = tip.J.transpose() * n;
  CHECK(contact.Mobility(cholesky) ==
        doctest::Approx(across.dot(M.inverse() * across)).epsilon(1e-9));
}

TEST_CASE("A wall is made in the frame of its link, with a normal of length 1") {
  const Robot robot = LoadRobot("kuka_lwr4");
  EnvironmentOptions options;
  options.walls.push_back({.link = "link7",
                           .point_m = {0.0, 0.1, 0.2},
                           .through_m = {-0.9, 0.0, 0.0},
                           .normal = {3.0, 0.0, 4.0},
                           .stiffness_n_m = 8000.0,
                           .damping_ns_m = 60.0,
                           .friction = 0.2});
  const Environment environment = MakeEnvironment(options, robot, 0, {1, -1, "contact"}, 1.0);
  REQUIRE(environment.walls.size() == 1);
  const Wall& wall = environment.walls[0];
  CHECK(wall.link == 6);
  CHECK(wall.normal_B == Eigen::Vector3d(0.6, 0.0, 0.8));
  CHECK(wall.p_BW_B == Eigen::Vector3d(-0.9, 0.0, 0.0));
  CHECK(wall.p_LT_L == Eigen::Vector3d(0.0, 0.1, 0.2));
  CHECK(Describe(options) == std::vector<std::string>{"a wall of 8000 N/m before link7"});
}

std::string WallMessages(const std::string& change, std::optional<double> step_s = 0.00025) {
  Json json = ParseJson(R"({"link": "link7", "through_m": [1, 0, 0], "normal": [-1, 0, 0],
                            "stiffness_n_m": 8000})",
                        "test");
  json.merge_patch(ParseJson(change, "change"));
  EnvironmentOptions options;
  std::vector<Issue> issues;
  Binding<EnvironmentOptions>::Read(Json{{"walls", Json::array({json})}}, "/environment", {},
                                    options, issues);
  if (issues.empty()) {
    issues = CheckEnvironment(options, "/environment", LoadRobot("kuka_lwr4"), 0, step_s);
  }
  return issues.empty() ? "" : ConfigError("s.json", issues).what();
}

TEST_CASE("Walls without a direction, of nothing or before what does not move are refused") {
  const auto contains = [](const std::string& text, const char* part) {
    CAPTURE(text);
    return text.find(part) != std::string::npos;
  };
  CHECK(WallMessages("{}").empty());
  CHECK(contains(WallMessages(R"({"normal": [0, 0, 0]})"), "/environment/walls/0/normal"));
  CHECK(contains(WallMessages(R"({"normal": [0, 0]})"), "/environment/walls/0/normal"));
  CHECK(contains(WallMessages(R"({"stiffness_n_m": 0})"), "stiffness_n_m"));
  CHECK(contains(WallMessages(R"({"link": "link77"})"), "/environment/walls/0/link"));
  CHECK(contains(WallMessages("{}", std::nullopt), "exact replay"));
}

TEST_CASE("Walls need a step that takes their damping at its end") {
  CHECK_FALSE(WhyNoWalls({}, {}));
  CHECK(WhyNoWalls({.integrator = "RK4"}, {})->find("RK4") != std::string::npos);
  CHECK(WhyNoWalls({.integrator = "implicit"}, {}).has_value());
  CHECK(WhyNoWalls({}, {.frictionloss_nm = {{1.0}}})->find("frictionloss") != std::string::npos);
}

}  // namespace
}  // namespace idbench
