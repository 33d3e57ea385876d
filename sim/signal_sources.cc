#include "sim/signal_sources.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/truth/motor.h"
#include "sim/truth/true_dynamics.h"

namespace idbench {
namespace {

/// Position, velocity, acceleration and torque of the joints in one sample.
struct Instant {
  Eigen::VectorXd q, qd, qdd, tau;
};

/// Calls `take` with each sample and its row, after the dynamics got the payloads and touches of
/// its time.
template <class Take>
void ForEachSample(const Scene& scene, const Signals& signals, Take take) {
  TrueDynamics dynamics(scene);
  const Eigen::MatrixXd& q = signals[kJointPosition];
  const Eigen::MatrixXd& qd = signals[kJointVelocity];
  const Eigen::MatrixXd& qdd = signals[kJointAcceleration];
  const Eigen::MatrixXd& tau = signals[kJointTorque];
  for (Eigen::Index i = 0; i < signals.time_s.size(); ++i) {
    dynamics.SetTime(signals.time_s(i));
    take(dynamics, Instant{q.row(i), qd.row(i), qdd.row(i), tau.row(i)}, i);
  }
}

void AddBaseWrench(const Scene& scene, const Motion&, Signals& signals) {
  Eigen::MatrixXd wrenches(signals.time_s.size(), kWrenchComponents.size());
  Eigen::VectorXd wrench(kWrenchComponents.size());
  ForEachSample(scene, signals, [&](TrueDynamics& dynamics, const Instant& at, Eigen::Index i) {
    dynamics.BaseWrench(at.q, at.qd, at.qdd, wrench);
    wrenches.row(i) = wrench.transpose();
  });
  signals[kBaseWrench] = std::move(wrenches);
}

void AddCutWrenches(const Scene& scene, const Motion&, Signals& signals) {
  Eigen::VectorXd wrench(kWrenchComponents.size());
  for (const TrueCut& cut : scene.robot.cuts()) {
    Eigen::MatrixXd wrenches(signals.time_s.size(), kWrenchComponents.size());
    ForEachSample(scene, signals, [&](TrueDynamics& dynamics, const Instant& at, Eigen::Index i) {
      dynamics.CutWrench(cut, at.q, at.qd, at.qdd, wrench);
      wrenches.row(i) = wrench.transpose();
    });
    signals[NameAt(kWrenchAtCut, cut.name)] = std::move(wrenches);
  }
}

void AddEndEffectorWrench(const Scene& scene, const Motion&, Signals& signals) {
  Eigen::MatrixXd wrenches(signals.time_s.size(), kWrenchComponents.size());
  Eigen::VectorXd wrench(kWrenchComponents.size());
  ForEachSample(scene, signals, [&](TrueDynamics& dynamics, const Instant& at, Eigen::Index i) {
    dynamics.WrenchAtEndEffector(at.q, at.tau, wrench);
    wrenches.row(i) = wrench.transpose();
  });
  signals[kEndEffectorWrench] = std::move(wrenches);
}

/// Refuses samples at which the gain of a motor's duty cycle would be used up.
void CheckGains(const TrueRobot& robot, const Eigen::VectorXd& time_s) {
  if (time_s.size() == 0) return;
  const double last_s = time_s[time_s.size() - 1];
  const std::vector<std::string>& names = robot.actuation().names;
  for (std::size_t motor = 0; motor < names.size(); ++motor) {
    const double end_s = EndOfGain(robot.motors(), motor);
    if (last_s < end_s) continue;
    const double drift = robot.motors().gain_drift_per_min[motor];
    throw GainUsedUp(fmt::format(
        "the gain of motor '{}' drifts to 0 at t = {:.6g} s, and data end at {:.6g} s: "
        "its gain_drift_per_min is {}, and more than {:.3g} is needed; or take a shorter motion",
        names[motor], end_s, last_s, drift, drift * end_s / last_s));
  }
}

/// Of motors that drive several joints, joints that several motors drive, and joints without a
/// motor, the motors' own speeds and torques count; otherwise those of the joints.
void AddMotors(const Scene& scene, const Motion&, Signals& signals) {
  CheckGains(scene.robot, signals.time_s);
  const Eigen::MatrixXd& B = scene.robot.actuation().B;
  if (B.rows() == B.cols() && B.isIdentity(0.0))
    return AddMotorSignals(scene.robot.motors(), signals);
  Signals motors;
  motors.time_s = signals.time_s;
  motors[kJointPosition] =
      (signals[kJointPosition].rowwise() - scene.robot.actuation().zero.transpose()) * B;
  motors[kJointVelocity] = signals[kJointVelocity] * B;
  motors[kJointTorque] = signals[kJointTorque] * scene.robot.motors_of_torque().transpose();
  AddMotorSignals(scene.robot.motors(), motors);
  signals[kMotorTorque] = std::move(motors[kMotorTorque]);
  signals[kMotorCurrent] = std::move(motors[kMotorCurrent]);
  signals[kMotorPwm] = std::move(motors[kMotorPwm]);
}

void AddMotorPositions(const Scene& scene, const Motion&, Signals& signals) {
  const Actuation& actuation = scene.robot.actuation();
  signals[kMotorPosition] =
      (signals[kJointPosition].rowwise() - actuation.zero.transpose()) * actuation.B;
}

void AddActuators(const Scene& scene, const Motion&, Signals& signals) {
  signals[kActuatorTorque] = signals[kJointTorque] * scene.robot.motors_of_torque().transpose();
}

void AddImu(const Scene& scene, const Motion&, Signals& signals) {
  Eigen::MatrixXd accelerations(signals.time_s.size(), 3), rates(signals.time_s.size(), 3);
  ForEachSample(scene, signals, [&](TrueDynamics& dynamics, const Instant& at, Eigen::Index i) {
    const ImuReading reading = dynamics.Imu(at.q, at.qd, at.qdd);
    accelerations.row(i) = reading.acceleration.transpose();
    rates.row(i) = reading.angular_velocity.transpose();
  });
  signals[kAccelerometer] = std::move(accelerations);
  signals[kGyroscope] = std::move(rates);
}

void AddDistance(const Scene& scene, const Motion&, Signals& signals) {
  Eigen::MatrixXd distances(signals.time_s.size(), 1);
  ForEachSample(scene, signals, [&](TrueDynamics& dynamics, const Instant& at, Eigen::Index i) {
    const std::optional<double> distance = dynamics.Distance(at.q);
    if (!distance) {
      throw PlantError(fmt::format("the distance meter does not see the ground at t = {:.6g} s",
                                   signals.time_s(i)));
    }
    distances(i, 0) = *distance;
  });
  signals[kDistance] = std::move(distances);
}

void AddDesired(const Scene& scene, const Motion& motion, Signals& signals) {
  const Eigen::Index samples = signals.time_s.size();
  for (const auto channel : {kDesiredPosition, kDesiredVelocity, kDesiredAcceleration}) {
    signals[channel].resize(samples, scene.robot.dofs());
  }
  JointState desired = JointState::Zero(scene.robot.dofs());
  for (Eigen::Index i = 0; i < samples; ++i) {
    motion.Evaluate(std::min(signals.time_s(i), motion.duration_s()), desired);
    signals[kDesiredPosition].row(i) = desired.q.transpose();
    signals[kDesiredVelocity].row(i) = desired.qd.transpose();
    signals[kDesiredAcceleration].row(i) = desired.qdd.transpose();
  }
}

}  // namespace

std::span<const SignalSource> SignalSources() {
  static const std::vector<SignalSource> kSources = {
      {.name = "base_wrench", .channels = {kBaseWrench}, .add = AddBaseWrench},
      {.name = "wrench", .channels = {kWrenchAtCut}, .add = AddCutWrenches},
      {.name = "end_effector_wrench",
       .channels = {kEndEffectorWrench},
       .add = AddEndEffectorWrench},
      {.name = "motors", .channels = {kMotorTorque, kMotorCurrent, kMotorPwm}, .add = AddMotors},
      {.name = "motor_positions", .channels = {kMotorPosition}, .add = AddMotorPositions},
      {.name = "actuators", .channels = {kActuatorTorque}, .add = AddActuators},
      {.name = "imu",
       .channels = {kAccelerometer, kGyroscope},
       .needs = {Capability::kImu},
       .add = AddImu},
      {.name = "distance",
       .channels = {kDistance},
       .needs = {Capability::kDistanceMeter},
       .add = AddDistance},
      {.name = "desired",
       .channels = {kDesiredPosition, kDesiredVelocity, kDesiredAcceleration},
       .needs = {Capability::kDesiredMotion},
       .add = AddDesired},
  };
  return kSources;
}

RequestedSources SourcesOf(std::span<const std::string_view> channels) {
  RequestedSources sources;
  for (const SignalSource& source : SignalSources()) {
    const bool requested = std::ranges::any_of(channels, [&source](std::string_view channel) {
      const ChannelInfo* const kind = ChannelNamed(channel).kind;
      const std::string_view name = kind == nullptr ? channel : kind->name;
      return std::ranges::find(source.channels, name) != source.channels.end();
    });
    if (requested) sources.push_back(&source);
  }
  return sources;
}

std::vector<std::string_view> SignalsOf(const SensorOptions& sensors) {
  std::vector<std::string_view> channels;
  for (const ChannelSensorOptions* sensor : sensors.channels()) {
    if (sensor->origin != SensorOrigin::kAbsent) channels.push_back(sensor->channel->signal);
  }
  return channels;
}

RequestedSources SourcesOf(const SensorOptions& sensors) { return SourcesOf(SignalsOf(sensors)); }

}  // namespace idbench
