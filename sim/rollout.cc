#include "sim/rollout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <stdexcept>

#include "sim/friction_step.h"
#include "sim/mujoco_robot.h"
#include "sim/truth/presliding.h"
#include "sim/truth/true_dynamics.h"

namespace idbench {
namespace {

constexpr double kRateRounding = 1e-9;  // of a quotient of two rates

Signals Allocate(Eigen::Index samples, int dofs) {
  Signals signals;
  signals.time_s.setZero(samples);
  for (const auto channel : {kJointPosition, kJointVelocity, kJointAcceleration, kJointTorque}) {
    signals[channel].setZero(samples, dofs);
  }
  return signals;
}

void Store(double t, const JointState& state, const Eigen::VectorXd& tau, Eigen::Index row,
           Signals& signals) {
  signals.time_s(row) = t;
  signals[kJointPosition].row(row) = state.q.transpose();
  signals[kJointVelocity].row(row) = state.qd.transpose();
  signals[kJointAcceleration].row(row) = state.qdd.transpose();
  signals[kJointTorque].row(row) = tau.transpose();
}

void AddExternalWrench(const Scene& scene, Signals& signals) {
  TrueDynamics dynamics(scene);
  Eigen::MatrixXd& wrenches = signals[kExternalWrench];
  wrenches.setZero(signals.time_s.size(), kWrenchComponents.size());
  Eigen::VectorXd wrench(kWrenchComponents.size());
  for (Eigen::Index i = 0; i < signals.time_s.size(); ++i) {
    dynamics.SetTime(signals.time_s(i));
    dynamics.ExternalWrench(signals[kJointPosition].row(i), signals[kJointVelocity].row(i), wrench);
    wrenches.row(i) = wrench.transpose();
  }
}

/// Adds what is known of all samples at once.
void AddRequested(const Scene& scene, const Motion& desired, const RequestedSources& requested,
                  Signals& signals) {
  if (scene.environment != nullptr) AddExternalWrench(scene, signals);
  for (const SignalSource* source : requested) source->add(scene, desired, signals);
}

/// Steps of the robot between two instants of something that has `rate_hz`.
Eigen::Index StepsPerPeriod(const char* whose, double rate_hz, double step_s) {
  if (const std::optional<Issue> issue = CheckRate(whose, rate_hz, step_s)) {
    throw std::invalid_argument(fmt::format("Record: {}: {}: {}", issue->where, issue->what,
                                            fmt::join(issue->details, "; ")));
  }
  return static_cast<Eigen::Index>(std::llround(1.0 / (rate_hz * step_s)));
}

}  // namespace

std::optional<Issue> CheckRate(const std::string& where, double rate_hz, double step_s) {
  const double steps = 1.0 / (rate_hz * step_s);
  if (steps > 0.5 && std::abs(steps - std::round(steps)) <= kRateRounding * steps) return {};
  const double more = std::floor(steps);
  const double step_rate = 1.0 / step_s;
  const std::string nearest =
      more < 1.0 ? fmt::format("{:.6g} Hz", step_rate)
                 : fmt::format("{:.6g} Hz, {:.6g} Hz", step_rate / more, step_rate / (more + 1.0));
  return Issue{where,
               fmt::format("a rate of {} Hz does not divide the plant's {:.6g} steps per second",
                           rate_hz, step_rate),
               {"nearest that do: " + nearest}};
}

Signals Record(SimulatedRobot& robot, Controller& controller, FeedbackSource& feedback,
               const Motion& motion, double rate_hz) {
  const Eigen::Index period = StepsPerPeriod("sensors", rate_hz, robot.step_s());
  if (controller.hold_s() > 0.0) {
    StepsPerPeriod("control", 1.0 / controller.hold_s(), robot.step_s());  // refuses other rates
  }
  const HeldControl control(controller, motion, robot.dofs(), robot.step_s());
  const Eigen::Index first = control.steps_per_hold() / 2;
  const Eigen::Index steps = control.steps();
  Signals signals = Allocate(steps > first ? (steps - first - 1) / period + 1 : 0, robot.dofs());
  Eigen::Index step = 0;
  RunExperiment(robot, controller, feedback, motion, [&](const TrueSample& sample) {
    const Eigen::Index since_first = step++ - first;
    if (since_first < 0 || since_first % period != 0) return;
    Store(sample.t, sample.state, sample.tau, since_first / period, signals);
  });
  return signals;
}

Signals Simulate(const Scene& scene, Controller& controller, FeedbackSource& feedback,
                 const Motion& motion, double rate_hz, const RequestedSources& requested) {
  CheckFrictionStep(scene.robot, motion);
  MujocoRobot robot(scene);
  Signals signals = Record(robot, controller, feedback, motion, rate_hz);
  AddRequested(scene, motion, requested, signals);
  return signals;
}

Signals Simulate(const Scene& scene, const TorqueLaw& law, const Motion& initial, double rate_hz,
                 const RequestedSources& requested) {
  CheckFrictionStep(scene.robot, initial);
  MujocoRobot robot(scene);
  const Eigen::Index period = StepsPerPeriod("sensors", rate_hz, robot.step_s());
  const auto steps = static_cast<Eigen::Index>(std::llround(initial.duration_s() / robot.step_s()));
  Signals signals = Allocate(steps / period + 1, scene.robot.dofs());
  TrueSample sample{0.0, JointState::Zero(scene.robot.dofs()),
                    Eigen::VectorXd::Zero(scene.robot.dofs())};
  initial.Evaluate(0.0, sample.state);
  robot.Reset(sample.state.q, sample.state.qd);
  for (Eigen::Index step = 0; step <= steps; ++step) {
    robot.Step(law, sample);  // the last one, past the end, for its beginning
    if (step % period == 0) {
      Store(sample.t, sample.state, sample.tau, step / period, signals);
    }
  }
  AddRequested(scene, initial, requested, signals);
  return signals;
}

Signals ReplayExactly(const Scene& scene, const Motion& motion, double rate_hz,
                      const RequestedSources& requested) {
  if (scene.robot.mismatch().NeedsSimulation()) {
    throw std::invalid_argument(
        "ReplayExactly: LuGre friction, frictionloss and torques in steps need a simulation");
  }
  const double periods = motion.duration_s() * rate_hz;
  Signals signals = Allocate(static_cast<Eigen::Index>(std::ceil(periods * (1.0 - kRateRounding))),
                             scene.robot.dofs());
  TrueDynamics dynamics(scene);
  Presliding presliding(scene.robot);
  JointState state = JointState::Zero(scene.robot.dofs());
  Eigen::VectorXd tau(scene.robot.dofs());
  double before_s = 0.0;
  for (Eigen::Index row = 0; row < signals.time_s.size(); ++row) {
    const double t = static_cast<double>(row) / rate_hz;
    motion.Evaluate(t, state);
    dynamics.SetTime(t);
    dynamics.Torque(state.q, state.qd, state.qdd, tau);
    presliding.Follow(motion, before_s, t);
    presliding.AddTorques(scene.robot.FrictionFactor(t), state.qd, dynamics.load(), tau);
    before_s = t;
    Store(t, state, tau, row, signals);
  }
  AddRequested(scene, motion, requested, signals);
  return signals;
}

}  // namespace idbench
