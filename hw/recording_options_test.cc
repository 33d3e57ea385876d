#include "hw/recording_options.h"

#include <doctest/doctest.h>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr const char* kKuka = R"({"root": "$IDBENCH_DATA/kuka_lwr4", "skip_samples": 500,
  "columns": {"time": "t_s", "joint_position": "q{1..7}_rad", "joint_velocity": "qd{1..7}_rad_s",
              "joint_acceleration": "qdd{1..7}_rad_s2", "joint_torque": "tau{1..7}_nm"}})";

std::string IssuesOf(const std::string& text) {
  RecordingOptions options;
  std::vector<Issue> issues;
  ReadFields(Visit(options), ParseJson(text, "test"), "/recording", issues);
  std::string joined;
  for (const Issue& issue : issues) {
    joined += issue.where + ": " + issue.what + "\n";
    for (const std::string& line : issue.details) joined.append("  ").append(line).append("\n");
  }
  return joined;
}

std::string WithColumns(const std::string& columns) {
  return std::string(R"({"root": ".", "columns": {)").append(columns).append("}}");
}

RecordingOptions Kuka() {
  RecordingOptions options;
  std::vector<Issue> issues;
  ReadFields(Visit(options), ParseJson(kKuka, "test"), "", issues);
  CHECK(issues.empty());
  return options;
}

TEST_CASE("A recording is declared as the scenario format says, its root kept as written") {
  const RecordingOptions options = Kuka();
  CHECK(options.root == "$IDBENCH_DATA/kuka_lwr4");
  CHECK(options.skip_samples == 500);
  CHECK(options.columns[kJointTorque] == "tau{1..7}_nm");
  CHECK_FALSE(options.columns[kMotorCurrent].has_value());
}

TEST_CASE("What is written of the options reads back as the same options") {
  RecordingOptions options = Kuka();
  options.source = "example.org";
  options.units[kJointTorque].emplace("n");
  options.derived = {"joint_velocity"};
  const Json written = WriteFields(Visit(options));
  RecordingOptions copy;
  std::vector<Issue> issues;
  ReadFields(Visit(copy), written, "", issues);
  CHECK(issues.empty());
  CHECK(copy.root == "$IDBENCH_DATA/kuka_lwr4");
  CHECK(WriteFields(Visit(copy)) == written);
}

TEST_CASE("Columns are resolved to names and units, time first") {
  std::vector<Issue> issues;
  const std::vector<ChannelColumns> channels = ResolveColumns(Kuka(), issues);
  CHECK(issues.empty());
  REQUIRE(channels.size() == 5);
  CHECK(channels[0].channel == kTime);
  CHECK(channels[4].channel == "joint_torque");
  REQUIRE(channels[4].columns.size() == 7);
  CHECK(channels[4].columns[6].name == "tau7_nm");
  CHECK(channels[4].columns[6].unit.si == "N·m");
}

TEST_CASE("A unit can be given for columns whose names carry none, or another") {
  RecordingOptions options = Kuka();
  options.columns[kJointPosition] = "Joint_{1..7}";
  options.units[kJointPosition] = "deg";
  options.units[kJointTorque].emplace("n");
  std::vector<Issue> issues;
  const std::vector<ChannelColumns> channels = ResolveColumns(options, issues);
  CHECK(issues.empty());
  CHECK(channels[1].columns[0].unit.suffix == "deg");
  CHECK(channels[4].columns[0].unit.suffix == "n");
}

TEST_CASE("A column without a unit, or with one of another quantity, is refused once a channel") {
  CHECK(IssuesOf(WithColumns(R"("time": "t_s", "joint_position": "q{1..7}")")) ==
        "/recording/columns/joint_position: a column carries its unit, 'q1' has none at its end\n"
        "  accepted at its end: _rad, _deg, _m, _mm\n"
        "  or give it for all its columns, as in \"units\": {\"joint_position\": \"rad\"}\n");
  CHECK(
      IssuesOf(WithColumns(R"("time": "t_s", "joint_position": "q{1..7}_rad_s")")) ==
      "/recording/columns/joint_position: column 'q1_rad_s' is in 'rad_s', which is not a unit of "
      "joint_position\n"
      "  accepted at its end: _rad, _deg, _m, _mm\n"
      "  or give it for all its columns, as in \"units\": {\"joint_position\": \"rad\"}\n");
  CHECK(IssuesOf(WithColumns(
            R"("time": "t_s", "joint_position": "q1_rad", "wrench": {"ft": "f1_kg"})")) ==
        "/recording/columns/wrench/ft: a column carries its unit, 'f1_kg' has none at its end\n"
        "  accepted at its end: _nm, _knm, _mnm, _ncm, _nmm, _n\n"
        "  or give it for all its columns, as in \"units\": {\"wrench/ft\": \"nm\"}\n");
}

TEST_CASE("A bad pattern is refused") {
  CHECK(IssuesOf(WithColumns(R"("time": "t_s", "joint_torque": "tau{1-7}_nm")")) ==
        "/recording/columns/joint_torque: 'tau{1-7}_nm' has the range '{1-7}', which is not like "
        "{1..7}\n  accepted here: a name, a pattern like q{1..7}_rad, several of them between "
        "commas, "
        "or a list of names\n");
}

