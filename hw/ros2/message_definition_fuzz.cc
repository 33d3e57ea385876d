#include <cstddef>
#include <cstdint>
#include <string_view>

#include "hw/ros2/message_definition.h"

/// Every text is accepted.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  idbench::FieldsOf("control_msgs/msg/State", "ros2msg", text);
  idbench::FieldsOf("control_msgs/msg/State", "ros2idl", text);
  return 0;
}
