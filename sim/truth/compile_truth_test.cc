#include "sim/truth/compile_truth.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "robots/dynamics/end_effector_wrench.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/physical_inertia.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/config_error.h"
#include "sim/truth/true_dynamics.h"

namespace idbench {
namespace {

/// Largest difference between MuJoCo's torque of the compiled truth and Newton-Euler with `pi`,
/// relative to the largest torque.
double WorstError(const Robot& robot, const Eigen::VectorXd& pi) {
  const TrueRobot truth = CompileTruth(robot, pi, {});
  TrueDynamics dynamics(truth);
  const Dynamics model(robot.model, truth.friction_shape());
  Dynamics::Scratch scratch(model);
  const FixedStates states = MakeFixedStates(robot.model, 20, 5);
  Eigen::VectorXd expected(robot.model.dofs()), tau(robot.model.dofs());
  double error = 0.0;
  double largest = 0.0;
  for (Eigen::Index k = 0; k < 20; ++k) {
    const Eigen::VectorXd q = states.q.row(k), qd = states.qd.row(k), qdd = states.qdd.row(k);
    model.InverseDynamics(pi, q, qd, qdd, scratch, expected);
    dynamics.Torque(q, qd, qdd, tau);
    error = std::max(error, (tau - expected).cwiseAbs().maxCoeff());
    largest = std::max(largest, expected.cwiseAbs().maxCoeff());
  }
  return error / largest;
}

TEST_CASE("Every catalogued robot is simulated with the values of its nominal set") {
  for (const std::string& name : RobotNames()) {
    CAPTURE(name);
    const Robot robot = LoadRobot(name);
    // Principal axes are found and rotated back: some 1e-15 for each of at most eight links.
    CHECK(WorstError(robot, robot.FindSet("")->pi) < 1e-12);
  }
}

TEST_CASE("The true wrench at a cut is that of the model, before and beyond its link") {
  for (const std::string& name : RobotNames()) {
    CAPTURE(name);
    Robot robot = LoadRobot(name);
    const int middle = robot.model.dofs() / 2;
    std::vector<Cut> cuts;
    for (const bool link_beyond : {true, false}) {
      if (!link_beyond && robot.model.subtree_size(middle) == 1) continue;
      cuts.push_back({fmt::format("cut{}", link_beyond), middle,
                      Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 2) / 3.0).toRotationMatrix(),
                      Eigen::Vector3d(0.1, 0.2, -0.3), link_beyond});
    }
    robot.model.SetCuts(std::move(cuts));
    const Eigen::VectorXd pi = robot.FindSet("")->pi;
    const TrueRobot truth = CompileTruth(robot, pi, {});
    TrueDynamics exact(truth);
    const Dynamics model(robot.model);
    Dynamics::Scratch scratch(model);
    const FixedStates states = MakeFixedStates(robot.model, 10, 6);
    REQUIRE(truth.cuts().size() == robot.model.cuts().size());
    for (std::size_t cut = 0; cut < truth.cuts().size(); ++cut) {
      Eigen::MatrixXd expected(10, 6);
      model.CutWrench(static_cast<int>(cut), pi, states.samples(), scratch, expected);
      Eigen::VectorXd wrench(6);
      for (Eigen::Index k = 0; k < 10; ++k) {
        exact.CutWrench(truth.cuts()[cut], states.q.row(k).transpose(),
                        states.qd.row(k).transpose(), states.qdd.row(k).transpose(), wrench);
        // As for the torques, from which they differ by an arm of 0.4 m.
        CHECK((wrench - expected.row(k).transpose()).norm() <= 1e-11 * expected.norm());
      }
    }
  }
}

TEST_CASE("A cut reads what MuJoCo's sensors of force and torque read") {
  const TemporaryFolder folder;
  // The site's body is fixed to the link: MuJoCo's sensors read between the two.
  folder.Write("arm.xml", R"(<mujoco><compiler angle="radian"/><option gravity="0 0 -9.81"/>
    <worldbody><body name="base"><body name="upper" pos="0 0 0.4">
      <inertial pos="0.1 0 0.2" mass="2" diaginertia="0.02 0.03 0.01"/>
      <joint name="one" axis="0 1 0"/>
      <body name="fore" pos="0.05 0 0.5" euler="0.3 -0.2 0.6">
        <inertial pos="0.02 0.03 0.1" mass="1.2" diaginertia="0.01 0.02 0.015"/>
        <joint name="two" axis="1 0 0"/><site name="ft" pos="0.01 0.02 0.03" euler="0.4 0.1 -0.9"/>
      </body></body></body></worldbody>
    <sensor><force site="ft"/><torque site="ft"/></sensor></mujoco>)");
  Robot robot = LoadRobot(folder / "arm.xml");
  const ModelPtr model(mj_loadXML((folder / "arm.xml").string().c_str(), nullptr, nullptr, 0));
  REQUIRE(model);
  const DataPtr data(mj_makeData(model.get()));
  Eigen::Matrix3d R_LS;
  std::array<mjtNum, 9> axes;
  mju_quat2Mat(axes.data(), model->site_quat);
  for (int k = 0; k < 9; ++k) R_LS(k / 3, k % 3) = axes[static_cast<std::size_t>(k)];
  robot.model.SetCuts({{"ft", 1, R_LS, Eigen::Vector3d(0.01, 0.02, 0.03)}});
  const TrueRobot truth = CompileTruth(robot, robot.FindSet("")->pi, {});
  TrueDynamics exact(truth);
  const Eigen::Vector2d q(0.7, -0.4), qd(1.5, -2.0);
  for (int j = 0; j < 2; ++j) {
    data->qpos[j] = q[j];
    data->qvel[j] = qd[j];
  }
  mj_forward(model.get(), data.get());  // free fall of both joints
  const Eigen::Vector2d qdd(data->qacc[0], data->qacc[1]);
  Eigen::VectorXd wrench(6);
  exact.CutWrench(truth.cuts()[0], q, qd, qdd, wrench);
  for (int k = 0; k < 6; ++k)
    CHECK(wrench[k] == doctest::Approx(data->sensordata[k]).epsilon(1e-9));
  CHECK(wrench.head<3>().norm() > 1.0);
}

