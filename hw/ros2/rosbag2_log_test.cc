#include "hw/ros2/rosbag2_log.h"

#include <doctest/doctest.h>

#include <bit>
#include <cstdlib>

#include "hw/ros2/recording_csv_test.h"
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
