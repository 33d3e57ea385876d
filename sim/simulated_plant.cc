#include "sim/simulated_plant.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "sim/friction_step.h"
#include "sim/rollout.h"

namespace idbench {
namespace {

/// A robot that stays where it is.
class Standstill : public Motion {
 public:
  explicit Standstill(const Eigen::VectorXd& q) : q_(q) {}
  double duration_s() const override { return 0.0; }
  void Evaluate(double, JointState& desired) const override {
    desired.q = q_;
    desired.qd.setZero();
    desired.qdd.setZero();
  }
  void Describe(CanonicalText& text) const override { text.Add("kind", "standstill").Add("q", q_); }

 private:
  Eigen::VectorXd q_;
};

/// True for signals that a robot has while it moves.
bool IsOfJoints(std::string_view signal) {
  return signal == kJointPosition || signal == kJointVelocity || signal == kJointTorque;
}

std::int64_t StepsPerExchange(double rate_hz, double step_s) {
  if (const std::optional<Issue> issue = CheckRate("the plant", rate_hz, step_s)) {
    throw std::invalid_argument(
        fmt::format("SimulatedPlant: {}; {}", issue->what, fmt::join(issue->details, "; ")));
  }
  return std::llround(1.0 / (rate_hz * step_s));
}

}  // namespace

SimulatedPlant::SimulatedPlant(const Scene& scene, const SensorOptions& sensors, double rate_hz,
                               const SensorKey& key)
    : robot_(scene.robot),
      moved_(scene),
      key_(key),
      steps_per_exchange_(StepsPerExchange(rate_hz, moved_.step_s())),
      state_(JointState::Zero(robot_.dofs())),
      sample_{0.0, state_, Eigen::VectorXd::Zero(robot_.dofs())} {
  info_.dofs = robot_.dofs();
  info_.period_s = static_cast<double>(steps_per_exchange_) * moved_.step_s();
  info_.modes = {CommandMode::kTorque};
  info_.starts_moving = true;
  // Each step but a Runge-Kutta one takes the torque at its beginning.
  const auto steps = static_cast<double>(steps_per_exchange_);
  const bool continuous = robot_.options().integrator == "RK4";
  info_.torque_delay_periods = continuous ? 0.5 : 0.5 * (steps - 1.0) / steps;
  for (const ChannelSensorOptions* sensor : sensors.channels()) {
    const ChannelInfo& channel = *sensor->channel;
    if (sensor->origin != SensorOrigin::kMeasured || !IsOfJoints(channel.signal)) continue;
    sensors_.push_back({&channel, SensorChain(*sensor)});
    info_.channels.emplace_back(channel.name);
  }
  if (std::ranges::find(info_.channels, kJointPosition) == info_.channels.end()) {
    throw std::invalid_argument("SimulatedPlant: joint_position is not measured");
  }
}

void SimulatedPlant::MoveTo(const ExperimentStart& start, Reading& reading) {
  CheckFrictionStep(robot_, Standstill(start.q));
  moved_.Reset(start.q, start.qd);
  moved_.State(state_);
  limits_ = start.limits;
  exchanges_ = 0;
  if (HasFallen()) {
    throw std::invalid_argument(
        "SimulatedPlant: an experiment cannot begin beyond the range of a joint, or beyond one of "
        "its own limits");
  }
  running_ = true;
  for (Sensor& sensor : sensors_) {
    sensor.chain.Reset({key_.seed, key_.trial,
                        fmt::format("{}/{}/{}", key_.name, experiments_, sensor.channel->name)});
  }
  ++experiments_;
  reading.channels.clear();
  Read(Eigen::VectorXd::Zero(robot_.dofs()), reading);
}

ExperimentState SimulatedPlant::Exchange(const Command& command, Reading& reading) {
  if (!running_) {
    throw std::invalid_argument("SimulatedPlant: no experiment is running: MoveTo() begins one");
  }
  if (command.mode != CommandMode::kTorque || command.value.size() != robot_.dofs()) {
    throw std::invalid_argument(
        fmt::format("SimulatedPlant: takes the torques of {} joints", robot_.dofs()));
  }
  ++exchanges_;
  for (std::int64_t step = 0; step < steps_per_exchange_ && running_; ++step) {
    moved_.Step(command.value, sample_);
    moved_.State(state_);
    running_ = !HasFallen();
  }
  Read(sample_.tau, reading);
  return running_ ? ExperimentState::kRunning : ExperimentState::kFell;
}

void SimulatedPlant::Read(const Eigen::VectorXd& tau, Reading& reading) {
  reading.t = static_cast<double>(exchanges_) * info_.period_s;
  for (Sensor& sensor : sensors_) {
    ChannelReading& read = reading.At(sensor.channel->name);
    const std::string_view signal = sensor.channel->signal;
    read.value = signal == kJointPosition ? state_.q : signal == kJointVelocity ? state_.qd : tau;
    if (sensor.chain.Apply(reading.t, static_cast<std::uint64_t>(exchanges_), read.value)) {
      read.t = reading.t;
    }
  }
}

bool SimulatedPlant::HasFallen() const {
  for (int i = 0; i < robot_.dofs(); ++i) {
    if (state_.q(i) < robot_.lower(i) || state_.q(i) > robot_.upper(i)) return true;
  }
  return std::ranges::any_of(limits_, [this](const PositionLimit& limit) {
    return std::abs(limit.c.dot(state_.q) - limit.centre) > limit.greatest;
  });
}

}  // namespace idbench
