#include "hw/ros2/rosbag2_log.h"

#include <doctest/doctest.h>

#include <bit>
#include <cstdlib>

#include "hw/ros2/recording_csv_test.h"
#include "hw/ros2/sqlite_writer_test.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/config_error.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

namespace fs = std::filesystem;

const fs::path kTestdata = IDBENCH_ROS2_TESTDATA;

void CheckRobots(const Log& log, MessageTime time = MessageTime::kHeader) {
  REQUIRE(log.tables.size() == 3);
  CHECK(log.tables[0].name == "/ft");
  CHECK(log.tables[1].name == "/imu");
  CHECK(log.tables[2].name == "/joint_states");
  CheckRecording(log.tables[0], "robots_ft.csv", time);
  CheckRecording(log.tables[1], "robots_imu.csv", time);
  CheckRecording(log.tables[2], "robots_joint_states.csv", time);
}

TEST_CASE("A bag of rosbags in SQLite holds the numbers that Python put in, bit for bit") {
  const Log log = ReadLog(kTestdata / "robots.db3", Rosbag2Format{}, {});
  CHECK(log.source == (kTestdata / "robots.db3").string());
  CheckRobots(log);
  CheckRobots(ReadLog(kTestdata / "robots.db3", Rosbag2Format{MessageTime::kReceived}, {}),
              MessageTime::kReceived);
}

TEST_CASE("One log in other formats and compressions is the same log, byte for byte") {
  const Log expected = ReadLog(kTestdata / "robots.db3", Rosbag2Format{}, {});
  for (const char* const name :
       {"robots_none.mcap", "robots_zstd.mcap", "robots_lz4.mcap", "robots_unchunked.mcap",
        "robots_rosbags.mcap", "robots_rosbags_zstd.mcap", "message", "message/message.db3", "file",
        "file/file.db3.zstd", "split"}) {
    CAPTURE(name);
    const Log log = ReadLog(kTestdata / name, Rosbag2Format{}, {});
    REQUIRE(log.tables.size() == expected.tables.size());
    for (std::size_t k = 0; k < log.tables.size(); ++k) {
      const LogTable& a = log.tables[k];
      const LogTable& b = expected.tables[k];
      CHECK(a.name == b.name);
      CHECK(a.columns == b.columns);
      CHECK(a.stamps_ns == b.stamps_ns);
      CHECK(a.places == b.places);
      CHECK(a.row == b.row);
      CHECK(HaveSameBits(std::span(a.values.data(), static_cast<std::size_t>(a.values.size())),
                         std::span(b.values.data(), static_cast<std::size_t>(b.values.size()))));
    }
  }
}

TEST_CASE("Only tables with wanted columns are returned, without rows that have none of them") {
  const Log log = ReadLog(kTestdata / "robots.db3", {}, {"/joint_states/finger/position_rad"});
  REQUIRE(log.tables.size() == 1);
  const LogTable& table = log.tables[0];
  CHECK(table.places == std::vector<std::int64_t>{2, 6, 10, 14});
  CHECK(table.values.rows() == 4);
  CHECK(table.values.col(table.Find("/joint_states/finger/position_rad")).allFinite());
  CHECK(
      table.values.col(table.Find("/joint_states/left/elbow/position_rad")).array().isNaN().all());
}

