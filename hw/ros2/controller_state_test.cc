#include "hw/ros2/controller_state.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "hw/ros2/hex_test.h"
#include "hw/ros2/mapped_file.h"
#include "hw/ros2/mcap.h"
#include "hw/ros2/recording_csv_test.h"
#include "hw/ros2/rosbag2_log.h"

namespace idbench {
namespace {

const char* const kVersions[] = {"3", "4_0", "4_4", "5_0", "5_3"};

std::string FileOf(const std::string& version) {
  return std::string(IDBENCH_ROS2_TESTDATA) + "/controller_" + version + ".mcap";
}

/// The messages of a bag of rosbags and mcap, and what it says about their topic.
struct States {
  BagTopic topic;
  std::vector<std::vector<std::byte>> messages = {};
};

States ReadStates(const std::string& version) {
  States states;
  const MappedFile file(FileOf(version));
  ReadMcap(file.bytes(), "states",
           {[](const BagTopic&) { return true; },
            [&](const BagTopic& topic, std::int64_t, std::span<const std::byte> message) {
              states.topic = topic;
              states.messages.emplace_back(message.begin(), message.end());
            }});
  REQUIRE(states.messages.size() == 3);
  return states;
}

TEST_CASE("The state of a controller is read in every version of its type") {
  for (const std::string version : kVersions) {
    CAPTURE(version);
    const Log log = ReadLog(FileOf(version), Rosbag2Format{}, {});
    REQUIRE(log.tables.size() == 1);
    CheckRecording(log.tables[0], "controller_" + version + ".csv", MessageTime::kHeader);
  }
}

TEST_CASE("Without a definition the version is the one that the message fits") {
  for (const std::string version : kVersions) {
    CAPTURE(version);
    const States states = ReadStates(version);
    const BagTopic bare{states.topic.name, states.topic.type, "cdr"};
    for (const std::vector<std::byte>& message : states.messages) {
      MessageRow with;
      MessageRow without;
      ControllerStateDecoder(states.topic)(message, with);
      ControllerStateDecoder(bare)(message, without);
      CHECK(with.joints == without.joints);
      CHECK(HaveSameBits(with.values, without.values));
    }
  }
}

TEST_CASE("A version is read whose definition has unknown fields at its end") {
  States states = ReadStates("5_3");
  const std::size_t at = states.topic.definition.find("float64 speed_scaling_factor");
  REQUIRE(at != std::string::npos);
  states.topic.definition.replace(at, 7, "my/Unit");
  MessageRow row;
  CHECK_NOTHROW(ControllerStateDecoder(states.topic)(states.messages[0], row));
  CHECK(row.values.size() == 2 * std::size(kControllerStateColumns));
}

TEST_CASE("A message that is not of its definition, or fits no version, is refused") {
  States states = ReadStates("5_0");
  MessageRow row;
  const MessageDecoder newer = ControllerStateDecoder(ReadStates("5_3").topic);
  CHECK_THROWS_WITH_AS(newer(states.messages[0], row),
                       doctest::Contains("a number of 8 bytes at byte"), MessageError);
  const MessageDecoder older = ControllerStateDecoder(ReadStates("3").topic);
  CHECK_THROWS_WITH_AS(older(states.messages[0], row),
                       doctest::Contains("bytes are left after its last field"), MessageError);
  states.messages[0].pop_back();
  const MessageDecoder any = ControllerStateDecoder({"/controller", states.topic.type, "cdr"});
  CHECK_THROWS_WITH_AS(any(states.messages[0], row),
                       "it fits no known version of its type, and the bag has no definition",
                       MessageError);
}

TEST_CASE("Numbers of a point that contradict the joints are refused") {
  // One joint, two positions of the reference.
  const std::vector<std::byte> message = FromHex(
      "00010000 00000000 00000000 01000000 00000000 01000000 02000000 61000000"
      "02000000 00000000 000000000000f03f 000000000000f03f");
  MessageRow row;
  CHECK_THROWS_WITH_AS(ControllerStateDecoder(ReadStates("5_0").topic)(message, row),
                       "2 numbers in 'reference.positions' for 1 names of joints", MessageError);
}

}  // namespace
}  // namespace idbench
