#include "hw/table_channels.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <utility>

#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// A topic of a bag: joints a and b, 0.1 s apart from 5.0 s on; the second message is another
/// sender's, and the third lacks efforts.
LogTable JointStates() {
  Eigen::MatrixXd values(4, 4);
  values << 1, 2, 10, 20,          //
      kNone, kNone, kNone, kNone,  //
      3, 4, kNone, kNone,          //
      5, 6, 30, 40;
  return {
      "/js",     {"/js/a/position_rad", "/js/b/position_rad", "/js/a/effort_nm", "/js/b/effort_nm"},
      values,    {5'000'000'000, 5'050'000'000, 5'100'000'000, 5'200'000'000},
      "message", {1, 2, 3, 4}};
}

RecordingOptions BagOptions() {
  RecordingOptions options;
  options.format = Rosbag2Format{};
  options.columns[kJointPosition] = "/js/{a,b}/position_rad";
  options.columns[kJointTorque] = "/js/{a,b}/effort_nm";
  return options;
}

std::vector<Channel> Take(const std::vector<LogTable>& tables, const RecordingOptions& options,
                          DroppedRows* dropped = nullptr) {
  std::vector<Issue> issues;
  const std::vector<ChannelColumns> sources = ResolveColumns(options, issues);
  REQUIRE(issues.empty());
  DroppedRows own;
  return ChannelsOf({"bag.db3", tables}, options, sources, 5'000'000'000,
                    dropped == nullptr ? own : *dropped);
}

std::string Refusal(const std::vector<LogTable>& tables, const RecordingOptions& options) {
  try {
    Take(tables, options);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST_CASE("A channel has the rows that hold all its columns, with the format's own stamps") {
  const std::vector<Channel> channels = Take({JointStates()}, BagOptions());
  REQUIRE(channels.size() == 2);
  CHECK(channels[0].name == kJointPosition);
  CHECK(channels[0].time_s == Eigen::Vector3d(0.0, 0.1, 0.2));
  CHECK(channels[0].samples == Eigen::MatrixXd{{1.0, 2.0}, {3.0, 4.0}, {5.0, 6.0}});
  CHECK(channels[0].unit == "rad");
  CHECK(channels[1].name == kJointTorque);
  CHECK(channels[1].time_s == Eigen::Vector2d(0.0, 0.2));
  CHECK(channels[1].samples == Eigen::Matrix2d{{10.0, 20.0}, {30.0, 40.0}});
}

TEST_CASE("Stamps in ns become the numbers that their decimals are read as") {
  LogTable table = JointStates();
  table.stamps_ns = {5'000'000'000, 5'007'999'999, 5'013'000'001, 5'123'456'789};
  const std::vector<Channel> channels = Take({table}, BagOptions());
  CHECK(channels[0].time_s == Eigen::Vector3d(0.0, 0.013000001, 0.123456789));
}

TEST_CASE("A declared rate replaces the format's own stamps") {
  RecordingOptions options = BagOptions();
  options.rate_hz = 4.0;
  CHECK(Take({JointStates()}, options)[0].time_s == Eigen::Vector3d(0.0, 0.5, 0.75));
}

TEST_CASE("Tables of a log have clocks of their own") {
  LogTable other = JointStates();
  other.name = "/ft";
  other.columns = {"/ft/a/effort_nm", "/ft/b/effort_nm", "/ft/x_1", "/ft/y_1"};
  other.stamps_ns = {5'300'000'000, 5'400'000'000, 5'500'000'000, 5'600'000'000};
  RecordingOptions options = BagOptions();
  options.columns[kJointTorque] = "/ft/{a,b}/effort_nm";
  const std::vector<Channel> channels = Take({other, JointStates()}, options);
  REQUIRE(channels.size() == 2);
  CHECK(channels[0].name == kJointTorque);
  CHECK(channels[0].time_s == Eigen::Vector3d(0.3, 0.5, 0.6));
  CHECK(channels[1].name == kJointPosition);
}

TEST_CASE("Rows whose time does not increase are refused, or dropped and told") {
  LogTable table = JointStates();
  table.values.row(1) << 7, 8, 9, 10;
  table.values.row(2) << 3, 4, 5, 6;
  table.stamps_ns = {5'100'000'000, 5'100'000'000, 5'050'000'000, 5'200'000'000};
  CHECK(Refusal({table}, BagOptions()) ==
        "bag.db3: /js, message 2: time does not increase: 0.1 follows 0.1 of /js, message 1\n"
        "  sort the rows by time and remove repeated ones, skip_samples if they are at the "
        "beginning, or set /recording/unordered_rows to \"drop\"\n"
        "bag.db3: /js, message 3: time does not increase: 0.05 follows 0.1 of /js, message 1\n"
        "  sort the rows by time and remove repeated ones, skip_samples if they are at the "
        "beginning, or set /recording/unordered_rows to \"drop\"");
  RecordingOptions options = BagOptions();
  options.unordered_rows = FaultyRows::kDrop;
  DroppedRows dropped;
  const std::vector<Channel> channels = Take({table}, options, &dropped);
  CHECK(channels[0].time_s == Eigen::Vector2d(0.1, 0.2));
  CHECK(channels[0].samples == Eigen::Matrix2d{{1.0, 2.0}, {5.0, 6.0}});
  CHECK(dropped.rows == 4);
  CHECK(dropped.repeated_stamps == 1);
  CHECK(dropped.sentences ==
        std::vector<std::string>{"2 of 4 rows of bag.db3, whose time does not increase, "
                                 "the first at /js, message 2"});
}

TEST_CASE("A row with some of a channel's columns is refused") {
  LogTable table = JointStates();
  table.values(2, 1) = kNone;
  CHECK(Refusal({table}, BagOptions()) ==
        "bag.db3: /js, message 3: holds 1 of the 2 columns of joint_position\n"
        "  one row needs those of all joints: do several senders share them? Or set "
        "/recording/incomplete_rows to \"drop\"");
}

TEST_CASE("A channel without a complete row, or spread over tables, is refused") {
  LogTable table = JointStates();
  table.values.rightCols(2).setConstant(kNone);
  CHECK(Refusal({table}, BagOptions()) == "bag.db3: /js: no row holds the columns of joint_torque");
  LogTable other = JointStates();
  other.columns[3] = "/js/c/effort_nm";
  CHECK(Refusal({other}, BagOptions()) ==
        "bag.db3: the columns of joint_torque are in several places: '/js/b/effort_nm' is not "
        "where others are\n"
        "  the columns of one channel share their time: they are of one table or topic");
}

TEST_CASE("Channels in another table than their time are refused") {
  RecordingOptions options = BagOptions();
  options.format = CsvFormat{};
  options.columns[kTime] = "t_s";
  LogTable time{"", {"t_s"}, Eigen::MatrixXd::Zero(3, 1), {}, "row", {1, 2, 3}};
  LogTable table = JointStates();
  table.stamps_ns.clear();
  CHECK(Refusal({time, table}, options) ==
        "bag.db3: the columns of joint_position are not in the table of 't_s', their time\n"
        "  time and channels need the same number of rows");
}

TEST_CASE("More rows to skip than there are, are refused") {
  RecordingOptions options = BagOptions();
  options.skip_samples = 4;
  CHECK(Refusal({JointStates()}, options) ==
        "bag.db3: /js: has 4 rows, skip_samples = 4 leaves none");
}

}  // namespace
}  // namespace idbench
