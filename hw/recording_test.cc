#include "hw/recording.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "hw/ros2/sqlite_writer_test.h"
#include "robots/recording/resample.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/config_error.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

RecordingOptions TwoJoints(const TemporaryFolder& folder) {
  RecordingOptions options;
  options.root = folder.path().string();
  options.columns[kTime] = "t_s";
  options.columns[kJointPosition] = "q{1..2}_rad";
  options.columns[kJointTorque] = "tau{1..2}_nm";
  return options;
}

constexpr const char* kHeader = "t_s,q1_rad,q2_rad,tau1_nm,tau2_nm\n";
constexpr const char* kRows = "0,1,2,3,4\n0.1,5,6,7,8\n0.25,9,10,11,12\n";

Dataset Read(const RecordingOptions& options, int dofs = 2) {
  return ReadRecording(options, {.all = "run1.csv"}, "run1", Role::kIdentification, dofs)
      .segments.front();
}

/// The message without the folder's name in front of each line.
std::string MessageOf(const TemporaryFolder& folder, const RecordingOptions& options,
                      int dofs = 2) {
  try {
    Read(options, dofs);
  } catch (const ConfigError& error) {
    std::string message = error.what();
    const std::string prefix = folder.path().string() + "/";
    for (auto at = message.find(prefix); at != std::string::npos; at = message.find(prefix)) {
      message.erase(at, prefix.size());
    }
    return message;
  }
  return "no error";
}

std::string MessageOfText(const std::string& text) {
  const TemporaryFolder folder;
  folder.Write("run1.csv", text);
  return MessageOf(folder, TwoJoints(folder));
}

TEST_CASE("A recording becomes channels on one time vector, further columns are left out") {
  const TemporaryFolder folder;
  folder.Write("run1.csv", "tau2_nm,extra,t_s,q1_rad,q2_rad,tau1_nm\n4,0,0,1,2,3\n8,0,0.1,5,6,7\n");
  const Dataset dataset = Read(TwoJoints(folder));
  CHECK(dataset.label() == "run1");
  CHECK(dataset.role() == Role::kIdentification);
  CHECK(dataset.channels().size() == 2);
  const Channel& torque = dataset.Get(kJointTorque);
  CHECK(torque.time_s == Eigen::Vector2d(0.0, 0.1));
  CHECK(torque.samples == Eigen::Matrix2d{{3.0, 4.0}, {7.0, 8.0}});
  CHECK(torque.unit == "N·m");
  CHECK(torque.origin == Origin::kMeasured);
  CHECK(torque.sigma.size() == 0);
  CHECK(dataset.Get(kJointPosition).time_s == torque.time_s);
}

TEST_CASE("Units are converted to SI, joint by joint") {
  const TemporaryFolder folder;
  folder.Write("run1.csv",
               "t_ms,q1_deg,q2_mm,i1_ma,i2_a,pwm1_pct,pwm2_pct\n"
               "0,180,1500,20,3,-12.5,3\n5,-90,0,0,0,0,0\n");
  RecordingOptions options;
  options.root = folder.path().string();
  options.columns[kTime] = "t_ms";
  options.columns[kJointPosition] = "q1_deg, q2_mm";
  options.columns[kMotorCurrent] = "i1_ma, i2_a";
  options.columns[kMotorPwm] = "pwm{1..2}_pct";
  const Dataset dataset = Read(options);
  const Channel& position = dataset.Get(kJointPosition);
  CHECK(position.unit == "rad or m");
  CHECK(position.time_s[1] == 0.005);
  CHECK(position.samples(0, 0) == doctest::Approx(std::numbers::pi).epsilon(1e-15));
  CHECK(position.samples(0, 1) == 1.5);
  CHECK(dataset.Get(kMotorCurrent).unit == "A");
  CHECK(dataset.Get(kMotorCurrent).samples(0, 0) == 0.02);
  CHECK(dataset.Get(kMotorPwm).unit == "%");
  CHECK(dataset.Get(kMotorPwm).samples(0, 0) == -12.5);
}

