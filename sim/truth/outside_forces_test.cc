#include "sim/truth/outside_forces.h"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <string>
#include <utility>
#include <vector>

#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/temporary_folder_test.h"
#include "sim/truth/compile_truth.h"
#include "sim/truth/true_dynamics.h"

namespace idbench {
namespace {

using Vector6 = Eigen::Vector<double, 6>;
using Jacobian3 = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>;

/// MuJoCo at a state, without anything of OutsideForces: where bodies are, Jacobians of points, and
/// mj_inverse(), which knows nothing of forces from outside.
class Oracle {
 public:
  explicit Oracle(const TrueRobot& robot)
      : robot_(robot), data_(mj_makeData(&robot.model())), n_(robot.dofs()) {}

  void Set(const Eigen::VectorXd& q, const Eigen::VectorXd& qd, const Eigen::VectorXd& qdd) {
    for (int i = 0; i < n_; ++i) {
      data_->qpos[robot_.qpos_address(i)] = q(i);
      data_->qvel[robot_.dof_address(i)] = qd(i);
      data_->qacc[robot_.dof_address(i)] = qdd(i);
    }
    mj_inverse(&robot_.model(), data_.get());
  }
  Eigen::Matrix3d Axes(int body) const {
    return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(data_->xmat + 9 * body);
  }
  Eigen::Vector3d Origin(int body) const {
    return Eigen::Map<const Eigen::Vector3d>(data_->xpos + 3 * body);
  }
  Eigen::Vector3d PlaceOf(const Touch& touch) const {
    const int body = robot_.body_of(touch.link);
    return Origin(body) + Axes(body) * touch.p_LT_L;
  }
  Eigen::Vector3d ForceOf(const Touch& touch) const {
    const bool turns = touch.axes == ForceAxes::kLink;
    return Axes(turns ? robot_.body_of(touch.link) : robot_.base().body) * touch.force;
  }
  /// τ of mj_inverse() and friction, less Jᵀf of the touches, all at their greatest.
  Eigen::VectorXd Torque(const std::vector<Touch>& touches, const Eigen::VectorXd& qd) {
    Eigen::VectorXd tau(n_);
    for (int i = 0; i < n_; ++i) {
      tau(i) = data_->qfrc_inverse[robot_.dof_address(i)] + robot_.FrictionTorque(i, qd(i), 1.0);
    }
    robot_.AddTermTorques(1.0, qd, tau);
    for (const Touch& touch : touches) {
      Jacobian3 J(3, n_);
      const Eigen::Vector3d place = PlaceOf(touch);
      mj_jac(&robot_.model(), data_.get(), J.data(), nullptr, place.data(),
             robot_.body_of(touch.link));
      const Eigen::VectorXd torques = J.transpose() * ForceOf(touch);
      for (int i = 0; i < n_; ++i) tau(i) -= torques(robot_.dof_address(i));
    }
    return tau;
  }
  /// Force and moment of the touches about a point, in given axes.
  Vector6 WrenchOf(const std::vector<Touch>& touches, const Eigen::Vector3d& p_WP_W,
                   const Eigen::Matrix3d& R_WP) const {
    Vector6 wrench = Vector6::Zero();
    for (const Touch& touch : touches) {
      const Eigen::Vector3d f = ForceOf(touch);
      wrench.head<3>() += R_WP.transpose() * f;
      wrench.tail<3>() += R_WP.transpose() * (PlaceOf(touch) - p_WP_W).cross(f);
    }
    return wrench;
  }