TEST_CASE("A wanted column that is missing is refused with the reason that is known") {
  const std::string file = (kTestdata / "robots.db3").string();
  CHECK_THROWS_WITH_AS(
      ReadLog(file, {}, {"/ft/force/x"}),
      doctest::Contains((file + ": no column '/ft/force/x'\n  did you mean '/ft/force/x_n'?\n  the "
                                "columns: /ft/force/x_n, ")
                            .c_str()),
      ConfigError);
  CHECK_THROWS_WITH_AS(
      ReadLog(file, {}, {"/joint_states/finger/effort_nm"}),
      (file + ": /joint_states/finger/effort_nm: holds no number in any of 14 messages\n"
              "  its sender leaves this field empty, or fills it with NaN")
          .c_str(),
      ConfigError);
  CHECK_THROWS_WITH_AS(
      ReadLog(file, {}, {"/note/data"}),
      (file +
       ": /note/data: its topic '/note' has messages of type 'std_msgs/msg/String' in 'cdr', "
       "which cannot be read\n"
       "  accepted here, in 'cdr': sensor_msgs/msg/JointState, "
       "control_msgs/msg/JointTrajectoryControllerState, "
       "geometry_msgs/msg/WrenchStamped, sensor_msgs/msg/Imu")
          .c_str(),
      ConfigError);
}

/// As kGoldenState, of a joint b/c at 0 s.
constexpr const char* kStateOfB =
    "00010000000000000000000001000000000000000100000004000000622f6300"
    "01000000000000000000f03f0000000001000000000000000000e03f";

/// Why a log with these tables cannot be read, without the folder of the file.
template <class Write>
std::string WhyRefusedLog(const Write& write, const std::vector<std::string>& wanted = {}) {
  const TemporaryFolder folder;
  const std::string file = folder / "x.db3";
  {
    SqliteWriter writer(file);
    write(writer.MakeTables());
  }
  try {
    ReadLog(file, Rosbag2Format{}, wanted);
  } catch (const ConfigError& error) {
    return WithoutFolder(error.what(), file);
  }
  return "";
}

TEST_CASE("A message that contradicts its type is named by topic and number in order of time") {
  CHECK(WhyRefusedLog([](SqliteWriter& writer) {
          std::string shorter = kGoldenState;
          shorter.replace(48, 2, "10");  // the text of the joint's name
          writer.Topic(1, "/a", kJointStateType).Message(1, 30, shorter);
          writer.Message(1, 20, kGoldenState).Message(1, 10, kGoldenState);
        }) ==
        "x.db3: /a, message 3: a text of 16 bytes without NUL at byte 28, where 32 are left\n"
        "  was the message cut off, or is it of another type or version?");
}

TEST_CASE("A message that cannot be decompressed is named by topic and number") {
  CHECK(WhyRefusedLog([](SqliteWriter& writer) {
          writer.Topic(1, "/a", kJointStateType).Message(1, 10, "28b52ffd01020304");
        }) == "x.db3: /a, message 1: cannot be decompressed: Dictionary mismatch");
}

TEST_CASE("A topic whose headers have no stamps is refused, with the time that would do") {
  const auto write = [](SqliteWriter& writer) {
    writer.Topic(1, "/a", kJointStateType).Message(1, 10, kStateOfB);
  };
  CHECK(WhyRefusedLog(write) ==
        "x.db3: /a: all stamps of its headers are 0\n"
        "  \"time\": \"received\" takes the time at which the recorder got each message");
  const TemporaryFolder folder;
  {
    SqliteWriter writer(folder / "x.db3");
    write(writer.MakeTables());
  }
  const Log log = ReadLog(folder / "x.db3", {MessageTime::kReceived}, {"/a/b/c/position_rad"});
  CHECK(log.tables.at(0).stamps_ns == std::vector<std::int64_t>{10});
}

TEST_CASE("A column that two topics have, and a topic of two types, are refused") {
  CHECK(WhyRefusedLog([](SqliteWriter& writer) {
          std::string of_c = kGoldenState;
          of_c.replace(56, 2, "63");  // the joint's name is c
          std::string of_b = kStateOfB;
          of_b.replace(8, 2, "05");  // at 5 s
          writer.Topic(1, "/a", kJointStateType).Topic(2, "/a/b", kJointStateType);
          writer.Message(1, 10, of_b).Message(2, 10, of_c);
        }) == "x.db3: /a/b/c/position_rad: is a column of two topics, '/a' and '/a/b'");
  CHECK(WhyRefusedLog([](SqliteWriter& writer) {
          writer.Topic(1, "/a", kJointStateType).Topic(2, "/a", "sensor_msgs/msg/Imu");
        }) == "x.db3: /a: is of two types: sensor_msgs/msg/JointState and sensor_msgs/msg/Imu");
  CHECK(WhyRefusedLog([](SqliteWriter& writer) {
          writer.Run("INSERT INTO topics VALUES(1, CAST(x'2fff' AS TEXT), 't', 'cdr', '')");
        }) == "x.db3: the name of a topic is not UTF-8: '/\xEF\xBF\xBD'");
}