TEST_CASE("Two columns of time are the parts of one stamp, to the nanosecond, from the first on") {
  const TemporaryFolder folder;
  folder.Write("run1.csv",
               "sec,nanosec,q1_rad,q2_rad,tau1_nm,tau2_nm\n"
               "1700000000,999999999,1,2,3,4\n1700000001,1,5,6,7,8\n");
  RecordingOptions options = TwoJoints(folder);
  options.columns[kTime] = "sec,nanosec";
  CHECK(Read(options).Get(kJointPosition).time_s == Eigen::Vector2d(0.0, 2e-9));

  folder.Write("run1.csv",
               "sec,nanosec,q1_rad,q2_rad,tau1_nm,tau2_nm\n"
               "1,0,1,2,3,4\n,5,5,6,7,8\n1,9,5,6,7,8\n1,,5,6,7,8\n");
  options.incomplete_rows = FaultyRows::kDrop;
  CHECK(Read(options).Get(kJointPosition).time_s == Eigen::Vector2d(0.0, 9e-9));

  folder.Write("run1.csv",
               "sec,nanosec,q1_rad,q2_rad,tau1_nm,tau2_nm\n1,0,1,2,3,4\n1,0.5,5,6,7,8\n");
  CHECK(MessageOf(folder, options)
            .starts_with("run1.csv: line 3, columns 'sec' and 'nanosec': hold 1 and 0.5"));
}

TEST_CASE("Skipped rows are not read, not even their time") {
  const TemporaryFolder folder;
  folder.Write("run1.csv", std::string(kHeader) + "9,0,0,0,0\n" + kRows);
  RecordingOptions options = TwoJoints(folder);
  options.skip_samples = 1;
  CHECK(Read(options).Get(kJointPosition).time_s == Eigen::Vector3d(0.0, 0.1, 0.25));
  options.skip_samples = 4;
  CHECK(MessageOf(folder, options) == "run1.csv: has 4 rows, skip_samples = 4 leaves none");
}

TEST_CASE("A file without a time column has the declared rate, from its first row on") {
  const TemporaryFolder folder;
  folder.Write("run1.csv", std::string(kHeader) + kRows);
  RecordingOptions options = TwoJoints(folder);
  options.columns[kTime].reset();
  options.rate_hz = 4.0;
  options.skip_samples = 1;
  CHECK(Read(options).Get(kJointPosition).time_s == Eigen::Vector2d(0.25, 0.5));
}

TEST_CASE("Channels that the authors computed are derived") {
  const TemporaryFolder folder;
  folder.Write("run1.csv", std::string(kHeader) + kRows);
  RecordingOptions options = TwoJoints(folder);
  options.derived = {"joint_torque"};
  const Dataset dataset = Read(options);
  CHECK(dataset.Get(kJointTorque).origin == Origin::kDerived);
  CHECK(dataset.Get(kJointPosition).origin == Origin::kMeasured);
}

TEST_CASE("Broken recording: a ragged row") {
  CHECK(MessageOfText(std::string(kHeader) + "0,1,2,3,4\n0.1,5,6\n0.2,1,2,3,4\n") ==
        "run1.csv: line 3: got 3 of 5 values");
}

TEST_CASE("Broken recording: text in a number") {
  CHECK(MessageOfText(std::string(kHeader) + "0,1,two,3,4\n") ==
        "run1.csv: line 2, column 'q2_rad': got 'two'\n"
        "  a finite number with a decimal point is accepted");
}

TEST_CASE("Broken recording: time going backwards, or standing still") {
  const std::string cure =
      "\n  sort the rows by time and remove repeated ones, skip_samples if they are at the "
      "beginning, or set /recording/unordered_rows to \"drop\"";
  CHECK(MessageOfText(std::string(kHeader) + kRows + "0.2,1,2,3,4\n\n0.2,1,2,3,4\n") ==
        "run1.csv: line 5, column 't_s': time does not increase: 0.2 follows 0.25 of line 4" +
            cure +
            "\nrun1.csv: line 7, column 't_s': time does not increase: 0.2 follows 0.25 of line 4" +
            cure);
}

/// Stamps at 10 Hz from each of the starts, and positions that count the rows.
std::string Rows(const std::vector<std::pair<double, int>>& stretches) {
  std::string rows = "t_s,q1_rad,q2_rad,tau1_nm,tau2_nm\n";
  int row = 0;
  for (const auto& [from_s, count] : stretches) {
    for (int i = 0; i < count; ++i) {
      rows += std::to_string(from_s + 0.1 * i) + "," + std::to_string(row++) + ",0,0,0\n";
    }
  }
  return rows;
}