TEST_CASE("An IMU is beside the place that the model says, and senses there") {
  Robot robot = LoadRobot("leg2");
  robot.model.SetImu({0, Eigen::Vector3d(0.0, 0.0, 0.3)});
  const Eigen::VectorXd pi = robot.FindSet("")->pi;
  const TrueRobot told = CompileTruth(robot, pi, {});
  const TrueRobot beside = CompileTruth(robot, pi, {}, {}, {}, Eigen::Vector3d(0.0, 0.0, -0.05));
  // (63) with q1 from the downward vertical and both signs right, l the IMU's distance from the
  // pivot: a_x = l·q̈1 + g·sin q1, a_z = −l·q̇1² − g·cos q1.
  const Eigen::Vector2d q(0.6, -0.4), qd(1.5, 2.0), qdd(-3.0, 8.0);
  for (const auto& [truth, l] : {std::pair(&told, 0.3), std::pair(&beside, 0.25)}) {
    const ImuReading reading = TrueDynamics(*truth).Imu(q, qd, qdd);
    const Eigen::Vector3d expected(l * qdd[0] + 9.81 * std::sin(q[0]), 0.0,
                                   -l * qd[0] * qd[0] - 9.81 * std::cos(q[0]));
    CHECK((reading.acceleration - expected).norm() < 1e-13);  // rounding of numbers up to 10
    CHECK((reading.angular_velocity - Eigen::Vector3d(0.0, qd[0], 0.0)).norm() < 1e-15);
  }
}

/// Largest difference between MuJoCo's base wrench of the compiled truth and that of our own kernel
/// with `pi`, relative to the largest force or moment.
double WorstWrenchError(const Robot& robot, const Eigen::VectorXd& pi) {
  const TrueRobot truth = CompileTruth(robot, pi, {});
  TrueDynamics dynamics(truth);
  const Dynamics model(robot.model, truth.friction_shape());
  Dynamics::Scratch scratch(model);
  const FixedStates states = MakeFixedStates(robot.model, 20, 6);
  Eigen::MatrixXd expected(20, 6);
  model.BaseWrench(pi, states.samples(), scratch, expected);
  Eigen::VectorXd wrench(6);
  double error = 0.0;
  for (Eigen::Index k = 0; k < 20; ++k) {
    dynamics.BaseWrench(states.q.row(k), states.qd.row(k), states.qdd.row(k), wrench);
    error = std::max(error, (wrench - expected.row(k).transpose()).cwiseAbs().maxCoeff());
  }
  return error / expected.cwiseAbs().maxCoeff();
}

TEST_CASE("The base wrench is that of Newton and Euler, the true base link's weight included") {
  for (const std::string& name : RobotNames()) {
    CAPTURE(name);
    const Robot robot = LoadRobot(name);
    Eigen::VectorXd pi = robot.FindSet("")->pi;
    CHECK(WorstWrenchError(robot, pi) < 1e-12);
    // Another base than the model file's.
    pi.head(kInertialCount) =
        ToStandard({3.0, {0.2, -0.1, 0.4}, Eigen::Vector3d(0.1, 0.2, 0.25).asDiagonal()});
    CHECK(WorstWrenchError(robot, pi) < 1e-12);
  }
}

TEST_CASE("A turned base with two trees on it has one wrench, in its own axes") {
  const TemporaryFolder folder;
  const std::string file = folder.Write("two_trees.xml", R"(<mujoco><worldbody>
    <body name="stand" pos="0.3 -0.2 1" quat="0.8 0 0.6 0">
      <inertial pos="0 0.1 0.2" mass="5" diaginertia="0.1 0.1 0.1"/>
      <body name="left" pos="0 0.4 0"><joint name="l" axis="0 1 0"/>
        <inertial pos="0.1 0 0.2" mass="2" diaginertia="0.1 0.2 0.15"/></body>
      <body name="bracket" pos="0 -0.4 0" euler="30 0 10">
        <inertial pos="0.1 0 0" mass="1" diaginertia="0.01 0.01 0.01"/>
        <body name="right"><joint name="r" axis="1 0 0"/>
          <inertial pos="0 0.1 0.2" mass="3" diaginertia="0.1 0.2 0.15"/></body></body>
    </body>
    <body name="aside" pos="1 1 0"><joint name="a" axis="0 0 1" type="slide"/>
      <inertial pos="0 0.1 0" mass="4" diaginertia="0.1 0.2 0.15"/></body>
    </worldbody></mujoco>)");
  const Robot robot = LoadRobot(file);
  CHECK(WorstWrenchError(robot, robot.FindSet("")->pi) < 1e-12);
}