TEST_CASE("Columns can be a list of names as they are, with commas and braces") {
  const Json json = ParseJson(R"({"root": ".", "columns": {"time": "t_s",
      "joint_position": ["shoulder, lift{1}", "q2_rad"]}, "units": {"joint_position": "deg"}})",
                              "test");
  RecordingOptions options;
  std::vector<Issue> issues;
  ReadFields(Visit(options), json, "", issues);
  CHECK(issues.empty());
  const std::vector<ChannelColumns> channels = ResolveColumns(options, issues);
  REQUIRE(channels.size() == 2);
  REQUIRE(channels[1].columns.size() == 2);
  CHECK(channels[1].columns[0].name == "shoulder, lift{1}");
  CHECK(channels[1].columns[1].name == "q2_rad");
  CHECK(WriteFields(Visit(options))["columns"]["joint_position"] ==
        json["columns"]["joint_position"]);
}

TEST_CASE("A list of columns that is empty, repeats a name or holds no text is refused") {
  CHECK(IssuesOf(WithColumns(R"("time": "t_s", "joint_position": [])"))
            .starts_with("/recording/columns/joint_position: names no column\n"));
  CHECK(IssuesOf(WithColumns(R"("time": "t_s", "joint_position": ["q_rad", "q_rad"])"))
            .starts_with("/recording/columns/joint_position: 'q_rad' stands in the list twice\n"));
  CHECK(IssuesOf(WithColumns(R"("time": "t_s", "joint_position": [""])"))
            .starts_with("/recording/columns/joint_position: a name is empty\n"));
  CHECK(IssuesOf(WithColumns(R"("time": "t_s", "joint_position": [3])"))
            .starts_with("/recording/columns/joint_position/0: "));
}

TEST_CASE("Time is one column or a rate") {
  const std::string accepted =
      "\n  accepted here: either a time column or, for files without one, rate_hz\n";
  CHECK(IssuesOf(WithColumns(R"("joint_position": "q_rad")")) ==
        "/recording/columns/time: missing" + accepted);
  CHECK(IssuesOf(R"({"root": ".", "rate_hz": 100,
                     "columns": {"time": "t_s", "joint_position": "q_rad"}})") ==
        "/recording/columns/time: a time column is named and rate_hz is given too" + accepted);
  CHECK(IssuesOf(WithColumns(R"("time": "t{1..2}_s", "joint_position": "q_rad")")) ==
        "/recording/columns/time: two columns of time are whole seconds and nanoseconds\n"
        "  't2_s' ends in s\n");
  CHECK(IssuesOf(WithColumns(R"("time": "t{1..3}_s", "joint_position": "q_rad")")) ==
        "/recording/columns/time: got 3 columns\n"
        "  accepted here: one, or two that are whole seconds and nanoseconds, as in "
        "header.stamp.sec,header.stamp.nanosec\n");
  CHECK(IssuesOf(R"({"root": ".", "rate_hz": 100, "columns": {"joint_position": "q_rad"}})") == "");
}

TEST_CASE("Two columns of time are whole seconds and nanoseconds and need no unit") {
  const std::string two = R"("time": "stamp.{sec,nanosec}", "joint_position": "q1_rad")";
  CHECK(IssuesOf(WithColumns(two)).empty());
  CHECK(IssuesOf(R"({"root": ".", "columns": {)" + two + R"(}, "units": {"time": "s"}})") ==
        "/recording/units/time: two columns of time are whole seconds and nanoseconds\n"
        "  remove it, or name one column of time\n");
}

TEST_CASE("A recording has channels, and units and origins only of those it has") {
  CHECK(IssuesOf(WithColumns(R"("time": "t_s")")) ==
        "/recording/columns: no channel is named\n"
        "  accepted here: joint_position, joint_velocity, joint_acceleration, joint_torque, "
        "motor_position, motor_torque, motor_current, motor_pwm, base_wrench, wrench, "
        "end_effector_wrench, "
        "actuator_torque, "
        "hall_position, accelerometer, gyroscope, distance, desired_position, desired_velocity, "
        "desired_acceleration\n");
  CHECK(IssuesOf(R"({"root": ".", "columns": {"time": "t_s", "joint_position": "q_rad"},
                     "units": {"joint_torque": "nm"}, "derived": ["joint_velocity"]})") ==
        "/recording/derived/0: /columns/joint_velocity names no columns\n"
        "/recording/units/joint_torque: /columns/joint_torque names no columns\n");
  CHECK(IssuesOf(R"({"root": ".", "columns": {"time": "t_s", "joint_position": "q_rad"},
                     "units": {"joint_position": "nm"}})")
            .starts_with("/recording/units/joint_position: got \"nm\"\n"
                         "  accepted here: rad, deg, m, mm\n"));
}

TEST_CASE("No recording has the truth") {
  CHECK(IssuesOf(R"({"root": ".", "columns": {"time": "t_s", "external_wrench": "f{1..6}_n"}})")
            .starts_with("/recording/columns/external_wrench: is part of the truth, for metrics "
                         "alone: no sensor reads it, and no data have it\n"));
}

TEST_CASE("A format with stamps of its own needs no time, and refuses a column of it") {
  const std::string bag = R"({"root": ".", "format": {"type": "rosbag2"}, "columns": {)";
  CHECK(IssuesOf(bag + R"("joint_position": "/js/{a,b}/position_rad"}})").empty());
  CHECK(IssuesOf(bag + R"("joint_position": "/js/{a,b}/position_rad"}, "rate_hz": 100})").empty());
  CHECK(IssuesOf(bag + R"("time": "t_s", "joint_position": "/js/{a,b}/position_rad"}})") ==
        "/recording/columns/time: is named, but files of this format hold time stamps of their "
        "own\n"
        "  remove it; /recording/format says which of the stamps count\n");
  CHECK(IssuesOf(
            R"({"root": ".", "format": {"type": "ros"}, "columns": {"joint_position": "q_rad"}})")
            .find("rosbag2") != std::string::npos);
}

}  // namespace
}  // namespace idbench
