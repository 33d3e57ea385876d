#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace idbench {

/// What a bag says about one of its topics.
struct BagTopic {
  std::string name;           ///< "/joint_states".
  std::string type;           ///< "sensor_msgs/msg/JointState"; "" if it does not say.
  std::string serialization;  ///< "cdr".
  /// The message type as text, in the language that `definition_encoding` names: "ros2msg" or
  /// "ros2idl". Both are "" in bags without definitions (before ROS 2 Iron).
  std::string definition = {};
  std::string definition_encoding = {};
};

/// Takes what a reader finds in a file of a bag.
struct BagVisitor {
  /// Says whether the messages of a topic are wanted; called once for each topic of the file,
  /// those without messages too.
  std::function<bool(const BagTopic& topic)> wants;
  /// Takes a message of a wanted topic, in the order of the file. The bytes are those of the
  /// caller, who may have compressed the message; they are gone afterwards.
  /// @param received_ns  when the recorder got it [ns].
  std::function<void(const BagTopic& topic, std::int64_t received_ns,
                     std::span<const std::byte> message)>
      take;
};

}  // namespace idbench