 private:
  const TrueRobot& robot_;
  DataPtr data_;
  int n_;
};

/// Forces that hold from 1 s to 3 s, on the first, a middle and the last link, in either axes.
std::vector<Touch> ThreeTouches(int dofs) {
  std::vector<Touch> touches = {
      {.link = 0, .p_LT_L = {0.1, -0.2, 0.3}, .force = {5, -3, 2}, .axes = ForceAxes::kBase},
      {.link = dofs / 2, .p_LT_L = {0.0, 0.1, -0.2}, .force = {-4, 1, 7}},
      {.link = dofs - 1, .p_LT_L = {0.05, 0.02, 0.1}, .force = {0, 9, -6}}};
  for (Touch& touch : touches) touch.begin_s = 1.0, touch.hold_s = 2.0;
  return touches;
}

TEST_CASE("Joint torques of every robot are those of mj_inverse less Jᵀf, at rest and in motion") {
  for (const std::string& name : RobotNames()) {
    CAPTURE(name);
    const Robot robot = LoadRobot(name);
    const TrueRobot truth = CompileTruth(robot, robot.FindSet("")->pi, {});
    const Environment environment{ThreeTouches(robot.model.dofs())};
    TrueDynamics dynamics({truth, &environment});
    TrueDynamics untouched(truth);
    Oracle oracle(truth);
    const FixedStates states = MakeFixedStates(robot.model, 5, 3);
    Eigen::VectorXd tau(robot.model.dofs()), free(robot.model.dofs());
    for (Eigen::Index k = 0; k < 5; ++k) {
      for (const double moving : {0.0, 1.0}) {
        const Eigen::VectorXd q = states.q.row(k), qd = moving * states.qd.row(k),
                              qdd = moving * states.qdd.row(k);
        oracle.Set(q, qd, qdd);
        dynamics.SetTime(2.0);
        dynamics.Torque(q, qd, qdd, tau);
        const Eigen::VectorXd expected = oracle.Torque(environment.touches, qd);
        // Another order of the same sums: rounding.
        CHECK((tau - expected).norm() <= 1e-12 * (1.0 + expected.norm()));
        // Before and after them nothing acts.
        untouched.Torque(q, qd, qdd, free);
        CHECK((tau - free).norm() > 0.1);
        for (const double t : {0.5, 3.5}) {
          dynamics.SetTime(t);
          dynamics.Torque(q, qd, qdd, tau);
          CHECK(tau == free);
        }
      }
    }
  }
}

TEST_CASE("The ground balances what touches the robot, whose wrench is about the base") {
  const TemporaryFolder folder;
  std::vector<std::string> robots = RobotNames();
  // A base that is turned and has two trees on it.
  robots.push_back(folder.Write("two_trees.xml", R"(<mujoco><worldbody>
    <body name="stand" pos="0.3 -0.2 1" quat="0.8 0 0.6 0">
      <inertial pos="0 0.1 0.2" mass="5" diaginertia="0.1 0.1 0.1"/>
      <body name="left" pos="0 0.4 0"><joint name="l" axis="0 1 0"/>
        <inertial pos="0.1 0 0.2" mass="2" diaginertia="0.1 0.2 0.15"/></body>
      <body name="right" pos="0 -0.4 0"><joint name="r" axis="1 0 0"/>
        <inertial pos="0 0.1 0.2" mass="3" diaginertia="0.1 0.2 0.15"/></body>
    </body></worldbody></mujoco>)"));
  for (const std::string& name : robots) {
    CAPTURE(name);
    const Robot robot = LoadRobot(name);
    const Eigen::VectorXd pi = robot.FindSet("")->pi;
    const TrueRobot truth = CompileTruth(robot, pi, {});
    const Environment environment{ThreeTouches(robot.model.dofs())};
    TrueDynamics dynamics({truth, &environment});
    Oracle oracle(truth);
    // Newton and Euler of our own kernel: what the ground exerts on a robot that nothing touches.
    const Dynamics model(robot.model, truth.friction_shape());
    Dynamics::Scratch scratch(model);
    const FixedStates states = MakeFixedStates(robot.model, 5, 4);
    Eigen::MatrixXd free(5, 6);
    model.BaseWrench(pi, states.samples(), scratch, free);
    Eigen::VectorXd wrench(6), external(6);
    for (Eigen::Index k = 0; k < 5; ++k) {
      const Eigen::VectorXd q = states.q.row(k), qd = states.qd.row(k), qdd = states.qdd.row(k);
      oracle.Set(q, qd, qdd);
      const int base = truth.base().body;
      const Vector6 expected =
          oracle.WrenchOf(environment.touches, oracle.Origin(base), oracle.Axes(base));
      dynamics.SetTime(2.0);
      dynamics.ExternalWrench(q, qd, external);
      CHECK((external - expected).norm() <= 1e-13 * expected.norm());
      dynamics.BaseWrench(q, qd, qdd, wrench);
      // As for robots that nothing touches.
      CHECK((wrench - (free.row(k).transpose() - expected)).norm() <= 1e-11 * free.norm());
      dynamics.SetTime(0.0);
      dynamics.ExternalWrench(q, qd, external);
      CHECK(external.isZero(0.0));
      dynamics.BaseWrench(q, qd, qdd, wrench);
      CHECK((wrench - free.row(k).transpose()).norm() <= 1e-11 * free.norm());
    }
  }
}

TEST_CASE("A cut shows what touches the robot beyond it, and nothing of what touches before it") {
  Robot robot = LoadRobot("kuka_lwr4");
  const int middle = 3;
  const Eigen::Matrix3d R_LS =
      Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 2) / 3.0).toRotationMatrix();
  const Eigen::Vector3d p_LS_L(0.1, 0.2, -0.3);
  robot.model.SetCuts(
      {{"distal", middle, R_LS, p_LS_L, true}, {"proximal", middle, R_LS, p_LS_L, false}});
  const TrueRobot truth = CompileTruth(robot, robot.FindSet("")->pi, {});
  Oracle oracle(truth);
  const FixedStates states = MakeFixedStates(robot.model, 1, 4);
  const Eigen::VectorXd q = states.q.row(0), qd = states.qd.row(0), qdd = states.qdd.row(0);
  oracle.Set(q, qd, qdd);
  const int body = truth.body_of(middle);
  const Eigen::Vector3d p_WS_W = oracle.Origin(body) + oracle.Axes(body) * p_LS_L;
  const Eigen::Matrix3d R_WS = oracle.Axes(body) * R_LS;
  // By link: whether it shows in the two. A body that is attached lies beyond both.
  struct Case {
    int link;
    bool attached, in_distal, in_proximal;
  };
  for (const Case& each : {Case{middle - 1, false, false, false}, Case{middle, false, true, false},
                           Case{middle, true, true, true}, Case{middle + 1, false, true, true},
                           Case{middle - 1, true, false, false}, Case{6, true, true, true}}) {
    CAPTURE(each.link);
    CAPTURE(each.attached);
    const Environment environment{{{.link = each.link,
                                    .beyond_cuts = each.attached,
                                    .p_LT_L = {0.03, -0.1, 0.2},
                                    .force = {3, 4, -5},
                                    .hold_s = 1.0}}};
    TrueDynamics touched({truth, &environment});
    touched.SetTime(0.5);
    TrueDynamics free(truth);
    const Vector6 of_touch = oracle.WrenchOf(environment.touches, p_WS_W, R_WS);
    for (const auto& [cut, shows] :
         {std::pair(0, each.in_distal), std::pair(1, each.in_proximal)}) {
      CAPTURE(cut);
      Eigen::VectorXd wrench(6), without(6);
      touched.CutWrench(truth.cuts()[static_cast<std::size_t>(cut)], q, qd, qdd, wrench);
      free.CutWrench(truth.cuts()[static_cast<std::size_t>(cut)], q, qd, qdd, without);
      const Vector6 change = shows ? Vector6(-of_touch) : Vector6(Vector6::Zero());
      CHECK((wrench - without - change).norm() <= 1e-12 * (without.norm() + of_touch.norm()));
    }
  }
}

TEST_CASE("An IMU reads how its link accelerates, whatever makes it do so") {
  Robot robot = LoadRobot("leg2");
  robot.model.SetImu({0, Eigen::Vector3d(0.0, 0.0, 0.3)});
  const TrueRobot truth = CompileTruth(robot, robot.FindSet("")->pi, {});
  const Environment environment{ThreeTouches(2)};
  TrueDynamics touched({truth, &environment});
  TrueDynamics free(truth);
  touched.SetTime(2.0);
  const Eigen::VectorXd q = Eigen::Vector2d(0.6, -0.4), qd = Eigen::Vector2d(1.5, 2.0),
                        qdd = Eigen::Vector2d(-3.0, 8.0);
  CHECK(touched.Imu(q, qd, qdd).acceleration == free.Imu(q, qd, qdd).acceleration);
  CHECK(touched.Imu(q, qd, qdd).angular_velocity == free.Imu(q, qd, qdd).angular_velocity);
}

TEST_CASE("Of many touches those of the instant act, whatever their order and length") {
  const Robot robot = LoadRobot("planar2");
  const TrueRobot truth = CompileTruth(robot, robot.FindSet("")->pi, {});
  Environment environment;
  // A long one that ends within a later one, short ones within it, a gap, and another.
  for (const auto& [begin_s, hold_s, newtons] :
       {std::tuple(5.0, 1.0, 16.0), std::tuple(0.0, 3.0, 1.0), std::tuple(0.5, 0.2, 2.0),
        std::tuple(1.0, 0.5, 4.0), std::tuple(2.5, 1.0, 8.0)}) {
    environment.touches.push_back({.link = 1,
                                   .force = {newtons, 0, 0},
                                   .axes = ForceAxes::kBase,
                                   .begin_s = begin_s,
                                   .hold_s = hold_s});
  }
  TrueDynamics dynamics({truth, &environment});
  Eigen::VectorXd wrench(6);
  const Eigen::VectorXd q = Eigen::Vector2d(0.3, 0.4);
  for (const auto& [t, newtons] :
       {std::pair(0.1, 1.0), std::pair(0.6, 3.0), std::pair(5.5, 16.0), std::pair(0.9, 1.0),
        std::pair(1.2, 5.0), std::pair(2.7, 9.0), std::pair(3.2, 8.0), std::pair(4.0, 0.0),
        std::pair(6.5, 0.0), std::pair(-1.0, 0.0)}) {
    CAPTURE(t);
    dynamics.SetTime(t);
    dynamics.ExternalWrench(q, q, wrench);
    CHECK(wrench[0] == newtons);
  }
}

}  // namespace
}  // namespace idbench