TEST_CASE("The wrench at the end effector is by MuJoCo's Jacobian what it is by ours") {
  Robot robot = LoadRobot("barrett_wam7");
  robot.model.SetEndEffector({5, {0.02, -0.01, 0.1}});
  const Eigen::VectorXd pi = robot.FindSet("")->pi;
  const TrueRobot truth = CompileTruth(robot, pi, {});
  TrueDynamics dynamics(truth);
  const Eigen::VectorXd tau = Eigen::VectorXd::LinSpaced(7, -2.0, 3.0);
  const FixedStates states = MakeFixedStates(robot.model, 20, 6);
  Eigen::MatrixXd T(6, 7);
  Eigen::VectorXd wrench(6);
  for (Eigen::Index k = 0; k < 20; ++k) {
    const Eigen::VectorXd q = states.q.row(k);
    WrenchFromTorque(PointJacobian(robot.model, q, 5, {0.02, -0.01, 0.1}), T);
    dynamics.WrenchAtEndEffector(q, tau, wrench);
    // Round-off times the squared condition; link 6 has six joints before it, and joint 7 none.
    CHECK((wrench - T * tau).norm() < 1e-9 * wrench.norm());
  }
}

TEST_CASE("Values other than the model file's are simulated, joint parameters included") {
  const Robot robot = LoadRobot("planar3");
  Eigen::VectorXd pi = robot.FindSet("")->pi;
  pi.head(kInertialCount * 4) *= 1.3;
  const ParameterLayout layout(3);
  for (int joint = 0; joint < 3; ++joint) {
    pi[layout.Joint(joint, JointParameter::kOffset)] = 0.3 * joint - 0.2;
    pi[layout.Joint(joint, JointParameter::kRotorInertia)] = 0.05 + 0.01 * joint;
  }
  CHECK(WorstError(robot, pi) < 1e-12);
}

TEST_CASE("What is welded to a link is simulated as a part of it") {
  const TemporaryFolder folder;
  const std::string file = folder.Write(
      "robot.xml", R"(<mujoco><worldbody><body name="stand"><body name="arm" pos="0 0 1">
    <joint name="j" axis="0 1 0"/><inertial pos="0.1 0 0.2" mass="2" diaginertia="0.1 0.2 0.15"/>
    <body name="tool" pos="0.3 0 0" quat="0.8 0 0.6 0">
      <inertial pos="0 0.05 0.1" mass="0.5" diaginertia="0.01 0.02 0.015"/>
      <body name="tip" pos="0 0 0.1"><joint name="k" axis="1 0 0"/>
        <inertial pos="0 0 0.1" mass="0.2" diaginertia="0.001 0.002 0.0015"/></body>
    </body></body></body></worldbody></mujoco>)");
  const Robot robot = LoadRobot(file);
  CHECK(robot.model.dofs() == 2);
  CHECK(WorstError(robot, robot.FindSet("")->pi) < 1e-12);
}

TEST_CASE("A file whose inertias MuJoCo refuses is simulated with physical ones, the base's too") {
  const TemporaryFolder folder;
  const std::string file = folder.Write("robot.xml", R"(<mujoco><worldbody><body name="stand">
    <inertial pos="0 0 0.1" mass="4" diaginertia="1 -1 1"/><body name="arm">
    <joint axis="0 1 0"/><inertial pos="0.1 0 0.2" mass="-2" diaginertia="0.1 0.2 0.9"/>
    <body name="hand" pos="0.3 0 0"><joint axis="1 0 0"/></body></body></body></worldbody>
    </mujoco>)");
  const Robot robot = LoadRobot(file);
  CHECK_THROWS_AS(CompileTruth(robot, robot.FindSet("")->pi, {}), ConfigError);
  const PhysicalParameters physical = MakePhysical(robot.model, robot.FindSet("")->pi);
  CHECK(physical.changed == std::vector<std::string>{"stand", "arm", "hand"});
  CHECK(WorstError(robot, physical.pi) < 1e-12);
  CHECK(CompileTruth(robot, physical.pi, {}).model().body_mass[1] == 4.0);
}

TEST_CASE("An inertia that no body has is refused with the simulator's words") {
  const Robot robot = LoadRobot("planar1");
  Eigen::VectorXd pi = robot.FindSet("")->pi;
  pi[ParameterLayout(1).Body(0)] = -1.0;
  CHECK_THROWS_AS(CompileTruth(robot, pi, {}), ConfigError);
}

}  // namespace
}  // namespace idbench
