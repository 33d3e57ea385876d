#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace idbench {

/// Where a channel's numbers come from.
enum class Origin {
  kMeasured,  ///< A sensor's reading.
  kDerived,   ///< Computed from measured channels: filtered, differentiated.
  kOracle,    ///< Exact, from a simulator: not to be had on a real robot.
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
/// N, N·m: on the robot at its end effector, about it, in base axes; see EndEffectorWrench.
inline constexpr std::string_view kEndEffectorWrench = "end_effector_wrench";

/// N·m: of each motor, on its joints' side, see Actuation.
inline constexpr std::string_view kActuatorTorque = "actuator_torque";
/// rad: of all joints, by magnetic (Hall) encoders beside those of joint_position.
inline constexpr std::string_view kHallPosition = "hall_position";
/// m/s² and rad/s, x, y, z in the axes of the link: see ImuMount. An accelerometer at rest reads
/// what holds it against gravity.
inline constexpr std::string_view kAccelerometer = "accelerometer";
inline constexpr std::string_view kGyroscope = "gyroscope";
inline constexpr std::string_view kDistance = "distance";  // m, see DistanceMeter

/// Names of the columns of a wrench: force, then moment.
inline constexpr std::array<std::string_view, 6> kWrenchComponents = {"Fx", "Fy", "Fz",
                                                                      "Mx", "My", "Mz"};

/// A named signal: N samples of k numbers, each sample with its own time stamp.
struct Channel {
  std::string name;
  std::string unit;
  Eigen::VectorXd time_s;   ///< N, strictly increasing [s].
  Eigen::MatrixXd samples;  ///< N × k
  Eigen::VectorXd sigma;  ///< Declared standard deviation, k, in `unit`; empty if none is declared.
  Origin origin = Origin::kMeasured;
};

enum class Role { kIdentification, kTuning, kValidation };
std::string_view ToString(Role role);

/// What was recorded in one experiment.
class Dataset {
 public:
  Dataset() = default;
  Dataset(std::string label, Role role) : label_(std::move(label)), role_(role) {}

  const std::string& label() const { return label_; }
  Role role() const { return role_; }
  const std::vector<Channel>& channels() const { return channels_; }

  /// @throws std::invalid_argument if a channel of that name is there, or if sizes contradict each
  ///         other or time does not increase.
  void Add(Channel channel);

  const Channel* Find(std::string_view name) const;  ///< nullptr if there is none.
  /// @throws std::invalid_argument naming the channels that are there.
  const Channel& Get(std::string_view name) const;

  /// Cut-off of the zero-phase low-pass that all derived channels went through [Hz], if any.
  std::optional<double> lowpass_cutoff_hz;

 private:
  std::string label_;
  Role role_ = Role::kIdentification;
  std::vector<Channel> channels_;
};

}  // namespace idbench
