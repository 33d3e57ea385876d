#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "robots/control/computed_torque.h"
#include "robots/temporary_folder_test.h"
#include "sim/mujoco_robot.h"
#include "sim/rollout.h"
#include "sim/truth/compile_truth.h"
#include "sim/truth/true_dynamics.h"
#include "sim/two_link_test.h"

/// Simulations of robots that are touched and pushed.
namespace idbench {
namespace {

constexpr const char* kIntegrators[] = {"Euler", "implicitfast", "discrete", "implicit", "RK4"};

/// A cart that moves freely in space, without gravity, with a pendulum on it.
Robot FreeChain(const TemporaryFolder& folder) {
  return LoadRobot(folder.Write("chain.xml", R"(<mujoco><option gravity="0 0 0"/><worldbody>
      <body name="cart"><joint name="x" type="slide" axis="1 0 0"/>
        <joint name="y" type="slide" axis="0 1 0"/><joint name="z" type="slide" axis="0 0 1"/>
        <joint name="turn" axis="0 0 1"/><inertial pos="0 0 0" mass="3" diaginertia="0.1 0.1 0.2"/>
        <body name="pendulum" pos="0.1 0 0"><joint name="swing" axis="0 1 0"/>
          <inertial pos="0 0.05 -0.3" mass="1.5" diaginertia="0.05 0.05 0.01"/></body>
      </body></worldbody></mujoco>)"));
}

Environment EnvironmentOf(const Robot& robot, std::vector<TouchEventOptions> touches,
                          double duration_s = 10.0) {
  return MakeEnvironment({std::move(touches)}, robot, 0, {1, -1, "contact"}, duration_s);
}

PushOptions PushOfPendulum(ForceAxes axes = ForceAxes::kBase) {
  return {.link = "pendulum",
          .point_m = {0.02, 0.1, -0.4},
          .impulse_ns = {0.4, -0.3, 0.2},
          .axes = axes,
          .at_s = 0.05,
          .duration_s = 0.1};
}

/// No torque at all.
class NoTorque : public TorqueLaw {
 public:
  void At(double, Eigen::VectorXd& tau) const override { tau.setZero(); }
};

/// Linear momentum of all bodies [kg·m/s], and their kinetic energy [J], by MuJoCo.
struct Momentum {
  Eigen::Vector3d linear;
  double energy;
};
Momentum MomentumOf(const TrueRobot& robot, const JointState& state) {
  const DataPtr data(mj_makeData(&robot.model()));
  for (int i = 0; i < robot.dofs(); ++i) {
    data->qpos[robot.qpos_address(i)] = state.q(i);
    data->qvel[robot.dof_address(i)] = state.qd(i);
  }
  mj_fwdPosition(&robot.model(), data.get());
  mj_fwdVelocity(&robot.model(), data.get());
  mj_subtreeVel(&robot.model(), data.get());
  mj_energyVel(&robot.model(), data.get());
  return {
      robot.model().body_subtreemass[0] * Eigen::Map<const Eigen::Vector3d>(data->subtree_linvel),
      data->energy[1]};
}

TrueSample SampleOf(int dofs) { return {0.0, JointState::Zero(dofs), Eigen::VectorXd::Zero(dofs)}; }

TEST_CASE("A push gives a free chain its impulse, whatever the integrator") {
  const TemporaryFolder folder;
  const Robot robot = FreeChain(folder);
  const Environment environment = EnvironmentOf(robot, {PushOfPendulum()});
  for (const char* integrator : kIntegrators) {
    for (const bool by_law : {false, true}) {
      CAPTURE(integrator);
      CAPTURE(by_law);
      const TrueRobot truth =
          CompileTruth(robot, robot.FindSet("")->pi, {.integrator = integrator});
      MujocoRobot plant({truth, &environment});
      TrueSample sample = SampleOf(5);
      const Eigen::VectorXd zero = Eigen::VectorXd::Zero(5);
      const NoTorque law;
      plant.Reset(Eigen::VectorXd::Constant(5, 0.3), zero);
      for (int step = 0; step <= 1000; ++step) {  // 0.25 s
        if (by_law) {
          plant.Step(law, sample);
        } else {
          plant.Step(zero, sample);
        }
      }
      const Eigen::Vector3d missing =
          MomentumOf(truth, sample.state).linear - Eigen::Vector3d(0.4, -0.3, 0.2);
      // The force at the beginning of each of 400 steps sums to half a sine less (π/800)²/3. RK4
      // adds nothing to that and follows a law to fourth order; the others move the bodies of a
      // chain to first order, by less than a step per second.
      const bool fourth_order = std::string(integrator) == "RK4";
      const double held = std::pow(std::numbers::pi / 800.0, 2) / 3.0;
      const double tolerance = !fourth_order ? 2.5e-4 : (by_law ? 1e-9 : 1.01 * held);
      CHECK(missing.norm() < tolerance * 0.54);
    }
  }
}

TEST_CASE("A push does the work that the chain gains as energy") {
  const TemporaryFolder folder;
  const Robot robot = FreeChain(folder);
  for (const ForceAxes axes : {ForceAxes::kBase, ForceAxes::kLink}) {
    const Environment environment = EnvironmentOf(robot, {PushOfPendulum(axes)});
    const TrueRobot truth = CompileTruth(robot, robot.FindSet("")->pi, {.integrator = "RK4"});
    MujocoRobot plant({truth, &environment});
    const DataPtr data(mj_makeData(&truth.model()));
    TrueSample sample = SampleOf(5);
    Eigen::VectorXd qd(5);
    qd << 0.2, -0.1, 0.3, 1.0, -2.0;
    plant.Reset(Eigen::VectorXd::Constant(5, 0.3), qd);
    const NoTorque law;
    double work = 0.0, before = 0.0;
    for (int step = 0; step <= 1000; ++step) {
      plant.Step(law, sample);
      if (step == 0) before = MomentumOf(truth, sample.state).energy;
      // Power f·v of the point, by finding its velocity; the trapezoid rule is the sum, as the
      // force is 0 at both ends.
      for (int i = 0; i < 5; ++i) {
        data->qpos[truth.qpos_address(i)] = sample.state.q(i);
        data->qvel[truth.dof_address(i)] = sample.state.qd(i);
      }
      mj_fwdPosition(&truth.model(), data.get());
      const Touch& touch = environment.touches[0];
      const int body = truth.body_of(touch.link);
      const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R(data->xmat + 9 * body);
      const Eigen::Vector3d place =
          Eigen::Map<const Eigen::Vector3d>(data->xpos + 3 * body) + R * touch.p_LT_L;
      Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor> J(3, 5);
      mj_jac(&truth.model(), data.get(), J.data(), nullptr, place.data(), body);
      const Eigen::Vector3d velocity =
          J * Eigen::Map<const Eigen::VectorXd>(data->qvel, truth.dofs());
      const Eigen::Vector3d force = axes == ForceAxes::kLink ? Eigen::Vector3d(R * touch.force)
                                                             : Eigen::Vector3d(touch.force);
      work += plant.step_s() * touch.PartAt(sample.t) * force.dot(velocity);
    }
    CHECK(std::abs(work) > 0.01);
    // The trapezoid rule's (π/400)²/12 of the power's greatest times the duration.
    CHECK(MomentumOf(truth, sample.state).energy - before == doctest::Approx(work).epsilon(1e-4));
  }
}

TEST_CASE("Under a torque law RK4 follows a push to fourth order in the step") {
  const TemporaryFolder folder;
  const Robot robot = FreeChain(folder);
  const Environment environment = EnvironmentOf(robot, {PushOfPendulum(ForceAxes::kLink)});
  const auto end_of = [&](double step_s) {
    const TrueRobot truth =
        CompileTruth(robot, robot.FindSet("")->pi, {.timestep_s = step_s, .integrator = "RK4"});
    MujocoRobot plant({truth, &environment});
    TrueSample sample = SampleOf(5);
    Eigen::VectorXd qd(5);
    qd << 0.2, -0.1, 0.3, 1.0, -2.0;
    plant.Reset(Eigen::VectorXd::Constant(5, 0.3), qd);
    const NoTorque law;
    const auto steps = std::lround(0.2 / step_s);
    for (long step = 0; step <= steps; ++step) plant.Step(law, sample);
    return Eigen::VectorXd(sample.state.q);
  };
  const Eigen::VectorXd exact = end_of(0.0005);
  const double coarse = (end_of(0.01) - exact).norm();
  const double fine = (end_of(0.005) - exact).norm();
  CHECK(coarse > 1e-10);        // above rounding
  CHECK(coarse / fine > 12.0);  // 16 in the limit; a force that is held has 2
}

/// Greatest |τ − ID(q, q̇, q̈) + Jᵀf| over the samples [N·m], with mj_inverse() and mj_jac().
double TouchedResidual(const TrueRobot& robot, const Environment& environment,
                       const Signals& signals) {
  const DataPtr data(mj_makeData(&robot.model()));
  const int n = robot.dofs();
  double residual = 0.0;
  for (Eigen::Index k = 0; k < signals.time_s.size(); ++k) {
    for (int i = 0; i < n; ++i) {
      data->qpos[robot.qpos_address(i)] = signals[kJointPosition](k, i);
      data->qvel[robot.dof_address(i)] = signals[kJointVelocity](k, i);
      data->qacc[robot.dof_address(i)] = signals[kJointAcceleration](k, i);
    }
    mj_inverse(&robot.model(), data.get());
    Eigen::VectorXd torques = Eigen::VectorXd::Zero(n);
    for (const Touch& touch : environment.touches) {
      const int body = robot.body_of(touch.link);
      const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R(data->xmat + 9 * body);
      const Eigen::Vector3d place =
          Eigen::Map<const Eigen::Vector3d>(data->xpos + 3 * body) + R * touch.p_LT_L;
      Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor> J(3, n);
      mj_jac(&robot.model(), data.get(), J.data(), nullptr, place.data(), body);
      const double part = touch.PartAt(signals.time_s(k));
      torques += J.transpose() * (touch.axes == ForceAxes::kLink
                                      ? Eigen::Vector3d(part * (R * touch.force))
                                      : Eigen::Vector3d(part * touch.force));
    }
    for (int i = 0; i < n; ++i) {
      const int dof = robot.dof_address(i);
      const double tau = data->qfrc_inverse[dof] - torques(dof) +
                         robot.FrictionTorque(i, signals[kJointVelocity](k, i), 1.0);
      residual = std::max(residual, std::abs(tau - signals[kJointTorque](k, i)));
    }
  }
  return residual;
}

/// The two links with a touch of the first and a push of the second.
Environment TwoLinkEnvironment() {
  return {{{.link = 0,
            .p_LT_L = {0.05, 0.0, -0.2},
            .force = {8.0, 3.0, -4.0},
            .begin_s = 0.1,
            .ramp_s = 0.1,
            .hold_s = 0.2},
           {.link = 1,
            .p_LT_L = {0.0, 0.02, -0.4},
            .force = {15.0, 0.0, 5.0},
            .axes = ForceAxes::kBase,
            .shape = TouchShape::kHalfSine,
            .begin_s = 0.3,
            .ramp_s = 0.1}}};
}

/// The two links on a motion under their true model, touched or not.
Signals Controlled(const TrueRobot& robot, const Environment* environment,
                   const RequestedSources& sources = {}) {
  TrueDynamics model(robot);  // knows of no touch
  ComputedTorque controller(
      {}, [&](const Eigen::VectorXd& q, const Eigen::VectorXd& qd, const Eigen::VectorXd& qdd,
              Eigen::VectorXd& tau) { model.Torque(q, qd, qdd, tau); });
  return Simulate({robot, environment}, controller, ExactFeedback(), TwoLinkMotion(0.8), 1000.0,
                  sources);
}

TEST_CASE("Samples satisfy the model with what touches, whatever the integrator and friction") {
  const Environment environment = TwoLinkEnvironment();
  std::vector<MujocoPlantOptions> all;
  for (const char* integrator : kIntegrators) all.push_back({.integrator = integrator});
  all.push_back({.friction_integration = FrictionIntegration::kImplicit});
  for (const MujocoPlantOptions& options : all) {
    CAPTURE(options.integrator);
    const TrueRobot robot = TwoLink(options);
    const Signals signals = Controlled(robot, &environment);
    CHECK(TouchedResidual(robot, environment, signals) < 1e-9);  // what the benchmark promises
    CHECK(TouchedResidual(robot, {}, signals) > 1.0);
    const NoTorque law;
    const Signals open = Simulate({robot, &environment}, law, TwoLinkMotion(0.5), 1000.0);
    CHECK(TouchedResidual(robot, environment, open) < 1e-9);
    CHECK(TouchedResidual(robot, {}, open) > 1.0);
  }
}

TEST_CASE("An exact replay stays on its motion and takes the torque that the touch leaves") {
  const TrueRobot robot = TwoLink();
  const Environment environment = TwoLinkEnvironment();
  const TwoLinkMotion motion(0.8);
  const Signals touched = ReplayExactly({robot, &environment}, motion, 500.0);
  const Signals free = ReplayExactly(robot, motion, 500.0);
  CHECK(touched[kJointPosition] == free[kJointPosition]);
  CHECK(TouchedResidual(robot, environment, touched) < 1e-12);
  CHECK(touched[kJointTorque].topRows(50) == free[kJointTorque].topRows(50));  // before 0.1 s
  CHECK((touched[kJointTorque] - free[kJointTorque]).cwiseAbs().maxCoeff() > 1.0);
}

TEST_CASE("Before a touch the robot moves as if there were none; then feedback alone tells it") {
  const TrueRobot robot = TwoLink();
  const Environment environment = TwoLinkEnvironment();
  const Environment nothing;
  const Signals free = Controlled(robot, nullptr);
  const Signals empty = Controlled(robot, &nothing);
  const Signals touched = Controlled(robot, &environment);
  for (const auto channel : {kJointPosition, kJointVelocity, kJointAcceleration, kJointTorque}) {
    CHECK(empty[channel] == free[channel]);
    CHECK(touched[channel].topRows(100) == free[channel].topRows(100));
    CHECK(touched[channel].bottomRows(600) != free[channel].bottomRows(600));
  }
  // The channel of the true wrench: none, none that acts, or what acts.
  CHECK(free[kExternalWrench].size() == 0);
  CHECK(empty[kExternalWrench].rows() == free.time_s.size());
  CHECK(empty[kExternalWrench].isZero(0.0));
  const Eigen::MatrixXd& wrench = touched[kExternalWrench];
  CHECK(wrench.topRows(100).isZero(0.0));
  CHECK(wrench.bottomRows(250).isZero(0.0));  // from 0.55 s on
  // At 0.25 s the touch of the first link alone, which hangs on the base's origin and turns with q1
  // about y.
  const double q1 = touched[kJointPosition](250, 0);
  const Eigen::Matrix3d R = Eigen::AngleAxisd(q1, Eigen::Vector3d::UnitY()).toRotationMatrix();
  const Eigen::Vector3d force = R * Eigen::Vector3d(8.0, 3.0, -4.0);
  const Eigen::Vector3d moment = (R * Eigen::Vector3d(0.05, 0.0, -0.2)).cross(force);
  REQUIRE(touched.time_s(250) == doctest::Approx(0.25).epsilon(0.01));
  CHECK((wrench.row(250).head<3>().transpose() - force).norm() < 1e-12);
  CHECK((wrench.row(250).tail<3>().transpose() - moment).norm() < 1e-12);
}

TEST_CASE("Sensors read what the touch leaves to the ground, and accelerations are the robot's") {
  const TrueRobot robot = TwoLink();
  const Environment environment = TwoLinkEnvironment();
  const Signals touched = Controlled(robot, &environment, SourcesOf(std::array{kBaseWrench}));
  // The same motion without a touch has the base wrench of its momentum alone.
  TrueDynamics dynamics(robot);
  Eigen::VectorXd wrench(6);
  double worst = 0.0;
  for (Eigen::Index k = 0; k < touched.time_s.size(); ++k) {
    dynamics.BaseWrench(touched[kJointPosition].row(k), touched[kJointVelocity].row(k),
                        touched[kJointAcceleration].row(k), wrench);
    worst = std::max(worst, (touched[kBaseWrench].row(k).transpose() +
                             touched[kExternalWrench].row(k).transpose() - wrench)
                                .norm());
  }
  CHECK(worst < 1e-10);  // rounding of some 100 N
}

TEST_CASE("A plant that is reset forgets what touched it") {
  const TrueRobot robot = TwoLink();
  const Environment environment = TwoLinkEnvironment();
  MujocoRobot plant({robot, &environment});
  const Eigen::VectorXd tau = Eigen::Vector2d(1.0, 2.0);
  TrueSample first = SampleOf(2), again = SampleOf(2);
  plant.Reset(tau, tau);
  plant.Step(tau, first);
  for (int k = 0; k < 800; ++k) plant.Step(Eigen::VectorXd::Zero(2), again);  // into the touch
  plant.Reset(tau, tau);
  plant.Step(tau, again);
  CHECK(again.state.qdd == first.state.qdd);
}

}  // namespace
}  // namespace idbench
