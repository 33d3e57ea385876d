#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hw/ros2/bag_visitor.h"
#include "hw/ros2/cdr.h"

namespace idbench {

/// The numbers of one message.
struct MessageRow {
  std::int64_t stamp_ns = 0;  ///< Of its header.
  std::vector<std::string_view>
      joints;  ///< In its order, views into the message; {""} if it has none.
  /// Joints × columns of the type, row by row; NaN where the message lacks the number.
  std::vector<double> values;
};

/// Reads a whole message into a row, which it replaces. @throws MessageError.
using MessageDecoder = std::function<void(std::span<const std::byte> message, MessageRow& row)>;

/// A type of message that can be read.
struct MessageType {
  std::string_view name;                      ///< "sensor_msgs/msg/JointState".
  bool of_joints = false;                     ///< Has the columns for each of its joints.
  std::span<const std::string_view> columns;  ///< With their units.
  /// Makes the decoder for a topic, whose definition may say which version of the type it has.
  MessageDecoder (*decoder)(const BagTopic& topic) = nullptr;
};

/// All of them: sensor_msgs/msg/JointState and Imu, geometry_msgs/msg/WrenchStamped,
/// control_msgs/msg/JointTrajectoryControllerState.
///
/// SI units (REP 103). Joints' columns are named for revolute joints: of a prismatic one rad stands
/// for m, nm for N. What an Imu says to be absent (first covariance −1) is NaN.
std::span<const MessageType> MessageTypes();

/// Returns the type with that name, or nullptr if it is not known.
const MessageType* FindMessageType(std::string_view name);

/// Reads std_msgs/msg/Header and returns its stamp [ns].
std::int64_t ReadHeader(CdrReader& reader);

/// @throws MessageError unless `count` numbers of a field are none or one for each joint.
void CheckCount(std::string_view field, std::size_t count, std::size_t joints);

/// Bytes that may stand behind the last field of a message: it is padded to a multiple of 4.
inline constexpr std::size_t kMostPadding = 3;

/// @throws MessageError if more bytes are `left` behind the last field than padding has.
void CheckNothingLeft(std::size_t left);

}  // namespace idbench
