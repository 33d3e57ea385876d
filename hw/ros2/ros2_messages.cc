#include "hw/ros2/ros2_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "hw/ros2/controller_state.h"

namespace idbench {
namespace {

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

constexpr std::string_view kJointStateColumns[] = {"position_rad", "velocity_rad_s", "effort_nm"};

/// Header, string[] name, float64[] position, velocity, effort.
void DecodeJointState(std::span<const std::byte> message, MessageRow& row) {
  constexpr std::size_t kFields = 3;
  constexpr std::string_view kNames[kFields] = {"position", "velocity", "effort"};
  CdrReader reader(message);
  row.stamp_ns = ReadHeader(reader);
  reader.Strings(row.joints);
  row.values.assign(kFields * row.joints.size(), kAbsent);
  std::vector<double> numbers;
  for (std::size_t k = 0; k < kFields; ++k) {
    reader.Doubles(numbers);
    CheckCount(kNames[k], numbers.size(), row.joints.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) row.values[kFields * i + k] = numbers[i];
  }
  CheckNothingLeft(reader.left());
}

constexpr std::string_view kWrenchColumns[] = {"force/x_n",   "force/y_n",   "force/z_n",
                                               "torque/x_nm", "torque/y_nm", "torque/z_nm"};

/// Header, force, torque.
void DecodeWrenchStamped(std::span<const std::byte> message, MessageRow& row) {
  CdrReader reader(message);
  row.stamp_ns = ReadHeader(reader);
  row.joints = {""};
  row.values.resize(std::size(kWrenchColumns));
  for (double& value : row.values) value = reader.Double();
  CheckNothingLeft(reader.left());
}

constexpr std::string_view kImuColumns[] = {
    "angular_velocity/x_rad_s",   "angular_velocity/y_rad_s",   "angular_velocity/z_rad_s",
    "linear_acceleration/x_m_s2", "linear_acceleration/y_m_s2", "linear_acceleration/z_m_s2"};

/// Header, quaternion, its covariance (3 × 3), angular velocity and covariance, likewise linear
/// acceleration.
void DecodeImu(std::span<const std::byte> message, MessageRow& row) {
  CdrReader reader(message);
  row.stamp_ns = ReadHeader(reader);
  row.joints = {""};
  reader.SkipDoubles(4 + 9);
  row.values.resize(std::size(kImuColumns));
  for (std::size_t k = 0; k < row.values.size(); k += 3) {
    for (std::size_t axis = 0; axis < 3; ++axis) row.values[k + axis] = reader.Double();
    const double first_covariance = reader.Double();
    reader.SkipDoubles(8);
    if (first_covariance == -1.0) std::fill_n(row.values.begin() + k, 3, kAbsent);
  }
  CheckNothingLeft(reader.left());
}

/// The decoder of a type with one version.
template <void (*decode)(std::span<const std::byte>, MessageRow&)>
MessageDecoder Always(const BagTopic&) {
  return decode;
}

constexpr MessageType kMessageTypes[] = {
    {"sensor_msgs/msg/JointState", true, kJointStateColumns, Always<DecodeJointState>},
    {"control_msgs/msg/JointTrajectoryControllerState", true, kControllerStateColumns,
     ControllerStateDecoder},
    {"geometry_msgs/msg/WrenchStamped", false, kWrenchColumns, Always<DecodeWrenchStamped>},
    {"sensor_msgs/msg/Imu", false, kImuColumns, Always<DecodeImu>},
};

}  // namespace

std::span<const MessageType> MessageTypes() { return kMessageTypes; }

const MessageType* FindMessageType(std::string_view name) {
  const auto found = std::ranges::find(kMessageTypes, name, &MessageType::name);
  return found == std::end(kMessageTypes) ? nullptr : found;
}

std::int64_t ReadHeader(CdrReader& reader) {
  constexpr std::int64_t kNsPerSecond = 1'000'000'000;
  const std::int64_t sec = reader.Int32();
  const std::int64_t nanosec = reader.UInt32();
  reader.String();  // frame_id
  return kNsPerSecond * sec + nanosec;
}

void CheckCount(std::string_view field, std::size_t count, std::size_t joints) {
  if (count == 0 || count == joints) return;
  throw MessageError(fmt::format("{} numbers in '{}' for {} names of joints", count, field, joints),
                     {"accepted here: one for each joint, or none"});
}

void CheckNothingLeft(std::size_t left) {
  if (left <= kMostPadding) return;
  throw MessageError(fmt::format("{} bytes are left after its last field", left),
                     {"is it of another type or version than the bag says?"});
}

}  // namespace idbench