TEST_CASE("A recording is split where time has a gap or jumps back, unless it is not to be") {
  const TemporaryFolder folder;
  folder.Write("run1.csv", Rows({{0.0, 50}, {9.0, 40}, {0.5, 30}}));
  RecordingOptions options = TwoJoints(folder);
  const auto read = [&options] {
    return ReadRecording(options, {.all = "run1.csv"}, "run1", Role::kIdentification, 2);
  };
  const Recording recording = read();
  REQUIRE(recording.segments.size() == 3);
  const Eigen::Vector3d rows(50, 40, 30);
  Eigen::Index before = 0;
  for (int k = 0; k < 3; ++k) {
    const Dataset& segment = recording.segments[static_cast<std::size_t>(k)];
    CHECK(segment.label() == "run1");
    CHECK(segment.role() == Role::kIdentification);
    CHECK(segment.Get(kJointPosition).samples.rows() == rows[k]);
    CHECK(segment.Get(kJointTorque).samples.rows() == rows[k]);
    CHECK(segment.Get(kJointPosition).samples(0, 0) == double(before));
    before += segment.Get(kJointPosition).samples.rows();
  }
  REQUIRE(recording.breaks.size() == 2);
  CHECK(recording.breaks[0].Describe() == "a gap of 4.1 s at t = 4.9 s");
  CHECK(recording.breaks[1].Describe() == "time jumps back from 12.9 s to 0.5 s");
  options.gap_steps = 200.0;
  CHECK(MessageOf(folder, options).find("line 92, column 't_s': time does not increase") !=
        std::string::npos);
  options.gap_steps.reset();
  CHECK(MessageOf(folder, options).find("line 92, column 't_s': time does not increase") !=
        std::string::npos);
  folder.Write("run1.csv", Rows({{0.0, 50}, {9.0, 40}}));
  CHECK(read().segments.size() == 1);
}

TEST_CASE("A recording in an archive of NumPy's arrays is read by their indices") {
  RecordingOptions options;
  std::vector<Issue> issues;
  ReadFields(Visit(options), Json::parse(R"({"root": ")" IDBENCH_FILES_TESTDATA R"(",
      "format": {"type": "numpy"},
      "columns": {"time": "t", "joint_position": "q[{0..1}]", "joint_torque": "tau[{0..1}]"},
      "units": {"time": "s", "joint_position": "deg", "joint_torque": "nm"}})"),
             "", issues);
  REQUIRE(issues.empty());
  const Recording recording =
      ReadRecording(options, {.all = "log.npz"}, "run", Role::kIdentification, 2);
  const Dataset& segment = recording.segments.front();
  const Channel& position = segment.Get(kJointPosition);
  CHECK(position.time_s[4] == 0.5);
  CHECK(position.samples(4, 0) == doctest::Approx(4.5 * std::numbers::pi / 180.0).epsilon(1e-15));
  CHECK(segment.Get(kJointTorque).samples(3, 1) == 300.25);
}

TEST_CASE("Channels of an archive whose arrays are not as long as time are refused") {
  RecordingOptions options;
  options.root = IDBENCH_FILES_TESTDATA;
  options.format = NumpyFormat{};
  options.columns[kTime] = "t";
  options.units[kTime] = "s";
  options.columns[kJointPosition] = "grip";
  options.units[kJointPosition] = "rad";
  CHECK_THROWS_WITH_AS(
      ReadRecording(options, {.all = "log.npz"}, "run", Role::kIdentification, 1),
      IDBENCH_FILES_TESTDATA
      "/log.npz: the columns of joint_position are not in the table of 't', their time\n"
      "  time and channels need the same number of rows",
      ConfigError);
}

TEST_CASE("Files of one recording that start anew unequally often are refused") {
  const TemporaryFolder folder;
  folder.Write("p.csv", Rows({{0.0, 50}, {0.0, 50}}));
  folder.Write("c.csv", Rows({{0.0, 100}}));
  try {
    ReadRecording(TwoJoints(folder),
                  {.by_channel = {{"joint_position", "p.csv"}, {"joint_torque", "c.csv"}}}, "run",
                  Role::kIdentification, 2);
    FAIL("no error");
  } catch (const ConfigError& error) {
    CHECK(std::string(error.what()) ==
          "run: the time of 'joint_position' jumps back 1 times, that of 'joint_torque' 0 times\n"
          "  a recording in several files must start anew in all of them, or in none");
  }
}

