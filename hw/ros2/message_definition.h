#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace idbench {

/// Field of a message type.
struct MessageField {
  std::string type;  ///< As in ros2msg, without packages: "Header", "string[]", "float64".
  std::string name;

  bool operator==(const MessageField&) const = default;
};

/// Returns the fields of the message type that the text of a bag defines, in their order.
///
/// @param type      "control_msgs/msg/JointTrajectoryControllerState".
/// @param encoding  "ros2msg" (the files *.msg of a type and of those it uses, between lines of
///                  "=") or "ros2idl" (likewise of *.idl files).
/// Returns none if the text is empty, in another encoding, or does not define the type: then
/// nothing is known. O(size of the text).
std::vector<MessageField> FieldsOf(std::string_view type, std::string_view encoding,
                                   std::string_view definition);

}  // namespace idbench
