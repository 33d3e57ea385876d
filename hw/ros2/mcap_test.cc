#include "hw/ros2/mcap.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "hw/ros2/mapped_file.h"
#include "hw/ros2/mcap_writer_test.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

/// "topic@time:size" of each message.
std::vector<std::string> MessagesOf(std::span<const std::byte> bytes,
                                    const std::string& wanted = "") {
  std::vector<std::string> found;
  ReadMcap(bytes, "x.mcap",
           {[&](const BagTopic& topic) { return wanted.empty() || topic.name == wanted; },
            [&](const BagTopic& topic, std::int64_t time_ns, std::span<const std::byte> message) {
              found.push_back(topic.name + "@" + std::to_string(time_ns) + ":" +
                              std::to_string(message.size()));
            }});
  return found;
}
std::vector<std::string> MessagesOf(const McapWriter& writer) {
  return MessagesOf(BytesOf(writer.bytes()));
}

McapWriter OneChannel() {
  McapWriter writer;
  writer.Schema(1, "std_msgs/msg/String").Channel(7, 1, "/a");
  return writer;
}

constexpr const char* kDamaged =
    "\n  the file is damaged: copy it again, or rescue what is left with\n"
    "    mcap recover 'x.mcap' -o rescued.mcap";

void CheckRefused(const McapWriter& writer, const std::string& message) {
  CHECK_THROWS_WITH_AS(MessagesOf(writer), ("x.mcap: " + message + kDamaged).c_str(), ConfigError);
}

TEST_CASE("Records that are not known, and what newer records have at their end, are passed over") {
  McapWriter writer = OneChannel();
  writer.Record(0x7F, "anything").Record(0x0C, "metadata");
  const std::string more("\x08\0\0\0\x02\0\0\0/b\x03\0\0\0cdr\0\0\0\0more", 25);
  writer.Record(0x04, more).Message(7, 3, BytesOf("abc")).Message(8, 4, BytesOf("")).Finish();
  CHECK(MessagesOf(writer) == std::vector<std::string>{"/a@3:3", "/b@4:0"});
}

TEST_CASE("What follows the end of the data is not read: the summary repeats it") {
  McapWriter writer = OneChannel();
  writer.Message(7, 1, BytesOf("a")).Finish();
  writer.Message(7, 2, BytesOf("b"));
  CHECK(MessagesOf(writer) == std::vector<std::string>{"/a@1:1"});
}

TEST_CASE("A topic that is not wanted is asked for once, and its messages are not taken") {
  McapWriter writer = OneChannel();
  writer.Channel(8, 1, "/b").Channel(8, 1, "/b");
  writer.Message(7, 1, BytesOf("a")).Message(8, 2, BytesOf("b")).Finish();
  CHECK(MessagesOf(BytesOf(writer.bytes()), "/b") == std::vector<std::string>{"/b@2:1"});
}

TEST_CASE("A topic tells its type, serialization and definition") {
  McapWriter writer;
  writer.Schema(1, "std_msgs/msg/String").Channel(7, 1, "/a").Channel(8, 0, "/b", "json").Finish();
  std::vector<BagTopic> topics;
  ReadMcap(BytesOf(writer.bytes()), "x.mcap",
           {[&](const BagTopic& topic) {
              topics.push_back(topic);
              return false;
            },
            {}});
  REQUIRE(topics.size() == 2);
  CHECK(topics[0].type == "std_msgs/msg/String");
  CHECK(topics[0].serialization == "cdr");
  CHECK(topics[0].definition_encoding == "ros2msg");
  CHECK(topics[1].type.empty());
  CHECK(topics[1].serialization == "json");
}

TEST_CASE("A file that was not finished is read up to its last whole record, wherever it ends") {
  const MappedFile file(std::filesystem::path(IDBENCH_ROS2_TESTDATA) / "robots_unchunked.mcap");
  const std::vector<std::string> all = MessagesOf(file.bytes());
  CHECK(all.size() == 21);
  std::size_t most = 0;
  for (std::size_t size = 8; size < file.bytes().size(); ++size) {
    const std::vector<std::string> part = MessagesOf(file.bytes().first(size));
    REQUIRE(part.size() >= most);
    REQUIRE(part.size() <= most + 1);
    REQUIRE(std::equal(part.begin(), part.end(), all.begin()));
    most = part.size();
  }
  CHECK(most == all.size());
}

TEST_CASE("Space that was reserved and not written ends a file that was not finished") {
  McapWriter writer = OneChannel();
  writer.Message(7, 1, BytesOf("a"));
  const std::string reserved = writer.bytes() + std::string(100, '\0');
  CHECK(MessagesOf(BytesOf(reserved)) == std::vector<std::string>{"/a@1:1"});
  CHECK(MessagesOf(McapWriter()).empty());
}