TEST_CASE("A wanted column of no topic is refused with the columns of all topics") {
  CHECK(WhyRefusedLog(
            [](SqliteWriter& writer) {
              writer.Topic(1, "/a", kJointStateType).Message(1, 10, kStateOfB);
            },
            {"/joint_states/b/position_rad"}) ==
        "x.db3: no column '/joint_states/b/position_rad'\n"
        "  the columns: /a/b/c/position_rad, /a/b/c/effort_nm");
}

TEST_CASE("Topics that are neither wanted nor known may be of any type and damaged") {
  const TemporaryFolder folder;
  const fs::path file = folder / "x.db3";
  {
    SqliteWriter writer(file);
    writer.MakeTables().Topic(1, "/a", kJointStateType).Topic(2, "/a/elbow", "some/msg/Image");
    writer.Topic(3, "/b", kJointStateType).Topic(4, "/json", kJointStateType, "json");
    writer.Message(1, 10, kGoldenState).Message(2, 10, "00").Message(3, 10, "00");
    writer.Message(4, 10, "00");
  }
  const Log log = ReadLog(file, Rosbag2Format{}, {"/a/a/effort_nm"});
  REQUIRE(log.tables.size() == 1);
  CHECK(log.tables[0].values(0, log.tables[0].Find("/a/a/effort_nm")) == 0.5);
}

TEST_CASE("Time is the header's or the reception's by its name in JSON") {
  Rosbag2Format format;
  CHECK(format.time == MessageTime::kHeader);
  std::vector<Issue> issues;
  ReadFields(Visit(format), Json::parse(R"({"time": "received"})"), "", issues);
  CHECK(issues.empty());
  CHECK(format.time == MessageTime::kReceived);
}

/// FNV-1a of the stamps and numbers as words of 64 bits, row by row.
std::uint64_t HashOf(const LogTable& table) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&hash](std::uint64_t word) { hash = (hash ^ word) * 0x100000001b3; };
  for (Eigen::Index i = 0; i < table.values.rows(); ++i) {
    add(std::bit_cast<std::uint64_t>(table.stamps_ns[static_cast<std::size_t>(i)]));
    for (const double value : table.values.row(i)) add(std::bit_cast<std::uint64_t>(value));
  }
  return hash;
}

// The hash is that of the numbers which rosbags 0.11.9 (Python) reads: its deserialize_cdr() of the
// messages in the order of their timestamps, position, velocity and effort joint by joint.
TEST_CASE("The UR10's recording holds what rosbags reads from it") {
  const char* const root = std::getenv("IDBENCH_DATA");
  if (root == nullptr) {
    MESSAGE("skipped: IDBENCH_DATA is not set");
    return;
  }
  const Log log = ReadLog(fs::path(root) / "ur10_ros2bag" / "ur10_exciting_trajectory.db3",
                          Rosbag2Format{}, {});
  REQUIRE(log.tables.size() == 1);
  const LogTable& table = log.tables[0];
  CHECK(table.name == "/joint_states");
  CHECK(table.values.rows() == 3441);
  CHECK(table.columns.size() == 18);
  CHECK(HashOf(table) == 0xd81bc3a9a1d8b271);
  CHECK(table.values(1720, table.Find("/joint_states/elbow_joint/effort_nm")) == 20.17795551396147);
}

}  // namespace
}  // namespace idbench
