#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/options/enum_names.h"

/// The channels that idbench knows. A further one is a name, a row of kChannels, and what computes
/// its signal in a simulation (sim/signal_sources.h).
namespace idbench {

/// Name of the time stamps among the channels' names.
inline constexpr std::string_view kTime = "time";

inline constexpr std::string_view kJointPosition = "joint_position";
inline constexpr std::string_view kJointVelocity = "joint_velocity";
inline constexpr std::string_view kJointAcceleration = "joint_acceleration";
/// On the link's side: it moves the links and overcomes joint friction and rotor inertia,
/// τ = ID(q, q̇, q̈) + ia·q̈ + τ_f(q̇). It also overcomes what a mismatch adds, cogging or friction
/// with a state.
inline constexpr std::string_view kJointTorque = "joint_torque";
/// Of each motor, on its own side of the gears: q_m of a Transmission.
inline constexpr std::string_view kMotorPosition = "motor_position";
/// Before its gear. Likewise the motor's current, and the duty cycle of its drive: the share of the
/// supply's voltage, with a sign, that the motor gets.
inline constexpr std::string_view kMotorTorque = "motor_torque";
inline constexpr std::string_view kMotorCurrent = "motor_current";
inline constexpr std::string_view kMotorPwm = "motor_pwm";
/// Of the ground on the base, at the base's origin, in base axes.
inline constexpr std::string_view kBaseWrench = "base_wrench";
/// On the robot at its end effector, about that point, in base axes; equivalent to the joint
/// torques, see EndEffectorWrench.
inline constexpr std::string_view kEndEffectorWrench = "end_effector_wrench";
/// Of each motor, on the side of its joints: u of τ = B·u, see Actuation.
inline constexpr std::string_view kActuatorTorque = "actuator_torque";
/// Of what carries a cut on what lies beyond it, about the cut's origin and in its axes, see Cut.
/// There is one at each cut: "wrench/NAME".
inline constexpr std::string_view kWrenchAtCut = "wrench";
/// All joints, by magnetic (Hall) encoders in addition to those of joint_position.
inline constexpr std::string_view kHallPosition = "hall_position";
/// In the axes of the link, see ImuMount: acceleration minus that of free fall. At rest it reads
/// the acceleration that holds it against gravity, upwards.
inline constexpr std::string_view kAccelerometer = "accelerometer";
inline constexpr std::string_view kGyroscope = "gyroscope";
inline constexpr std::string_view kDistance = "distance";  ///< See DistanceMeter.
/// What a controller is to reach, as it knows it, at the instant of a sample.
inline constexpr std::string_view kDesiredPosition = "desired_position";
inline constexpr std::string_view kDesiredVelocity = "desired_velocity";
inline constexpr std::string_view kDesiredAcceleration = "desired_acceleration";
/// Sum of all forces from outside on the robot, of touches, pushes and walls, about the base's
/// origin and in base axes; without gravity and the ground's reaction. Part of the truth: no data
/// hold it.
inline constexpr std::string_view kExternalWrench = "external_wrench";

/// Places of the robot at which channels are read, and for which equations have rows.
inline constexpr std::string_view kAtJoints = "joints";
inline constexpr std::string_view kAtMotors = "motors";
inline constexpr std::string_view kAtBase = "base";
inline constexpr std::string_view kAtCut = "cut";
inline constexpr std::string_view kAtEndEffector = "end_effector";
inline constexpr std::string_view kAtImu = "imu";
inline constexpr std::string_view kAtDistanceMeter = "distance_meter";

/// What the columns of a channel stand for.
enum class ChannelParts {
  kJoints,
  kMotors,
  kWrench,  ///< Force along x, y and z, then the moment about them.
  kAxes,    ///< x, y, z
  kSingle,  ///< One number.
};

/// Origin of a channel's readings in a simulation.
enum class SensorOrigin {
  kMeasured,  ///< With the effects of its sensors.
  kOracle,    ///< Exact.
  kAbsent,    ///< No such channel.
};
template <>
inline constexpr auto kEnumNames<SensorOrigin> =
    std::to_array<EnumName<SensorOrigin>>({{SensorOrigin::kMeasured, "measured"},
                                           {SensorOrigin::kOracle, "oracle"},
                                           {SensorOrigin::kAbsent, "absent"}});

/// All that there is to say about a channel.
struct ChannelInfo {
  std::string_view name;
  std::string_view doc;     ///< What its sensors measure, for the help on scenarios.
  std::string_view sensor;  ///< "torque": kind of its sensors, in captions.
  /// SI units of its columns: of a revolute joint and of a prismatic one, or of a wrench's forces
  /// and its moments. The second is empty where all columns have the first.
  std::array<std::string_view, 2> units;
  std::string_view unit;    ///< As printed. For a prismatic joint "rad" means m, "N·m" means N.
  std::string_view suffix;  ///< The unit in keys: "rad_s" of `noise_std_rad_s`.
  std::string_view column;  ///< Beginning of its columns' names in series/: "q" of `q1_rad`.
  ChannelParts parts = ChannelParts::kJoints;
  SensorOrigin origin = SensorOrigin::kAbsent;  ///< Default.
  /// The signal that it reads: its own, or that of another channel that measures the same.
  std::string_view signal = name;
  std::string_view mount = kAtJoints;  ///< Place at which it is read.
  bool on_axis = false;  ///< A sensor on a joint's axis, which may sit slightly off it.
  bool fitted = false;   ///< Estimators fit it: a recording may declare its σ.
  bool exact = false;    ///< That σ may be 0: the channel counts as exact.
  /// Data have none of this name, but one at each of several places: "<name>/<place>".
  bool several = false;
  /// Part of the truth, for metrics alone: roll-outs have its signal, data never do.
  bool truth = false;
  const ChannelInfo* kind = nullptr;  ///< Of a channel at a place: its row of kChannels.
};

inline constexpr auto kChannels = std::to_array<ChannelInfo>({
    {.name = kJointPosition,
     .doc = "Sensors of the joint positions",
     .sensor = "position",
     .units = {"rad", "m"},
     .unit = "rad",
     .suffix = "rad",
     .column = "q",
     .origin = SensorOrigin::kMeasured,
     .on_axis = true,
     .fitted = true,
     .exact = true},
    {.name = kJointVelocity,
     .doc = "Sensors of the joint velocities",
     .sensor = "velocity",
     .units = {"rad/s", "m/s"},
     .unit = "rad/s",
     .suffix = "rad_s",
     .column = "qd",
     .origin = SensorOrigin::kOracle},
    {.name = kJointAcceleration,
     .doc = "Sensors of the joint accelerations",
     .sensor = "acceleration",
     .units = {"rad/s²", "m/s²"},
     .unit = "rad/s²",
     .suffix = "rad_s2",
     .column = "qdd",
     .origin = SensorOrigin::kOracle},
    {.name = kJointTorque,
     .doc = "Sensors of the torques on the joints, which include friction and rotor inertia",
     .sensor = "torque",
     .units = {"N·m", "N"},
     .unit = "N·m",
     .suffix = "nm",
     .column = "tau",
     .origin = SensorOrigin::kMeasured,
     .fitted = true},
    {.name = kMotorPosition,
     .doc = "Sensors of the positions of the motors, before their gears",
     .sensor = "motor position",
     .units = {"rad", ""},
     .unit = "rad",
     .suffix = "rad",
     .column = "q_motor",
     .parts = ChannelParts::kMotors,
     .mount = kAtMotors},
    {.name = kMotorTorque,
     .doc = "Sensors of the torques of the motors",
     .sensor = "motor torque",
     .units = {"N·m", ""},
     .unit = "N·m",
     .suffix = "nm",
     .column = "tau_motor",
     .parts = ChannelParts::kMotors,
     .mount = kAtMotors,
     .fitted = true},
    {.name = kMotorCurrent,
     .doc = "Sensors of the currents of the motors",
     .sensor = "motor current",
     .units = {"A", ""},
     .unit = "A",
     .suffix = "a",
     .column = "i",
     .parts = ChannelParts::kMotors,
     .mount = kAtMotors,
     .fitted = true},
    {.name = kMotorPwm,
     .doc =
         "Duty cycles of the drives of the motors, as their controllers set them (PWM), with the "
         "sign of the voltage",
     .sensor = "duty-cycle",
     .units = {"%", ""},
     .unit = "%",
     .suffix = "pct",
     .column = "pwm",
     .parts = ChannelParts::kMotors,
     .mount = kAtMotors,
     .fitted = true},
    {.name = kBaseWrench,
     .doc = "Force and moment of the ground on the base, about the base's origin and in its axes; "
            "lists have six numbers: three forces, then three moments",
     .sensor = "base-wrench",
     .units = {"N", "N·m"},
     .unit = "N, N·m",
     .suffix = "n_nm",
     .column = "",
     .parts = ChannelParts::kWrench,
     .mount = kAtBase,
     .fitted = true},
    {.name = kWrenchAtCut,
     .doc =
         "Force/torque sensors, by the names of /robot/force_torque_sensors: force and moment on "
         "what lies beyond, about the sensor's origin and in its axes; lists as for base_wrench",
     .sensor = "force/torque",
     .units = {"N", "N·m"},
     .unit = "N, N·m",
     .suffix = "n_nm",
     .column = "wrench_",
     .parts = ChannelParts::kWrench,
     .origin = SensorOrigin::kMeasured,
     .mount = kAtCut,
     .fitted = true,
     .several = true},
    {.name = kEndEffectorWrench,
     .doc = "Force and moment on the end effector that are equivalent to the joint torques, about "
            "the end effector and in base axes; lists as for base_wrench",
     .sensor = "end-effector-wrench",
     .units = {"N", "N·m"},
     .unit = "N, N·m",
     .suffix = "n_nm",
     .column = "end_effector_",
     .parts = ChannelParts::kWrench,
     .mount = kAtEndEffector,
     .fitted = true},
    {.name = kActuatorTorque,
     .doc = "Torques of the robot's motors on the side of their joints, as known from the motors' "
            "currents",
     .sensor = "motor torque",
     .units = {"N·m", "N"},
     .unit = "N·m",
     .suffix = "nm",
     .column = "u",
     .parts = ChannelParts::kMotors,
     .mount = kAtMotors,
     .fitted = true},
    {.name = kHallPosition,
     .doc = "Joint positions from second sensors",
     .sensor = "Hall position",
     .units = {"rad", "m"},
     .unit = "rad",
     .suffix = "rad",
     .column = "q_hall",
     .signal = kJointPosition,
     .on_axis = true,
     .fitted = true},
    {.name = kAccelerometer,
     .doc = "Acceleration of the IMU minus that of free fall, in its link's axes",
     .sensor = "acceleration",
     .units = {"m/s²", ""},
     .unit = "m/s²",
     .suffix = "m_s2",
     .column = "acc",
     .parts = ChannelParts::kAxes,
     .mount = kAtImu,
     .fitted = true},
    {.name = kGyroscope,
     .doc = "Angular velocity of the IMU, in its link's axes",
     .sensor = "angular-velocity",
     .units = {"rad/s", ""},
     .unit = "rad/s",
     .suffix = "rad_s",
     .column = "gyro",
     .parts = ChannelParts::kAxes,
     .mount = kAtImu,
     .fitted = true},
    {.name = kDistance,
     .doc = "Distance from the distance meter to the ground",
     .sensor = "distance",
     .units = {"m", ""},
     .unit = "m",
     .suffix = "m",
     .column = "distance",
     .parts = ChannelParts::kSingle,
     .mount = kAtDistanceMeter,
     .fitted = true},
    {.name = kDesiredPosition,
     .doc = "Joint positions that the controller is to reach, as it knows them",
     .sensor = "desired-position",
     .units = {"rad", "m"},
     .unit = "rad",
     .suffix = "rad",
     .column = "q_desired"},
    {.name = kDesiredVelocity,
     .doc = "Joint velocities that the controller is to reach, as it knows them",
     .sensor = "desired-velocity",
     .units = {"rad/s", "m/s"},
     .unit = "rad/s",
     .suffix = "rad_s",
     .column = "qd_desired"},
    {.name = kDesiredAcceleration,
     .doc = "Joint accelerations that the controller is to reach, as it knows them",
     .sensor = "desired-acceleration",
     .units = {"rad/s²", "m/s²"},
     .unit = "rad/s²",
     .suffix = "rad_s2",
     .column = "qdd_desired"},
    {.name = kExternalWrench,
     .doc = "Force and moment of all that touches the robot, about the base's origin and in base "
            "axes",
     .sensor = "external-wrench",
     .units = {"N", "N·m"},
     .unit = "N, N·m",
     .suffix = "n_nm",
     .column = "external_",
     .parts = ChannelParts::kWrench,
     .mount = kAtBase,
     .truth = true},
});
static_assert(std::ranges::is_partitioned(kChannels, [](const ChannelInfo& channel) {
  return !channel.truth;
}));

/// The channels that data can have: kChannels without the truth, which stands last there. What
/// reads, measures, records or draws loops over these.
inline constexpr auto kDataChannels = std::span(kChannels).first(
    static_cast<std::size_t>(std::ranges::count(kChannels, false, &ChannelInfo::truth)));

/// Why a key that names a channel of the truth is refused.
inline constexpr std::string_view kNoData =
    "is part of the truth, for metrics alone: no sensor reads it, and no data have it";
/// Refuses the keys of a table of channels that are no data with that sentence.
template <class Table>
Table& RefuseTruth(Table& table) {
  for (const ChannelInfo& channel : kChannels) {
    if (channel.truth) table.Refuse(channel.name, kNoData);
  }
  return table;
}

/// Returns the channel of that name, of data or of the truth, or nullptr if there is none. The
/// result lives as long as the program; of "wrench/NAME" it is made when it is first asked for.
const ChannelInfo* FindChannel(std::string_view name);
/// Returns the channel of that name. @throws std::invalid_argument if there is none.
const ChannelInfo& ChannelNamed(std::string_view name);
/// Returns the name of a channel at one of several places: "<kind>/<place>".
std::string NameAt(std::string_view kind, std::string_view place);
/// Returns true if `name` is that of a channel of the kind `kind` at some place.
bool IsOfKind(std::string_view name, std::string_view kind);
/// Returns the names of the channels that read the same signal as `channel` does, at `mount`.
std::vector<std::string> ChannelsLike(const ChannelInfo& channel, std::string_view mount);
/// Place of the channel, or of its kind, in kChannels.
std::size_t IndexOf(const ChannelInfo& channel);

/// A value for each channel; of those at several places, for each place that was asked for.
template <class T>
class PerChannel {
 public:
  /// By place.
  using Places = std::vector<std::pair<std::string, T>>;

