#include "bench/identify/lab_logs.h"

#include <doctest/doctest.h>

#include <numbers>
#include <string>

#include "robots/temporary_folder_test.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

std::string LogText(const std::string& header, int columns) {
  std::string text = header + "\n";
  for (int row = 0; row < 20; ++row) {
    text += std::to_string(0.01 * row);
    for (int k = 0; k < columns; ++k) text += "," + std::to_string(0.1 * (row + k) / (1 + k));
    text += "\n";
  }
  return text;
}

IdentifyOptions OptionsFor(const TemporaryFolder& folder, const std::vector<std::string>& logs) {
  IdentifyOptions options;
  options.robot = "planar2";
  for (const std::string& log : logs) options.logs.push_back(folder / log);
  return options;
}

std::string RefusalOfLogs(const IdentifyOptions& options) {
  try {
    ReadLabLogs(options);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST_CASE("Logs that each hold all are recordings of their own, below their common folder") {
  const TemporaryFolder folder;
  folder.Write("a/1.csv", LogText("t_s,q1,q2,tau1,tau2", 4));
  folder.Write("b/2.csv", LogText("t_s,q1,q2,tau1,tau2", 4));
  IdentifyOptions options = OptionsFor(folder, {"a/1.csv"});
  options.validation = {folder / "b/2.csv"};
  const LabLogs logs = ReadLabLogs(options);
  CHECK(logs.recording.root == folder.path().string());
  REQUIRE(logs.identification.size() == 1);
  CHECK(logs.identification[0].all == "a/1.csv");
  REQUIRE(logs.validation.size() == 1);
  CHECK(logs.validation[0].all == "b/2.csv");
  CHECK(logs.robot_name == "planar2");
  const Recording recording =
      ReadLab(logs, logs.identification[0], "identification", Role::kIdentification);
  CHECK(recording.segments.front().Get(kJointTorque).samples.rows() == 20);
}

TEST_CASE(
    "Checks get velocities where all logs hold the same, and no log is refused for want of them") {
  const TemporaryFolder folder;
  folder.Write("1.csv", LogText("t_s,q1,q2,dq1,dq2,tau1,tau2", 6));
  folder.Write("2.csv", LogText("t_s,q1,q2,dq1,dq2,tau1,tau2", 6));
  folder.Write("without.csv", LogText("t_s,q1,q2,tau1,tau2", 4));
  for (const std::string other : {"2.csv", "without.csv"}) {
    CAPTURE(other);
    IdentifyOptions options = OptionsFor(folder, {"1.csv"});
    options.validation = {folder / other};
    const LabLogs logs = ReadLabLogs(options);
    for (const RecordingFiles& files : {logs.identification[0], logs.validation[0]}) {
      const Recording recording = ReadForChecks(logs, files);
      const bool has = recording.segments.front().Find(kJointVelocity) != nullptr;
      CHECK(has == (other == "2.csv"));
    }
    const Recording fitted = ReadLab(logs, logs.identification[0], "a", Role::kIdentification);
    CHECK(fitted.segments.front().Find(kJointVelocity) == nullptr);
  }
}

TEST_CASE("A log between semicolons with decimal commas is read as one between commas is") {
  const TemporaryFolder folder;
  const std::string points = LogText("t_s,q1,q2,tau1,tau2", 4);
  folder.Write("points.csv", points);
  std::string commas = points;
  for (char& sign : commas) sign = sign == ',' ? ';' : sign == '.' ? ',' : sign;
  folder.Write("commas.csv", commas);
  const auto read = [&folder](const std::string& name) {
    const LabLogs logs = ReadLabLogs(OptionsFor(folder, {name}));
    return ReadLab(logs, logs.identification[0], "identification", Role::kIdentification)
        .segments.front();
  };
  const Dataset expected = read("points.csv");
  const Dataset dataset = read("commas.csv");
  for (const std::string_view channel : {kJointPosition, kJointTorque}) {
    CHECK(dataset.Get(channel).time_s == expected.Get(channel).time_s);
    CHECK(dataset.Get(channel).samples == expected.Get(channel).samples);
  }
  CHECK(expected.Get(kJointTorque).samples(1, 0) == 0.1);
}

TEST_CASE("Columns of an archive of NumPy's arrays are found, its time beside shorter arrays") {
  const TemporaryFolder folder;
  IdentifyOptions options = OptionsFor(folder, {});
  options.logs = {IDBENCH_FILES_TESTDATA "/log.npz"};
  const LabLogs logs = ReadLabLogs(options);
  REQUIRE(logs.recording.columns[kTime]);
  CHECK(logs.recording.columns[kTime]->list == std::vector<std::string>{"t"});
  const Recording recording =
      ReadLab(logs, logs.identification[0], "identification", Role::kIdentification);
  CHECK(recording.segments.front().Get(kJointTorque).samples(3, 1) == 300.25);
}

TEST_CASE("Logs of which the first lacks torques are one recording in several files") {
  const TemporaryFolder folder;
  folder.Write("pos.csv", LogText("t_s,J1,J2", 2));
  folder.Write("torque.csv", LogText("t_s,J1,J2", 2));
  const LabLogs logs = ReadLabLogs(OptionsFor(folder, {"pos.csv", "torque.csv"}));
  REQUIRE(logs.identification.size() == 1);
  CHECK(logs.identification[0].by_channel ==
        Labelled<std::string>{{"joint_position", "pos.csv"}, {"joint_torque", "torque.csv"}});
  const Recording recording =
      ReadLab(logs, logs.identification[0], "identification", Role::kIdentification);
  CHECK(recording.segments.front().Get(kJointTorque).samples(1, 0) == 0.1);
}

TEST_CASE("Positions in whole degrees and torques with decimal commas are one recording") {
  const TemporaryFolder folder;
  std::string positions = "t_s;q1_deg;q2_deg\n", torques = "t_s;tau1;tau2\n";
  for (int row = 0; row < 20; ++row) {
    positions += std::to_string(row) + ";" + std::to_string(2 * row) + ";1\n";
    torques += std::to_string(row) + ";" + std::to_string(row) + ",5;0,25\n";
  }
  folder.Write("pos.csv", positions);
  folder.Write("torque.csv", torques);
  const LabLogs logs = ReadLabLogs(OptionsFor(folder, {"pos.csv", "torque.csv"}));
  REQUIRE(logs.identification.size() == 1);
  const Dataset segment =
      ReadLab(logs, logs.identification[0], "identification", Role::kIdentification).segments[0];
  CHECK(segment.Get(kJointTorque).samples(3, 0) == 3.5);
  CHECK(segment.Get(kJointPosition).samples(3, 0) ==
        doctest::Approx(6.0 * std::numbers::pi / 180.0));
}

TEST_CASE("Logs in other columns or formats than the first one are refused") {
  const TemporaryFolder folder;
  folder.Write("1.csv", LogText("t_s,q1,q2,tau1,tau2", 4));
  folder.Write("2.csv", LogText("t_s,q1_deg,q2_deg,tau1,tau2", 4));
  const std::string refusal = RefusalOfLogs(OptionsFor(folder, {"1.csv", "2.csv"}));
  CHECK(refusal.find("2.csv: joint_position is in other columns or units than in ") !=
        std::string::npos);
  folder.Write("3.db3", std::string("SQLite format 3\0", 16));
  CHECK(RefusalOfLogs(OptionsFor(folder, {"1.csv", "3.db3"})).find("3.db3") != std::string::npos);
}

TEST_CASE("Of a robot of which fewer joints are recorded the others are held") {
  const TemporaryFolder folder;
  folder.Write("1.csv", LogText("t_s,q1,tau1", 2));
  const LabLogs logs = ReadLabLogs(OptionsFor(folder, {"1.csv"}));
  CHECK(logs.robot.model.joint_names() == std::vector<std::string>{"joint1"});
  REQUIRE(logs.robot.held.size() == 1);
  CHECK(logs.robot.held[0].name == "joint2");
}

TEST_CASE("Columns of a part of a robot are asked for, and are of the joints that are said") {
  const TemporaryFolder folder;
  folder.Write("1.csv", LogText("t_s,q1,q2,tau1,tau2", 4));
  IdentifyOptions options = OptionsFor(folder, {"1.csv"});
  // Both legs hang on the trunk: the first two joints are no chain.
  options.robot = folder.Write(
      "legs.urdf",
      R"(<robot name="legs"><link name="trunk"/><link name="l"/><link name="r"/><link name="f"/>)"
      R"(<joint type="continuous" name="left"><parent link="trunk"/><child link="l"/></joint>)"
      R"(<joint type="continuous" name="right"><parent link="trunk"/><child link="r"/></joint>)"
      R"(<joint type="continuous" name="foot"><parent link="r"/><child link="f"/></joint></robot>)");
  const std::string refusal = RefusalOfLogs(options);
  CHECK(refusal.find(
            "2 columns of joint_position, and the robot has 3 joints: which ones are they?") !=
        std::string::npos);
  CHECK(refusal.find("--joints PATTERN") != std::string::npos);
  options.part.joints.patterns = {"right", "foot"};
  const LabLogs logs = ReadLabLogs(options);
  CHECK(logs.robot.model.joint_names() == std::vector<std::string>{"right", "foot"});
  REQUIRE(logs.robot.held.size() == 1);
  CHECK(logs.robot.held[0].name == "left");
}

TEST_CASE("The motors' channels of a log go through the robot's transmission") {
  const TemporaryFolder folder;
  folder.Write("pos.csv", LogText("t_s,m1,m2,m3,m4,m5,m6", 6));
  folder.Write("cur.csv", LogText("t_s,m1,m2,m3,m4,m5,m6", 6));
  IdentifyOptions options = OptionsFor(folder, {"pos.csv", "cur.csv"});
  options.robot = "staubli_tx40";
  options.told.columns = {{"motor_position", "m{1..6}"}, {"motor_torque", "m{1..6}"}};
  const LabLogs logs = ReadLabLogs(options);
  REQUIRE(logs.identification.size() == 1);
  CHECK(*logs.identification[0].Of("motor_position") == "pos.csv");
  CHECK(*logs.identification[0].Of("motor_torque") == "cur.csv");
  const Recording recording =
      ReadLab(logs, logs.identification[0], "identification", Role::kIdentification);
  const Dataset& segment = recording.segments.front();
  // Motor 1 turns 32 times as fast as joint 1.
  CHECK(segment.Get(kJointPosition).samples(1, 0) == doctest::Approx(0.1 / 32.0));
  CHECK(segment.Get(kJointTorque).samples(1, 0) == doctest::Approx(0.1 * 32.0));
}

TEST_CASE("Files with the same columns are told apart by their names, in any order, or refused") {
  const TemporaryFolder folder;
  for (const char* name : {"pos.csv", "torque.csv", "a.csv", "b.csv"}) {
    folder.Write(name, LogText("t_s,m1,m2", 2));
  }
  IdentifyOptions options = OptionsFor(folder, {"torque.csv", "pos.csv"});
  options.told.columns = {{"joint_position", "m{1,2}"}, {"joint_torque", "m{1,2}"}};
  const LabLogs logs = ReadLabLogs(options);
  REQUIRE(logs.identification.size() == 1);
  CHECK(*logs.identification[0].Of("joint_position") == "pos.csv");
  CHECK(*logs.identification[0].Of("joint_torque") == "torque.csv");
  options.logs = {folder / "a.csv", folder / "b.csv"};
  const std::string twice = RefusalOfLogs(options);
  const std::string files = (folder / "a.csv").string() + ", " + (folder / "b.csv").string();
  CHECK(twice.find("column 'm1': is asked for as joint_position and as joint_torque") !=
        std::string::npos);
  CHECK(twice.find("\n  taken for one recording, the 2 files: column 'm1' may be joint_position in "
                   "several files: " +
                   files) != std::string::npos);
  options.logs = {folder / "a.csv"};
  CHECK(RefusalOfLogs(options).find("column 'm1': is asked for as joint_position and as "
                                    "joint_torque") != std::string::npos);
}

TEST_CASE("The robot's own logs are found by what its robot.json says of them") {
  const TemporaryFolder folder;
  const std::string header = "Joint_1,Joint_2,Joint_3,Joint_4,Joint_5,Joint_6";
  for (const char* name : {"pos_read_data.csv", "curr_data.csv"}) {
    folder.Write(name, LogText(header, 5));
  }
  IdentifyOptions options = OptionsFor(folder, {"curr_data.csv", "pos_read_data.csv"});
  options.robot = "staubli_tx40";
  LabLogs logs = ReadLabLogs(options);
  REQUIRE(logs.identification.size() == 1);
  CHECK(*logs.identification[0].Of("motor_position") == "pos_read_data.csv");
  CHECK(*logs.identification[0].Of("motor_torque") == "curr_data.csv");
  CHECK(logs.recording.rate_hz == 5000.0);
  options.told.rate_hz = 1000.0;
  CHECK(ReadLabLogs(options).recording.rate_hz == 1000.0);
  // A log that looks otherwise is read as that of any robot.
  folder.Write("other.csv", LogText("t_s,q1,q2,q3,q4,q5,q6,tau1,tau2,tau3,tau4,tau5,tau6", 12));
  options = OptionsFor(folder, {"other.csv"});
  options.robot = "staubli_tx40";
  logs = ReadLabLogs(options);
  CHECK_FALSE(logs.recording.rate_hz.has_value());
  CHECK(logs.recording.columns[kJointPosition].has_value());
}

}  // namespace
}  // namespace idbench
