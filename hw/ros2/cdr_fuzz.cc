#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "hw/ros2/message_table.h"
#include "hw/ros2/ros2_messages.h"

/// The first byte chooses the type, and whether the bag has a definition; the rest is a message.
/// Accepts MessageError and nothing else.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto types = idbench::MessageTypes();
  const idbench::MessageType& type = types[data[0] % types.size()];
  idbench::BagTopic topic{"/t", std::string(type.name), "cdr"};
  if (data[0] >= 128) {
    topic.definition_encoding = "ros2msg";
    topic.definition =
        "std_msgs/Header header\nstring[] joint_names\n"
        "trajectory_msgs/JointTrajectoryPoint reference\n"
        "trajectory_msgs/JointTrajectoryPoint output\nstring[] names\n"
        "trajectory_msgs/MultiDOFJointTrajectoryPoint multi_dof\nfloat64 scaling\nuint8 other";
  }
  idbench::MessageTable table("/t", type);
  idbench::MessageRow row;
  try {
    type.decoder(topic)(std::as_bytes(std::span(data + 1, size - 1)), row);
    table.Add(row, row.stamp_ns);
  } catch (const idbench::MessageError&) {
    return 0;
  }
  table.Finish({});
  return 0;
}
