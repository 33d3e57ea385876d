#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "robots/dynamics/model.h"
#include "robots/dynamics/rows.h"
#include "robots/plant/signals.h"
#include "robots/recording/dataset.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Channel with one sensor per joint.
struct OfJoints {
  static constexpr std::string_view kPart = "joint";
  static constexpr std::string_view kParts = "joints";
};
/// Channel of joint angles, by a sensor mounted on the axis, more or less exactly.
struct OfAngles : OfJoints {
  static constexpr std::string_view kSuffix = "rad";
  static constexpr std::string_view kUnit = "rad";
  static constexpr bool kOnAxis = true;
};

/// Description of a channel: its name, its unit in keys and in print, its default origin,
/// its signal, and the kind of its columns. For a prismatic joint `rad` means `m` and `nm`
/// means `n` (newton).
struct PositionQuantity : OfAngles {
  static constexpr std::string_view kChannel = kJointPosition;
  static constexpr std::string_view kOrigin = "measured";
  static constexpr Eigen::MatrixXd Signals::*kSignal = &Signals::q;
};
struct HallQuantity : OfAngles {
  static constexpr std::string_view kChannel = kHallPosition;
  static constexpr std::string_view kOrigin = "absent";
  static constexpr Eigen::MatrixXd Signals::*kSignal = &Signals::q;
};
struct VelocityQuantity : OfJoints {
  static constexpr std::string_view kChannel = kJointVelocity;
  static constexpr std::string_view kSuffix = "rad_s";
  static constexpr std::string_view kUnit = "rad/s";
  static constexpr std::string_view kOrigin = "oracle";
  static constexpr Eigen::MatrixXd Signals::*kSignal = &Signals::qd;
};
struct AccelerationQuantity : OfJoints {
  static constexpr std::string_view kChannel = kJointAcceleration;
  static constexpr std::string_view kSuffix = "rad_s2";
  static constexpr std::string_view kUnit = "rad/s²";
  static constexpr std::string_view kOrigin = "oracle";
  static constexpr Eigen::MatrixXd Signals::*kSignal = &Signals::qdd;
};
struct TorqueQuantity : OfJoints {
  static constexpr std::string_view kChannel = kJointTorque;
  static constexpr std::string_view kSuffix = "nm";
  static constexpr std::string_view kUnit = "N·m";
  static constexpr std::string_view kOrigin = "measured";
  static constexpr Eigen::MatrixXd Signals::*kSignal = &Signals::tau;
};
struct MotorTorqueQuantity : OfJoints {
  static constexpr std::string_view kChannel = kMotorTorque;
  static constexpr std::string_view kSuffix = "nm";
  static constexpr std::string_view kUnit = "N·m";
  static constexpr std::string_view kOrigin = "absent";
  static constexpr Eigen::MatrixXd Signals::*kSignal = &Signals::motor_torque;
};
struct MotorCurrentQuantity : OfJoints {
  static constexpr std::string_view kChannel = kMotorCurrent;
  static constexpr std::string_view kSuffix = "a";
  static constexpr std::string_view kUnit = "A";
  static constexpr std::string_view kOrigin = "absent";
  static constexpr Eigen::MatrixXd Signals::*kSignal = &Signals::motor_current;
};
struct ActuatorTorqueQuantity {
  static constexpr std::string_view kChannel = kActuatorTorque;
  static constexpr std::string_view kSuffix = "nm";
  static constexpr std::string_view kUnit = "N·m";
  static constexpr std::string_view kOrigin = "absent";
  static constexpr std::string_view kPart = "motor";
  static constexpr std::string_view kParts = "motors";
  static constexpr Eigen::MatrixXd Signals::*kSignal = &Signals::actuator_torque;
};
/// Channel whose columns are neither joints nor motors.
struct OfComponents {
  static constexpr std::string_view kOrigin = "absent";
  static constexpr std::string_view kPart = "component";
  static constexpr std::string_view kParts = "components";
};
/// Channel with the columns kWrenchComponents: three in N, then three in N·m.
struct OfWrench : OfComponents {
  static constexpr std::string_view kSuffix = "n_nm";
  static constexpr std::string_view kUnit = "N, N·m";
  static constexpr auto kComponents = kWrenchComponents;
};
struct BaseWrenchQuantity : OfWrench {
  static constexpr std::string_view kChannel = kBaseWrench;
  static constexpr Eigen::MatrixXd Signals::*kSignal = &Signals::base_wrench;
};
struct EndEffectorWrenchQuantity : OfWrench {
  static constexpr std::string_view kChannel = kEndEffectorWrench;
  static constexpr Eigen::MatrixXd Signals::*kSignal = &Signals::end_effector_wrench;
};

/// Channel with one column per axis of a link.
struct OfAxes : OfComponents {
  static constexpr std::array<std::string_view, 3> kComponents = {"x", "y", "z"};
};
struct AccelerometerQuantity : OfAxes {
  static constexpr std::string_view kChannel = kAccelerometer;
  static constexpr std::string_view kSuffix = "m_s2";
  static constexpr std::string_view kUnit = "m/s²";
  static constexpr Eigen::MatrixXd Signals::*kSignal = &Signals::accelerometer;
};
struct GyroscopeQuantity : OfAxes {
  static constexpr std::string_view kChannel = kGyroscope;
  static constexpr std::string_view kSuffix = "rad_s";
  static constexpr std::string_view kUnit = "rad/s";
  static constexpr Eigen::MatrixXd Signals::*kSignal = &Signals::gyroscope;
};
struct DistanceQuantity : OfComponents {
  static constexpr std::string_view kChannel = kDistance;
  static constexpr std::string_view kSuffix = "m";
  static constexpr std::string_view kUnit = "m";
  static constexpr std::array<std::string_view, 1> kComponents = {"distance"};
  static constexpr Eigen::MatrixXd Signals::*kSignal = &Signals::distance;
};

