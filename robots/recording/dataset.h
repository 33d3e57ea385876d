#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace idbench {

/// Source of a channel's numbers.
enum class Origin {
  kMeasured,  ///< A sensor's reading.
  kDerived,   ///< Computed from measured channels: filtered, differentiated.
  kOracle,    ///< Exact, from a simulator; not available on a real robot.
};
std::string_view ToString(Origin origin);

/// Names and units of the channels that idbench knows.
inline constexpr std::string_view kJointPosition = "joint_position";          // rad or m
inline constexpr std::string_view kJointVelocity = "joint_velocity";          // rad/s or m/s
inline constexpr std::string_view kJointAcceleration = "joint_acceleration";  // rad/s² or m/s²
inline constexpr std::string_view kJointTorque = "joint_torque";    // N·m or N, link side
inline constexpr std::string_view kMotorTorque = "motor_torque";    // N·m
inline constexpr std::string_view kMotorCurrent = "motor_current";  // A
inline constexpr std::string_view kBaseWrench = "base_wrench";      // N, N·m: ground on base
/// N, N·m: on the robot at its end effector, about that point, in base axes; see EndEffectorWrench.
inline constexpr std::string_view kEndEffectorWrench = "end_effector_wrench";

/// N·m: torque of each motor, on the side of its joints, see Actuation.
inline constexpr std::string_view kActuatorTorque = "actuator_torque";
/// rad: all joints, by magnetic (Hall) encoders in addition to those of joint_position.
inline constexpr std::string_view kHallPosition = "hall_position";
/// m/s² and rad/s, x, y, z in the axes of the link: see ImuMount. At rest an accelerometer reads
/// the acceleration that holds it against gravity, upwards.
inline constexpr std::string_view kAccelerometer = "accelerometer";
inline constexpr std::string_view kGyroscope = "gyroscope";
inline constexpr std::string_view kDistance = "distance";  // m, see DistanceMeter

/// Names of the columns of a wrench: force, then moment.
inline constexpr std::array<std::string_view, 6> kWrenchComponents = {"Fx", "Fy", "Fz",
                                                                      "Mx", "My", "Mz"};

/// Named signal: N samples of k numbers, each sample with its own time stamp.
struct Channel {
  std::string name;
  std::string unit;
  Eigen::VectorXd time_s;   ///< N, strictly increasing [s].
  Eigen::MatrixXd samples;  ///< N × k
  Eigen::VectorXd sigma;    ///< Declared standard deviation, k [`unit`]; empty if none is declared.
  Origin origin = Origin::kMeasured;
};

enum class Role { kIdentification, kTuning, kValidation };
std::string_view ToString(Role role);

/// Recording of one experiment.
class Dataset {
 public:
  Dataset() = default;
  Dataset(std::string label, Role role) : label_(std::move(label)), role_(role) {}

  const std::string& label() const { return label_; }
  Role role() const { return role_; }
  const std::vector<Channel>& channels() const { return channels_; }

  /// Adds a channel.
  /// @throws std::invalid_argument if there is a channel of that name, sizes contradict each other,
  ///         or time is not finite or does not increase.
  void Add(Channel channel);

  /// Returns the channel, or nullptr if there is none; valid until the next Add().
  const Channel* Find(std::string_view name) const;
  /// Returns the channel; valid until the next Add().
  /// @throws std::invalid_argument if there is none; the message names the channels that exist.
  const Channel& Get(std::string_view name) const;

  /// Cut-off of the zero-phase low-pass of all derived channels [Hz], if there was one.
  std::optional<double> lowpass_cutoff_hz;

 private:
  std::string label_;
  Role role_ = Role::kIdentification;
  std::vector<Channel> channels_;
};

}  // namespace idbench