TEST_CASE("A recording of which no segment holds two samples of each channel is refused") {
  const TemporaryFolder folder;
  folder.Write("p.csv", Rows({{0.0, 50}, {30.0, 50}}));
  folder.Write("c.csv", Rows({{15.0, 50}}));  // while positions were not recorded
  try {
    ReadRecording(TwoJoints(folder),
                  {.by_channel = {{"joint_position", "p.csv"}, {"joint_torque", "c.csv"}}}, "run",
                  Role::kIdentification, 2);
    FAIL("no error");
  } catch (const ConfigError& error) {
    CHECK(std::string(error.what()) ==
          "run: no segment has two samples of each channel\n"
          "  segments end where time steps by more than /recording/gap_steps 10 usual steps");
  }
}

TEST_CASE("Broken recording: a missing column") {
  CHECK(MessageOfText("t_s,q1_rad,q2_rad,tau1_nm,tau_2_nm\n0,1,2,3,4\n") ==
        "run1.csv: line 1: no column 'tau2_nm'\n  did you mean 'tau1_nm'?\n"
        "  the columns: t_s, q1_rad, q2_rad, tau1_nm, tau_2_nm");
}

TEST_CASE("Broken recording: an empty file") {
  CHECK(MessageOfText("") ==
        "run1.csv: is empty\n  a header row of column names and rows of numbers are accepted");
  CHECK(MessageOfText(kHeader) == "run1.csv: holds a header but no rows");
}

TEST_CASE("A missing file is refused with its path, what is there, and where to get it") {
  const TemporaryFolder folder;
  folder.Write("run2.csv", "");
  folder.Write("notes.txt", "");
  setenv("IDBENCH_TEST_RECORDINGS", folder.path().c_str(), 1);
  RecordingOptions options = TwoJoints(folder);
  options.root = "$IDBENCH_TEST_RECORDINGS";
  options.source = "example.org";
  CHECK(MessageOf(folder, options) ==
        "run1.csv: no such file\n  the root '$IDBENCH_TEST_RECORDINGS' stands for '" +
            folder.path().string() +
            "'\n  its folder holds: notes.txt, run2.csv\n  did you mean 'run2.csv'?\n"
            "  the recordings are available from example.org");
  options.root = folder.path().string() + "/none";
  CHECK(MessageOf(folder, options) ==
        "none/run1.csv: no such file\n  there is no folder 'none': check the root\n"
        "  the recordings are available from example.org");
}

TEST_CASE("A root whose variable is not set is refused with the cure") {
  unsetenv("IDBENCH_TEST_UNSET");
  const TemporaryFolder folder;
  RecordingOptions options = TwoJoints(folder);
  options.root = "$IDBENCH_TEST_UNSET/kuka_lwr4";
  options.source = "example.org";
  CHECK(MessageOf(folder, options) ==
        "$IDBENCH_TEST_UNSET/kuka_lwr4: the environment variable IDBENCH_TEST_UNSET is not set\n"
        "  set it: export IDBENCH_TEST_UNSET=/path/to/folder\n"
        "  the recordings are available from example.org");
}

TEST_CASE("Options that do not fit the robot, or contradict themselves, are refused") {
  const TemporaryFolder folder;
  folder.Write("run1.csv", std::string(kHeader) + kRows);
  CHECK(MessageOf(folder, TwoJoints(folder), 3) ==
        "recording: /columns/joint_position: names 2 columns, but the robot has 3 joints\n"
        "  one column per joint, in the order of the model, is accepted\n"
        "recording: /columns/joint_torque: names 2 columns, but the robot has 3 joints\n"
        "  one column per joint, in the order of the model, is accepted");
  RecordingOptions options = TwoJoints(folder);
  options.columns[kTime].reset();
  CHECK(MessageOf(folder, options) ==
        "recording: /columns/time: missing\n"
        "  accepted here: either a time column or, for files without one, rate_hz");
}

TEST_CASE("The KUKA LWR4+ log is read") {
  if (std::getenv("IDBENCH_DATA") == nullptr) {
    MESSAGE("skipped: IDBENCH_DATA is not set");
    return;
  }
  RecordingOptions options;
  options.root = "$IDBENCH_DATA/kuka_lwr4";
  options.skip_samples = 500;
  options.columns[kTime] = "t_s";
  options.columns[kJointPosition] = "q{1..7}_rad";
  options.columns[kJointVelocity] = "qd{1..7}_rad_s";
  options.columns[kJointAcceleration] = "qdd{1..7}_rad_s2";
  options.columns[kJointTorque] = "tau{1..7}_nm";
  options.derived = {"joint_velocity", "joint_acceleration"};
  const Dataset run1 = Read(options, 7);
  const Channel& position = run1.Get(kJointPosition);
  const Channel& torque = run1.Get(kJointTorque);
  // 5,027 samples at 200 Hz (README of the recordings); the numbers as they stand in the file.
  CHECK(position.samples.rows() == 4527);
  CHECK(NominalRate(position.time_s) == doctest::Approx(200.0).epsilon(0.001));
  CHECK(position.time_s[0] == 2.49947095);
  CHECK(position.samples(0, 0) == -0.887282952);
  CHECK(torque.samples(4526, 6) == -0.479356113);
  CHECK(run1.Get(kJointVelocity).origin == Origin::kDerived);
}

