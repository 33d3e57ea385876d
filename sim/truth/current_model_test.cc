#include "sim/truth/current_model.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "robots/control/computed_torque.h"
#include "robots/plant/plant_error.h"
#include "robots/temporary_folder_test.h"
#include "sim/friction_step.h"
#include "sim/mujoco_robot.h"
#include "sim/rollout.h"
#include "sim/truth/compile_truth.h"
#include "sim/truth/true_dynamics.h"

namespace idbench {
namespace {

/// q_j = 0.3·sin((2 + j)·t).
class Sway : public Motion {
 public:
  explicit Sway(double duration_s) : duration_s_(duration_s) {}
  double duration_s() const override { return duration_s_; }
  void Evaluate(double t, JointState& desired) const override {
    for (Eigen::Index j = 0; j < desired.q.size(); ++j) {
      const double w = 2.0 + static_cast<double>(j);
      desired.q(j) = 0.3 * std::sin(w * t);
      desired.qd(j) = 0.3 * w * std::cos(w * t);
      desired.qdd(j) = -0.3 * w * w * std::sin(w * t);
    }
  }
  void Describe(CanonicalText& text) const override {
    text.Add("kind", "sway").Add("duration_s", duration_s_);
  }

 private:
  double duration_s_;
};

/// A turned box comes to the last link at 0.2 s, is filled from 0.4 s to 0.7 s, and goes at 0.8 s;
/// a point is on the first link from the beginning.
std::vector<PayloadEventOptions> ChangingPayloads(const RobotModel& model) {
  return {
      AttachOptions{.at_s = 0.0,
                    .payload = "point",
                    .link = model.link(0).name,
                    .mass_kg = 0.4,
                    .com_m = {0.1, 0.0, 0.2}},
      AttachOptions{.at_s = 0.2,
                    .mass_kg = 0.5,
                    .com_m = {0.05, -0.02, 0.1},
                    .inertia_kgm2 = std::vector<double>{0.02, 0.03, 0.025, 0.002, -0.001, 0.003}},
      RampOptions{.from_s = 0.4, .to_s = 0.7, .mass_kg = 2.0}, DetachOptions{.at_s = 0.8}};
}

/// π with the payloads of time t in their links.
Eigen::VectorXd PiAt(const Eigen::VectorXd& pi, const std::vector<Payload>& payloads, int dofs,
                     double t) {
  Eigen::VectorXd loaded = pi;
  for (const Payload& payload : payloads) {
    loaded.segment<kInertialCount>(ParameterLayout(dofs).Body(payload.link)) +=
        payload.PartAt(t) * ToStandard(payload.inertia);
  }
  return loaded;
}

struct Residuals {
  double torque = 0.0, wrench = 0.0;
};

/// Greatest difference between recorded signals and our own kernel with the payloads of each
/// instant, relative to the greatest number.
Residuals ResidualOf(const Robot& robot, const std::vector<Payload>& payloads,
                     const Signals& signals) {
  const Dynamics model(robot.model, {MujocoPlantOptions().coulomb_width_rad_s});
  Dynamics::Scratch scratch(model);
  const int n = robot.model.dofs();
  Eigen::MatrixXd tau(1, n), wrench(1, 6);
  Residuals residual;
  for (Eigen::Index i = 0; i < signals.time_s.size(); ++i) {
    const Eigen::VectorXd pi = PiAt(robot.FindSet("")->pi, payloads, n, signals.time_s(i));
    const StateSamples state{signals[kJointPosition].row(i), signals[kJointVelocity].row(i),
                             signals[kJointAcceleration].row(i)};
    model.InverseDynamics(pi, state, scratch, tau);
    model.BaseWrench(pi, state, scratch, wrench);
    residual.torque =
        std::max(residual.torque, (tau - signals[kJointTorque].row(i)).cwiseAbs().maxCoeff());
    residual.wrench =
        std::max(residual.wrench, (wrench - signals[kBaseWrench].row(i)).cwiseAbs().maxCoeff());
  }
  return {residual.torque / signals[kJointTorque].cwiseAbs().maxCoeff(),
          residual.wrench / signals[kBaseWrench].cwiseAbs().maxCoeff()};
}

TrueRobot Loaded(const Robot& robot, const std::vector<Payload>& payloads,
                 const MujocoPlantOptions& options = {}) {
  return CompileTruth(robot, robot.FindSet("")->pi, options, {}, payloads);
}

Signals Simulated(const Robot& robot, const TrueRobot& truth, double rate_hz) {
  const Dynamics model(robot.model, truth.friction_shape());
  Dynamics::Scratch scratch(model);
  ComputedTorque controller({}, [&](const Eigen::VectorXd& q, const Eigen::VectorXd& qd,
                                    const Eigen::VectorXd& qdd, Eigen::VectorXd& tau) {
    model.InverseDynamics(robot.FindSet("")->pi, q, qd, qdd, scratch, tau);
  });
  TrueFeedback feedback;
  return Simulate(truth, controller, feedback, Sway(1.0), rate_hz,
                  SourcesOf(std::array{kBaseWrench}));
}

TEST_CASE("Exact replay has the torque and the base wrench of the payloads of each instant") {
  for (const std::string& name : RobotNames()) {
    CAPTURE(name);
    const Robot robot = LoadRobot(name);
    const std::vector<Payload> payloads = MakePayloads(ChangingPayloads(robot.model), robot);
    const Signals signals = ReplayExactly(Loaded(robot, payloads), Sway(1.0), 100.0,
                                          SourcesOf(std::array{kBaseWrench}));
    const Residuals residual = ResidualOf(robot, payloads, signals);
    // Principal axes are found and rotated back: some 1e-15 for each body.
    CHECK(residual.torque < 1e-12);
    CHECK(residual.wrench < 1e-12);
  }
}

TEST_CASE("A simulated sample satisfies the model with the payloads of its instant") {
  const Robot robot = LoadRobot("planar3");
  const std::vector<Payload> payloads = MakePayloads(ChangingPayloads(robot.model), robot);
  for (const char* integrator : {"implicitfast", "RK4", "discrete"}) {
    CAPTURE(integrator);
    const Signals signals =
        Simulated(robot, Loaded(robot, payloads, {.integrator = integrator}), 4000.0);
    const Residuals residual = ResidualOf(robot, payloads, signals);
    CHECK(residual.torque < 1e-9);  // what the benchmark promises
    CHECK(residual.wrench < 1e-9);
    // The payloads matter: without them the same samples are far off.
    CHECK(ResidualOf(robot, {}, signals).torque > 0.01);
  }
}

TEST_CASE("The state is carried over: a velocity changes by its acceleration alone") {
  const Robot robot = LoadRobot("planar3");
  const TrueRobot truth = Loaded(robot, MakePayloads(ChangingPayloads(robot.model), robot));
  const Signals signals = Simulated(robot, truth, 4000.0);
  double worst = 0.0;
  for (Eigen::Index i = 0; i + 1 < signals.time_s.size(); ++i) {
    worst = std::max(worst, (signals[kJointVelocity].row(i + 1) - signals[kJointVelocity].row(i) -
                             0.00025 * signals[kJointAcceleration].row(i))
                                .cwiseAbs()
                                .maxCoeff());
  }
  CHECK(worst < 1e-12);  // facts: max |q̈ − Δq̇/h| of implicitfast without damping
}

TEST_CASE("Before its attachment a payload changes nothing, and a reset takes it away") {
  const Robot robot = LoadRobot("planar3");
  const std::vector<PayloadEventOptions> events = {AttachOptions{.at_s = 0.5, .mass_kg = 2.0}};
  const TrueRobot plain = Loaded(robot, {});
  const TrueRobot loaded = Loaded(robot, MakePayloads(events, robot));
  const Signals without = Simulated(robot, plain, 100.0);
  const Signals with = Simulated(robot, loaded, 100.0);
  CHECK(with[kJointPosition].topRows(50) == without[kJointPosition].topRows(50));
  CHECK(with[kJointPosition].bottomRows(49) != without[kJointPosition].bottomRows(49));
  MujocoRobot plant(loaded);
  TrueSample first{0.0, JointState::Zero(3), Eigen::VectorXd::Zero(3)};
  TrueSample again = first;
  const Eigen::VectorXd q = Eigen::Vector3d(0.1, 0.2, 0.3);
  const Eigen::VectorXd tau = Eigen::Vector3d(1.0, 2.0, 3.0);
  plant.Reset(q, q);
  plant.Step(tau, first);
  for (int i = 0; i < 2100; ++i) plant.Step(Eigen::VectorXd::Zero(3), again);
  plant.Reset(q, q);
  plant.Step(tau, again);
  CHECK(again.state.qdd == first.state.qdd);
}

TEST_CASE("A payload on a body that MuJoCo has shortcuts for is not overlooked") {
  // Centre of mass in the frame's origin, diagonal inertia, child of the world: "simple".
  const TemporaryFolder folder;
  const Robot robot = LoadRobot(folder.Write("simple.xml", R"(<mujoco><worldbody><body name="cart">
      <joint name="x" type="slide" axis="1 0 0"/><joint name="y" type="slide" axis="0 1 0"/>
      <joint name="turn" axis="0 0 1"/>
      <inertial pos="0 0 0" mass="3" diaginertia="0.1 0.1 0.1"/></body></worldbody></mujoco>)"));
  const std::vector<PayloadEventOptions> events = {
      AttachOptions{.at_s = 0.2, .mass_kg = 0.5, .com_m = {0.3, 0.1, 0.0}},
      DetachOptions{.at_s = 0.8}};
  const std::vector<Payload> payloads = MakePayloads(events, robot);
  const Signals signals = Simulated(robot, Loaded(robot, payloads), 1000.0);
  CHECK(ResidualOf(robot, payloads, signals).torque < 1e-9);
}

TEST_CASE("The step check knows that the robot is lightest without its payloads") {
  const TemporaryFolder folder;
  const Robot robot = LoadRobot(folder.Write("wrist.xml", R"(<mujoco><worldbody><body name="hand">
      <joint name="wrist" axis="0 0 1"/>
      <inertial pos="0 0 0" mass="0.07" diaginertia="0.0003 0.0003 0.0003"/></body></worldbody>
      </mujoco>)"));
  Eigen::VectorXd pi = robot.FindSet("")->pi;
  pi[ParameterLayout(1).Joint(0, JointParameter::kCoulomb)] = 0.06;
  const std::vector<PayloadEventOptions> events = {
      AttachOptions{.at_s = 0.1, .mass_kg = 1.0, .inertia_kgm2 = std::vector<double>{1, 1, 1}}};
  const TrueRobot truth =
      CompileTruth(robot, pi, {.coulomb_width_rad_s = 0.005}, {}, MakePayloads(events, robot));
  // The bound is I·w/fc = 0.0003·0.005/0.06.
  CHECK_THROWS_WITH_AS(
      CheckFrictionStep(truth, Sway(1.0)),
      "friction of joint 'wrist' would chatter: timestep_s is 0.00025 s, at most "
      "2.5e-05 s does; or set /plant/friction_integration to \"implicit\", or give "
      "the joint its rotor inertia, or take a larger coulomb_width_rad_s than "
      "0.005",
      PlantError);
}

}  // namespace
}  // namespace idbench