  /// Returns the value of a channel. At a place that is not there yet it is made.
  /// @throws std::invalid_argument if there is no channel of that name.
  T& operator[](std::string_view name) {
    const ChannelInfo& channel = ChannelNamed(name);
    Values& values = values_[IndexOf(channel)];
    if (channel.kind == nullptr) return values.single;
    for (auto& [place, value] : values.places) {
      if (place == channel.mount) return value;
    }
    return values.places.emplace_back(channel.mount, T()).second;
  }
  /// Returns the value of a channel; an empty one at a place that is not there.
  /// @throws std::invalid_argument if there is no channel of that name.
  const T& operator[](std::string_view name) const {
    static const T kNone = T();
    const ChannelInfo& channel = ChannelNamed(name);
    const Values& values = values_[IndexOf(channel)];
    if (channel.kind == nullptr) return values.single;
    for (const auto& [place, value] : values.places) {
      if (place == channel.mount) return value;
    }
    return kNone;
  }
  /// Returns the values at several places of a row of kChannels.
  Places& PlacesOf(const ChannelInfo& kind) { return values_[IndexOf(kind)].places; }
  const Places& PlacesOf(const ChannelInfo& kind) const { return values_[IndexOf(kind)].places; }

  /// Returns the names of all channels of data, in the order of kDataChannels, those at several
  /// places by place.
  std::vector<std::string_view> names() const {
    std::vector<std::string_view> all;
    for (const ChannelInfo& channel : kDataChannels) {
      if (!channel.several) all.push_back(channel.name);
      for (const auto& [place, value] : PlacesOf(channel)) {
        all.push_back(ChannelNamed(NameAt(channel.name, place)).name);
      }
    }
    return all;
  }

 private:
  struct Values {
    T single = T();
    Places places = {};
  };
  std::array<Values, kChannels.size()> values_;
};

/// Names of a wrench's columns.
inline constexpr std::array<std::string_view, 6> kWrenchComponents = {"Fx", "Fy", "Fz",
                                                                      "Mx", "My", "Mz"};

/// Names of the columns of a channel whose number no robot changes; empty for kJoints and kMotors.
std::span<const std::string_view> ComponentsOf(const ChannelInfo& channel);

/// "joint", "motor" or "component": what one column stands for. Its plural ends in s.
std::string_view PartOf(const ChannelInfo& channel);

/// Returns the name of column k, from 0, in time series: `q1_rad`, `fx_n`.
std::string ColumnName(const ChannelInfo& channel, std::size_t k);

}  // namespace idbench