TEST_CASE("A declared σ is attached to its channels alone, one number to all joints") {
  Dataset raw("run", Role::kIdentification);
  const Eigen::VectorXd time_s = Eigen::VectorXd::LinSpaced(3, 0.0, 0.2);
  for (const std::string_view name : {kJointPosition, kJointTorque}) {
    raw.Add({std::string(name), "", time_s, Eigen::MatrixXd::Ones(3, 2), {}, Origin::kMeasured});
  }
  raw.Add(
      {std::string(kBaseWrench), "", time_s, Eigen::MatrixXd::Ones(3, 6), {}, Origin::kMeasured});
  raw.lowpass_cutoff_hz = 5.0;
  RecordingOptions options;
  CHECK(WithDeclaredSigma(raw, options).Get(kJointTorque).sigma.size() == 0);
  options.declared_sigma[kJointTorque] = PerJoint{{0.5}};
  options.declared_sigma[kBaseWrench] = PerJoint{{1, 2, 3, 4, 5, 6}};
  const Dataset declared = WithDeclaredSigma(raw, options);
  CHECK(declared.Get(kJointTorque).sigma == Eigen::Vector2d(0.5, 0.5));
  CHECK(declared.Get(kBaseWrench).sigma == Eigen::VectorXd::LinSpaced(6, 1.0, 6.0));
  CHECK(declared.Get(kJointPosition).sigma.size() == 0);
  options.declared_sigma[kJointPosition] = PerJoint{{0.001, 0.0}};
  CHECK(WithDeclaredSigma(raw, options).Get(kJointPosition).sigma == Eigen::Vector2d(0.001, 0.0));
  CHECK(declared.lowpass_cutoff_hz == 5.0);
}

/// Positions J1, J2 and torques C1, C2 of log.csv.
RecordingOptions JointsAndTorques(const TemporaryFolder& folder, const char* position_unit) {
  RecordingOptions options = TwoJoints(folder);
  options.columns[kJointPosition] = "J{1..2}";
  options.columns[kJointTorque] = "C{1..2}";
  options.units[kJointPosition] = position_unit;
  options.units[kJointTorque] = "nm";
  return options;
}

Recording ReadLogCsv(const RecordingOptions& options) {
  return ReadRecording(options, RecordingFiles{"log.csv", {}}, "a", Role::kIdentification, 2);
}

TEST_CASE("Columns are multiplied by their factors and moved by their offsets, in SI units") {
  const TemporaryFolder folder;
  folder.Write("log.csv", "t_s,J1,J2,C1,C2\n0,90,180,1,2\n0.1,0,90,3,4\n");
  RecordingOptions options = JointsAndTorques(folder, "deg");
  const auto read = [&] { return ReadLogCsv(options).segments.front(); };
  const Dataset plain = read();
  options.factors[kJointTorque] = PerJoint{{12.0, -0.5}};
  options.factors[kJointPosition] = PerJoint{{-1.0}};
  options.offsets[kJointPosition] = PerJoint{{0.25, 0.0}};
  const Dataset changed = read();
  CHECK(changed.Get(kJointTorque).samples == Eigen::Matrix2d{{12.0, -1.0}, {36.0, -2.0}});
  const Eigen::MatrixXd& q = plain.Get(kJointPosition).samples;
  CHECK(changed.Get(kJointPosition).samples.col(0) == Eigen::VectorXd(0.25 - q.col(0).array()));
  CHECK(changed.Get(kJointPosition).samples.col(1) == -q.col(1));
  CHECK(changed.Get(kJointPosition).unit == "rad");
}

