#include "hw/ros2/ros2_messages.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "hw/ros2/hex_test.h"

namespace idbench {
namespace {

MessageRow Decode(std::string_view type, const std::vector<std::byte>& message) {
  const MessageType* found = FindMessageType(type);
  REQUIRE(found != nullptr);
  MessageRow row;
  found->decoder({"/topic", std::string(type), "cdr"})(message, row);
  return row;
}

constexpr std::string_view kJointState = "sensor_msgs/msg/JointState";

/// CycloneDDS and rosbags write these bytes: 5 s 7 ns, joint a, position 1, no velocity, effort ½.
constexpr std::string_view kGolden =
    "0001000005000000070000000100000000000000010000000200000061000000"
    "01000000000000000000f03f0000000001000000000000000000e03f";

TEST_CASE(
    "The JointState that CycloneDDS and rosbags write is read with NaN where it has nothing") {
  const std::vector<std::byte> message = FromHex(kGolden);
  const MessageRow row = Decode(kJointState, message);
  CHECK(row.stamp_ns == 5'000'000'007);
  CHECK(row.joints == std::vector<std::string_view>{"a"});
  REQUIRE(row.values.size() == 3);
  CHECK(row.values[0] == 1.0);
  CHECK(std::isnan(row.values[1]));
  CHECK(row.values[2] == 0.5);
}

TEST_CASE("Up to three bytes may trail a message, four may not") {
  std::vector<std::byte> message = FromHex(kGolden);
  message.resize(message.size() + 3);
  CHECK_NOTHROW(Decode(kJointState, message));
  message.resize(message.size() + 1);
  CHECK_THROWS_WITH_AS(Decode(kJointState, message), "4 bytes are left after its last field",
                       MessageError);
}

TEST_CASE("No part of a message is taken for a whole one") {
  const std::vector<std::byte> whole = FromHex(kGolden);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    const std::vector<std::byte> part(whole.begin(), whole.begin() + size);
    CHECK_THROWS_AS(Decode(kJointState, part), MessageError);
  }
}

TEST_CASE("Arrays of a JointState that contradict its names are refused") {
  // Two names, one position.
  const std::vector<std::byte> message = FromHex(
      "00010000 05000000 07000000 01000000 00000000 02000000 02000000 61000000 02000000 62000000"
      "01000000 00000000 000000000000f03f 00000000 00000000");
  CHECK_THROWS_WITH_AS(Decode(kJointState, message),
                       "1 numbers in 'position' for 2 names of joints", MessageError);
}

TEST_CASE("A wrench is read with the forces first") {
  const std::vector<std::byte> message = FromHex(
      "00000000 00000001 00000002 00000001 00000000"
      "3ff0000000000000 4000000000000000 4008000000000000"
      "4010000000000000 4014000000000000 4018000000000000");
  const MessageRow row = Decode("geometry_msgs/msg/WrenchStamped", message);
  CHECK(row.stamp_ns == 1'000'000'002);
  CHECK(row.joints == std::vector<std::string_view>{""});
  CHECK(row.values == std::vector<double>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("What an Imu says to be absent is NaN") {
  const std::string number = "000000000000f03f";  // 1
  const std::string absent = "000000000000f0bf";  // −1
  const auto repeated = [](const std::string& text, int count) {
    std::string all;
    for (int k = 0; k < count; ++k) all += text;
    return all;
  };
  const std::string header = "00010000 00000000 00000000 01000000 00000000";
  const std::string message = header + repeated(number, 4 + 9) +           // orientation
                              repeated(number, 3) + repeated(number, 9) +  // angular velocity
                              repeated(number, 3) + absent + repeated(number, 8);
  const MessageRow row = Decode("sensor_msgs/msg/Imu", FromHex(message));
  REQUIRE(row.values.size() == 6);
  CHECK(std::all_of(row.values.begin(), row.values.begin() + 3, [](double v) { return v == 1.0; }));
  CHECK(std::all_of(row.values.begin() + 3, row.values.end(), [](double v) { return v != v; }));
}

TEST_CASE("Stamps before 1970 and of the last second are read") {
  const std::vector<std::byte> message =
      FromHex("00010000 ffffffff ffc99a3b 01000000 00000000 00000000 00000000 00000000 00000000");
  CHECK(Decode(kJointState, message).stamp_ns == -1);
}

TEST_CASE("Every type has a name of its own, and columns with units") {
  CHECK(FindMessageType("std_msgs/msg/String") == nullptr);
  for (const MessageType& type : MessageTypes()) {
    CHECK(FindMessageType(type.name) == &type);
    for (const std::string_view column : type.columns) {
      const bool has_unit = column.ends_with("_rad") || column.ends_with("_rad_s") ||
                            column.ends_with("_rad_s2") || column.ends_with("_nm") ||
                            column.ends_with("_n") || column.ends_with("_m_s2");
      CHECK_MESSAGE(has_unit, column);
    }
  }
}

}  // namespace
}  // namespace idbench