/// Settings of the sensor of one part (joint, motor or component) that differ from the channel's;
/// absent: as the channel. Either kind of noise replaces both kinds of the channel.
template <class Quantity>
struct PartSensorOptions {
  std::optional<double> sine_error, noise_std, noise_peak_fraction, bias, quantisation,
      declared_sigma;

  bool operator==(const PartSensorOptions&) const = default;
};
template <class Quantity>
FieldTable Visit(PartSensorOptions<Quantity>& options);

/// Sensors of one channel. The signal is delayed; angles get the error a·sin(q) of a sensor
/// slightly off its axis; then come bias, white noise and quantisation. Finally some samples are
/// lost: the channel's time vector lacks them, or the last reading fills them.
///
/// σ is `noise_std`, or `noise_peak_fraction` of the greatest |signal| of that part on the desired
/// motion. The σ *declared* to estimators is the true one by default; it excludes quantisation, and
/// a channel in which no part has noise declares none.
template <class Quantity>
struct ChannelSensorOptions {
  std::string origin{Quantity::kOrigin};
  PerJoint sine_error;  ///< a, for angles only.
  PerJoint noise_std, noise_peak_fraction, bias, quantisation;
  std::optional<PerJoint> declared_sigma;
  double delay_s = 0.0;
  double dropout_fraction = 0.0;
  std::string dropout = "hold";
  Labelled<PartSensorOptions<Quantity>> parts;  ///< The key is Quantity::kParts.

  bool operator==(const ChannelSensorOptions&) const = default;
};
/// The table refuses effects on a channel that is not measured.
template <class Quantity>
FieldTable Visit(ChannelSensorOptions<Quantity>& options);

/// Returns true if estimators get a σ of the channel.
template <class Quantity>
bool DeclaresSigma(const ChannelSensorOptions<Quantity>& channel);

/// Sensors of a robot.
struct SensorOptions {
  double rate_hz = 100.0;
  ChannelSensorOptions<PositionQuantity> joint_position;
  ChannelSensorOptions<VelocityQuantity> joint_velocity;
  ChannelSensorOptions<AccelerationQuantity> joint_acceleration;
  ChannelSensorOptions<TorqueQuantity> joint_torque;
  ChannelSensorOptions<MotorTorqueQuantity> motor_torque;
  ChannelSensorOptions<MotorCurrentQuantity> motor_current;
  ChannelSensorOptions<BaseWrenchQuantity> base_wrench;
  ChannelSensorOptions<EndEffectorWrenchQuantity> end_effector_wrench;
  ChannelSensorOptions<ActuatorTorqueQuantity> actuator_torque;
  ChannelSensorOptions<HallQuantity> hall_position;
  ChannelSensorOptions<AccelerometerQuantity> accelerometer;
  ChannelSensorOptions<GyroscopeQuantity> gyroscope;
  ChannelSensorOptions<DistanceQuantity> distance;

  bool operator==(const SensorOptions&) const = default;
};
FieldTable Visit(SensorOptions& options);

/// Names of the parts that have sensors.
struct SensedParts {
  std::vector<std::string> joints;
  std::vector<std::string> motors;
};
SensedParts PartsOf(const RobotModel& model);

/// Returns the contradictions with the robot: an unknown joint, motor or component, a list of
/// another length, or a part with both kinds of noise.
/// @param where  JSON pointer of the options, e.g. "/sensors".
std::vector<Issue> CheckSensors(const SensorOptions& options, const std::string& where,
                                const SensedParts& parts);

/// Signals that are costly to compute; computed only if a sensor needs them.
struct ExtraSignals {
  bool base_wrench = false;
  bool end_effector_wrench = false;
  bool motors = false;
  bool actuators = false;
  bool imu = false;
  bool distance = false;

  /// Returns true if some need more than joint torques.
  bool NeedDynamics() const { return base_wrench || end_effector_wrench || imu || distance; }

  bool operator==(const ExtraSignals&) const = default;
};
ExtraSignals ExtraSignalsOf(const SensorOptions& options);

/// σ of the sensors that measure an equation's rows.
struct RowNoise {
  const PerJoint& noise_std;                      ///< The true σ.
  const std::optional<PerJoint>& declared_sigma;  ///< As declared to estimators.
};
RowNoise NoiseOf(const SensorOptions& options, Equation equation);

/// Returns true if Resolve() needs the signals on the desired motion.
bool HasPeakFraction(const SensorOptions& options);

/// Returns the same sensors with one number per part everywhere, in SI units: peak fractions
/// converted to σ, `parts` merged, the declared σ filled in. Measure() takes this, and a
/// manifest records it.
///
/// @param desired  clean signals on the desired motion; read only if there is a peak fraction.
/// @throws std::invalid_argument if CheckSensors() finds an issue, or a needed signal of
///         `desired` is empty.
SensorOptions Resolve(const SensorOptions& options, const SensedParts& parts,
                      const Signals& desired);

}  // namespace idbench