TEST_CASE("Rows that lack numbers of a channel are refused, or dropped of that channel alone") {
  const TemporaryFolder folder;
  folder.Write("log.csv",
               "t_s,J1,J2,C1,C2\n0,1,2,1,2\n0.1,nan,2,3,4\n0.2,1,2,,4\n,1,2,3,4\n0.4,3,4,5,6\n");
  RecordingOptions options = JointsAndTorques(folder, "rad");
  CHECK_THROWS_AS(ReadLogCsv(options), ConfigError);
  options.incomplete_rows = FaultyRows::kDrop;
  const Recording recording = ReadLogCsv(options);
  REQUIRE(recording.segments.size() == 1);
  const Channel& q = recording.segments[0].Get(kJointPosition);
  const Channel& tau = recording.segments[0].Get(kJointTorque);
  CHECK(q.time_s == Eigen::Vector3d(0.0, 0.2, 0.4));
  CHECK(tau.time_s == Eigen::Vector3d(0.0, 0.1, 0.4));
  CHECK(tau.samples(2, 1) == 6.0);
  REQUIRE(recording.dropped.size() == 3);
  CHECK(recording.dropped[0].find("1 of 5 rows of ") == 0);
  CHECK(recording.dropped[0].find("which lack their time") != std::string::npos);
  CHECK(recording.dropped[1].find("which lack numbers of joint_position, the first at line 3") !=
        std::string::npos);
  folder.Write("log.csv", "t_s,J1,J2,C1,C2\nnan,1,2,1,2\nnan,1,2,3,4\n");
  CHECK_THROWS_WITH_AS(ReadLogCsv(options), doctest::Contains("no row holds a time"), ConfigError);
}

TEST_CASE("Of a bag the wanted topics alone are read, where incomplete rows are dropped too") {
  const TemporaryFolder folder;
  {
    SqliteWriter writer(folder.path() / "x.db3");
    writer.MakeTables().Topic(1, "/a", kJointStateType).Topic(2, "/b", kJointStateType);
    writer.Message(1, 10, kGoldenState).Message(1, 20, kGoldenState).Message(2, 10, "00");
  }
  RecordingOptions options;
  options.root = folder.path().string();
  options.format = Rosbag2Format{MessageTime::kReceived};
  options.columns[kJointTorque] = "/a/a/effort_nm";
  for (const FaultyRows rows : {FaultyRows::kRefuse, FaultyRows::kDrop}) {
    options.incomplete_rows = rows;
    const Recording recording =
        ReadRecording(options, {.all = "x.db3"}, "bag", Role::kIdentification, 1);
    REQUIRE(recording.segments.size() == 1);
    CHECK(recording.segments[0].Get(kJointTorque).samples == Eigen::Vector2d(0.5, 0.5));
  }
}

TEST_CASE("Channels are read from the files that are named for them, each with its own time") {
  const TemporaryFolder folder;
  folder.Write("p.csv", "t_s,J1,J2\n0,1,2\n0.1,5,6\n0.2,7,8\n");
  folder.Write("c.csv", "J2,t_s,J1\n4,0.05,3\n8,0.15,7\n");
  RecordingOptions options = TwoJoints(folder);
  options.columns[kJointPosition] = options.columns[kJointTorque] = "J{1..2}";
  options.units[kJointPosition] = "rad";
  options.units[kJointTorque] = "nm";
  const auto read = [&](const RecordingFiles& files) {
    return ReadRecording(options, files, "run", Role::kIdentification, 2).segments.front();
  };
  const Dataset dataset =
      read({.by_channel = {{"joint_torque", "c.csv"}, {"joint_position", "p.csv"}}});
  CHECK(dataset.Get(kJointPosition).samples.row(2) == Eigen::RowVector2d(7.0, 8.0));
  CHECK(dataset.Get(kJointTorque).samples == Eigen::Matrix2d{{3.0, 4.0}, {7.0, 8.0}});
  CHECK(dataset.Get(kJointTorque).time_s == Eigen::Vector2d(0.05, 0.15));
  CHECK(dataset.channels()[0].name == kJointPosition);  // in the order of channels, not of files
  const auto refusal = [&](const RecordingFiles& files) -> std::string {
    try {
      read(files);
    } catch (const ConfigError& error) {
      return error.issues()[0].where + ": " + error.issues()[0].what;
    }
    return "";
  };
  CHECK(refusal({.by_channel = {{"joint_torque", "c.csv"}}}) ==
        ": names no file for the channel \"joint_position\"");
  CHECK(refusal({.by_channel = {{"joint_position", "p.csv"},
                                {"joint_torque", "c.csv"},
                                {"joint_velocity", "p.csv"}}}) ==
        "/joint_velocity: /recording/columns names no columns of such a channel");
}

}  // namespace
}  // namespace idbench