TEST_CASE("Damage of a finished file is refused with its place") {
  McapWriter writer = OneChannel();
  const std::string at = "byte " + std::to_string(writer.bytes().size()) + ": ";
  McapWriter zero = writer;
  zero.Record(0, "").Finish();
  CheckRefused(zero, at + "no record begins with 0");
  McapWriter cut = writer;
  cut.Record(0x04, "\x01");
  CheckRefused(cut, at + "the record of kind 04 is too short for its fields");
  McapWriter unknown = writer;
  unknown.Message(9, 1, BytesOf("a"));
  CheckRefused(unknown, at + "a message of channel 9, which is not declared before");
  McapWriter late = writer;
  late.Message(7, std::uint64_t{1} << 63, BytesOf("a"));
  CheckRefused(late, at + "a message has the time 9223372036854775808 ns, which is after the year "
                          "2262");
  McapWriter twice = writer;
  twice.Channel(7, 1, "/b");
  CheckRefused(twice, at + "channel 7 is declared twice, for '/a' and for '/b'");
  McapWriter schema = writer;
  schema.Channel(8, 5, "/b");
  CheckRefused(schema, at + "channel 8 has schema 5, which is not declared before");

  McapWriter beyond = writer;
  std::string bytes = beyond.Message(7, 1, BytesOf("a")).Finish().bytes();
  bytes[writer.bytes().size() + 2] = 1;  // 256 bytes longer
  CHECK_THROWS_WITH_AS(
      MessagesOf(BytesOf(bytes)),
      ("x.mcap: " + at + "a record reaches beyond the end of the file" + kDamaged).c_str(),
      ConfigError);
  CHECK_THROWS_WITH_AS(MessagesOf(BytesOf("SQLite")),
                       "x.mcap: is no MCAP file: it begins otherwise", ConfigError);
}

TEST_CASE("Chunks are read without compression, and use channels of earlier ones") {
  McapWriter first = McapWriter::Records();
  first.Schema(1, "t").Channel(7, 1, "/a").Message(7, 1, BytesOf("a"));
  McapWriter second = McapWriter::Records();
  second.Message(7, 2, BytesOf("b"));
  McapWriter writer;
  writer.Chunk("", first.bytes().size(), 0, first.bytes());
  writer.Chunk("", second.bytes().size(), 0, second.bytes()).Finish();
  CHECK(MessagesOf(writer) == std::vector<std::string>{"/a@1:1", "/a@2:1"});
}

TEST_CASE("A damaged chunk is refused") {
  CheckRefused(McapWriter().Chunk("", 9, 0, "12345678"),
               "byte 8: a chunk of 8 bytes should have 9");
  CheckRefused(McapWriter().Chunk("", 9, 0xCBF43926, "12345678X"),
               "byte 8: a chunk has the CRC f14168e8 and should have cbf43926");
  CheckRefused(McapWriter().Chunk("zstd", 9, 0, "no zstd"),
               "byte 8: a chunk cannot be decompressed: Unknown frame descriptor");
  CheckRefused(McapWriter().Chunk("lz4", 9, 0, "no lz4 at all"),
               "byte 8: a chunk cannot be decompressed: ERROR_frameType_unknown");
  CheckRefused(McapWriter().Chunk("", 1, 0, "a"),
               "byte 8: the record of kind 06 is too short for its fields");
  CHECK_THROWS_WITH_AS(MessagesOf(McapWriter().Chunk("bz2", 1, 0, "a")),
                       "x.mcap: byte 8: a chunk is compressed with 'bz2'\n"
                       "  accepted here: zstd, lz4, or none",
                       ConfigError);
}

/// All bytes of all messages; "" if they cannot be read.
std::string ContentOf(std::span<const std::byte> bytes) {
  std::string content;
  try {
    ReadMcap(bytes, "x.mcap",
             {[](const BagTopic&) { return true; },
              [&](const BagTopic&, std::int64_t, std::span<const std::byte> message) {
                content.append(reinterpret_cast<const char*>(message.data()), message.size());
              }});
  } catch (const ConfigError&) {
    return "";
  }
  return content;
}

TEST_CASE("A changed byte in a chunk with a CRC is found, wherever it is") {
  for (const std::string name : {"robots_none.mcap", "robots_zstd.mcap", "robots_lz4.mcap"}) {
    CAPTURE(name);
    const MappedFile file(std::filesystem::path(IDBENCH_ROS2_TESTDATA) / name);
    const std::string unchanged = ContentOf(file.bytes());
    int harmless = 0;
    // The first chunk has more than 700 bytes of records, from byte 100 or so.
    for (std::size_t place = 150; place < 750; ++place) {
      std::vector<std::byte> bytes(file.bytes().begin(), file.bytes().end());
      bytes[place] ^= std::byte{0xFF};
      const std::string content = ContentOf(bytes);
      CAPTURE(place);
      CHECK((content.empty() || content == unchanged));
      harmless += content.empty() ? 0 : 1;
    }
    // LZ4 may refer to the same bytes at another place.
    CHECK(harmless <= 3);
  }
}

}  // namespace
}  // namespace idbench
