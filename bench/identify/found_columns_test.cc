#include "bench/identify/found_columns.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "bench/identify/sine_log_test.h"

namespace idbench {
namespace {

TEST_CASE("Positions, torques, rates and time are found by their names") {
  const FoundColumns found =
      FindInLog(SineLog({"time", "tau_2", "tau_1", "q1", "q2", "temperature1", "dq1", "dq2"}));
  CHECK(found.columns[kTime]->list == NameList{"time"});
  CHECK(found.columns[kJointPosition]->list == NameList{"q1", "q2"});
  CHECK(found.columns[kJointTorque]->list == NameList{"tau_1", "tau_2"});
  CHECK_FALSE(found.columns[kJointVelocity].has_value());  // it is derived from positions
  REQUIRE(found.velocity);
  CHECK(found.velocity->list == NameList{"dq1", "dq2"});  // which checks compare
  CHECK(found.velocity_unit == "rad_s");
  CHECK(found.units[kTime] == "s");
  CHECK(found.units[kJointPosition] == "rad");
  CHECK(found.units[kJointTorque] == "nm");
  CHECK(found.joints == NameList{"joint1", "joint2"});
}

TEST_CASE("A row of units below the names counts as if the names ended in them") {
  Log log = SineLog({"time", "q1", "q2", "tau1", "tau2"}, 1e3);
  log.tables.front().below_names = {"ms", "[deg]", "( ° )", "Nm", "Nm"};
  FoundColumns found = FindInLog(log);
  CHECK(found.units[kTime] == "ms");
  CHECK(found.units[kJointPosition] == "deg");
  CHECK(found.units[kJointTorque] == "nm");
  CHECK(found.sentences.back() == "time: time, in ms");
  // NameList that say nothing but a joint are what their unit is.
  log.tables.front().columns = {"time", "joint1", "joint2", "Joint 1", "Joint 2"};
  found = FindInLog(log);
  CHECK(found.columns[kJointPosition]->list == NameList{"joint1", "joint2"});
  CHECK(found.columns[kJointTorque]->list == NameList{"Joint 1", "Joint 2"});
  // Currents are no torques, and units that idbench does not read are not passed over.
  log.tables.front().below_names = {"ms", "deg", "deg", "A", "A"};
  CHECK(LogRefusal(log).find("Joint 1, Joint 2 are currents") != std::string::npos);
  log.tables.front().below_names = {"ms", "deg", "deg", "mNm", "N*mm"};
  CHECK(LogRefusal(log).find("are in several units") != std::string::npos);
  log.tables.front().below_names = {"ms", "deg", "deg", "lbf ft", "lbf ft"};
  log.tables.front().columns = {"time", "q1", "q2", "tau1", "tau2"};
  const std::string unread = LogRefusal(log);
  CHECK(unread.starts_with(
      "log.csv: column 'tau1': is in 'lbf ft', which is no unit that idbench reads there"));
  CHECK(unread.find("--factor joint_torque=K") != std::string::npos);
  log.tables.front().columns = {"time", "q1_rad", "q2_rad", "tau1", "tau2"};
  CHECK(LogRefusal(log).starts_with("log.csv: column 'q1_rad': is in 'deg below its name'"));
  log.tables.front().columns = {"time", "q1_deg", "q2_deg", "tau1", "tau2"};
  LogColumns told;
  told.units = {{"joint_torque", "Nm"}};
  CHECK(FindInLog(log, told).units[kJointTorque] == "nm");
  CHECK(LogRefusal(SineLog({"t [ticks]", "q1", "q2", "tau1", "tau2"}))
            .starts_with("log.csv: column 't [ticks]': is in 'ticks'"));
  CHECK(FindInLog(SineLog({"t", "q1", "q2", "tau1 [mN·m]", "tau2 [mN·m]"})).units[kJointTorque] ==
        "mnm");
  // What is no unit says nothing.
  log = SineLog({"time", "q1", "q2", "tau1", "tau2"});
  log.tables.front().below_names = {"double", "double", "double", "double", ""};
  found = FindInLog(log);
  CHECK(found.units[kTime] == "s");
  CHECK(found.units[kJointPosition] == "rad");
}

TEST_CASE("Columns of text that name joints say whose the columns of their numbers are") {
  Log log = SineLog({"%time", "field.name0", "field.name1", "field.name2", "field.position0",
                     "field.position1", "field.position2", "field.effort0", "field.effort1",
                     "field.effort2"});
  log.tables.front().texts = {{1, "finger"}, {2, "joint2"}, {3, "joint1"}};
  const FoundColumns found = FindInLog(log);
  CHECK(found.columns[kJointPosition]->list == NameList{"field.position2", "field.position1"});
  CHECK(found.columns[kJointTorque]->list == NameList{"field.effort2", "field.effort1"});
  CHECK(found.joints == NameList{"joint1", "joint2"});
  log.tables.front().texts = {{1, "a"}, {2, "b"}, {3, "c"}};
  CHECK(LogRefusal(log).find("3 columns") != std::string::npos);
  log.tables.front().texts = {{1, "finger"}, {2, "joint2", "thumb", 7}, {3, "joint1"}};
  CHECK(LogRefusal(log).starts_with(
      "log.csv: line 7, column 'field.name1': names 'thumb', and 'joint2' above"));
}

TEST_CASE("Measured columns go before plain ones, and these before commanded ones") {
  const FoundColumns found = FindInLog(
      SineLog({"t", "q_d1", "q_d2", "q1", "q2", "actual_q1", "actual_q2", "tau_d1", "tau_d2"}));
  CHECK(found.columns[kJointPosition]->list == NameList{"actual_q1", "actual_q2"});
  CHECK(found.columns[kJointTorque]->list == NameList{"tau_d1", "tau_d2"});
  CHECK(std::ranges::any_of(found.sentences, [](const std::string& sentence) {
    return sentence.find("was commanded, not measured") != std::string::npos;
  }));
  REQUIRE(found.findings.size() == 1);
  CHECK(found.findings.front().check == "torque_is_commanded");
  CHECK(FindInLog(SineLog({"t", "q1", "q2", "tau1", "tau2"})).findings.empty());
}

TEST_CASE("NameList of joints give the order, and which joints were recorded") {
  const FoundColumns found = FindInLog(
      SineLog({"t", "joint2/position", "joint1/position", "joint2/effort", "joint1/effort"}));
  CHECK(found.columns[kJointPosition]->list == NameList{"joint1/position", "joint2/position"});
  const FoundColumns part = FindInLog(SineLog({"t", "joint2/position", "joint2/effort"}));
  CHECK(part.joints == NameList{"joint2"});
}

TEST_CASE("Columns that are called as the joints are positions, which is told") {
  const FoundColumns found =
      FindInLog(SineLog({"t", "joint2", "joint1", "effort_joint1", "effort_joint2"}));
  CHECK(found.columns[kJointPosition]->list == NameList{"joint1", "joint2"});
  CHECK(found.columns[kJointTorque]->list == NameList{"effort_joint1", "effort_joint2"});
  CHECK(std::ranges::find(found.sentences,
                          "joint1, joint2 are the joints' names alone: taken for positions") !=
        found.sentences.end());
}

TEST_CASE("Torques are those of the joints whose positions are recorded") {
  const FoundColumns found = FindInLog(SineLog({"t", "joint1/position", "joint2/position",
                                                "joint3/effort", "joint2/effort", "joint1/effort"}),
                                       {}, "planar3");
  CHECK(found.joints == NameList{"joint1", "joint2"});
  CHECK(found.columns[kJointTorque]->list == NameList{"joint1/effort", "joint2/effort"});
  CHECK(LogRefusal(SineLog({"t", "joint1/position", "joint2/effort"}))
            .find("no columns of joint_torque found") != std::string::npos);
  CHECK(LogRefusal(SineLog({"t", "q1", "q2", "tau1"})).find("no columns of joint_torque found") !=
        std::string::npos);
}

TEST_CASE("Columns of several files that the user asks for are not taken from any of them") {
  const LogColumns told{{{"joint_position", "m{1,2}"}, {"joint_torque", "m{1,2}"}}, {}, 100.0};
  const Log log = SineLog({"t", "m1", "m2"});
  try {
    FindColumns({log, log}, {"a", "b"}, LoadWhole("planar2"), told);
    FAIL("no error");
  } catch (const ConfigError& error) {
    CHECK(std::string(error.what()) ==
          "log.csv: column 'm1': may be joint_position in several files: log.csv, log.csv\n"
          "  positions and torques in files of their own need names that tell which is which, as "
          "position.csv and torque.csv");
  }
}

TEST_CASE("Columns in several units keep those that their names end in") {
  const FoundColumns found = FindInLog(SineLog({"t", "q1_deg", "q2_rad", "tau1", "tau2"}));
  CHECK_FALSE(found.units[kJointPosition].has_value());
  CHECK(LogRefusal(SineLog({"t", "q1 [deg]", "q2 [rad]", "tau1", "tau2"}))
            .find("are in several units") != std::string::npos);
  CHECK(LogRefusal(SineLog({"t", "q1_deg", "q2", "tau1", "tau2"})).find("are in several units") !=
        std::string::npos);
}

TEST_CASE("Fewer numbered columns than joints are the first joints of a chain") {
  const FoundColumns found = FindInLog(SineLog({"t", "q1", "q2", "tau1", "tau2"}), {}, "planar3");
  CHECK(found.joints == NameList{"joint1", "joint2"});
  CHECK(std::ranges::any_of(found.sentences, [](const std::string& sentence) {
    return sentence.find("held at 0: joint3") != std::string::npos;
  }));
}

TEST_CASE("Positions that leave the joint limits as radians and not as degrees are in degrees") {
  Log log = SineLog({"t", "q1", "q2", "tau1", "tau2"});
  log.tables[0].values.middleCols(1, 2) *= 100.0;  // ±100°, ±100 rad are beyond ±4π
  log.tables[0].columns = {"t", "q1", "q2", "tau1", "tau2"};
  CHECK(FindInLog(log).units[kJointPosition] == "deg");
  LogColumns told;
  told.units.emplace_back("joint_position", "rad");
  CHECK(FindInLog(log, told).units[kJointPosition] == "rad");
}

TEST_CASE("What an archive holds beside columns, and time of another length, are told") {
  Log log = SineLog({"n", "q1", "q2", "tau1", "tau2"});
  log.others = {"'names' holds text (<U5)"};
  log.tables.front().name = "arrays of 200 rows";
  log.tables.push_back({"arrays of 3 rows", {"t"}, Eigen::Vector3d(0.0, 0.1, 0.2), {}, "row", {}});
  const std::string rows = std::to_string(log.tables.front().values.rows());
  CHECK(LogRefusal(log) ==
        "log.csv: no column of time found\n"
        "  the columns: n, q1, q2, tau1, tau2, t\n"
        "  besides: 'names' holds text (<U5)\n"
        "  t has 3 rows, positions have " +
            rows +
            ": time needs as many\n"
            "  say which: --columns time=NAME, or the rate of equally spaced rows: --rate HZ");
}

TEST_CASE(
    "What is missing or ambiguous is refused with what there is and the option that says it") {
  CHECK(LogRefusal(SineLog({"t", "q1", "q2"})) ==
        "log.csv: no columns of joint_torque found\n"
        "  the columns: t, q1, q2\n"
        "  say which: --columns joint_torque='tau{1..2}'");
  CHECK(LogRefusal(SineLog({"t", "left_q1", "left_q2", "right_q1", "right_q2", "tau1", "tau2"})) ==
        "log.csv: several columns may be joint_position\n"
        "  joint_position: left_q1, left_q2 (2 columns)\n"
        "  joint_position: right_q1, right_q2 (2 columns)\n"
        "  say which: --columns joint_position='q{1..2}'");
  CHECK(LogRefusal(SineLog({"n", "q1", "q2", "tau1", "tau2"})) ==
        "log.csv: no column of time found\n"
        "  the columns: n, q1, q2, tau1, tau2\n"
        "  say which: --columns time=NAME, or the rate of equally spaced rows: --rate HZ");
  CHECK(LogRefusal(SineLog({"t", "q1", "q2", "current1", "current2"}))
            .find("current1, current2 are currents") != std::string::npos);
}

TEST_CASE(
    "Factors and offsets are told of channels that are taken, one number or one of each joint") {
  LogColumns told;
  told.columns.emplace_back("joint_torque", "current{1..2}");
  const auto says = [](const FoundColumns& found, const std::string& text) {
    return std::ranges::any_of(found.sentences, [&text](const std::string& sentence) {
      return sentence.find(text) != std::string::npos;
    });
  };
  const Log log = SineLog({"t", "q1", "q2", "current1", "current2"});
  CHECK(says(FindInLog(log, told), "taken for torques of 1 N·m/A, which they hardly are"));
  told.factors.emplace_back("joint_torque", PerJoint{{12.5, -8.0}});
  told.offsets.emplace_back("joint_position", PerJoint{{0.5}});
  const FoundColumns found = FindInLog(log, told);
  CHECK(found.factors[kJointTorque] == PerJoint{{12.5, -8.0}});
  CHECK(found.offsets[kJointPosition] == PerJoint{{0.5}});
  CHECK_FALSE(found.factors[kJointPosition].has_value());
  CHECK(found.units[kJointTorque] == "nm");
  CHECK_FALSE(says(found, "hardly"));
  CHECK(says(found, "joint_torque: times 12.5, -8"));
  CHECK(says(found, "joint_position: plus 0.5"));
  told.factors[0].second = PerJoint{{1, 2, 3}};
  CHECK(LogRefusal(log, told).find("--factor: joint_torque: got 3 numbers") == 0);
  told.factors[0] = {"motor_torque", PerJoint{{2.0}}};
  CHECK(LogRefusal(log, told) ==
        "--factor: motor_torque: no columns of it are taken\n"
        "  taken: joint_position, joint_torque");
}

TEST_CASE(
    "Factors of the robot's own log are taken with its columns, unless the user says others") {
  Robot robot = LoadWhole("planar2");
  robot.log.columns = {{"time", "t"}, {"joint_position", "a{1..2}"}, {"joint_torque", "b{1..2}"}};
  robot.log.factors = {{"joint_torque", PerJoint{{3.0}}}};
  const Log log = SineLog({"t", "a1", "a2", "b1", "b2"});
  const auto find = [&](const LogColumns& told) {
    return FindColumns({log}, {"log"}, robot, told);
  };
  CHECK(find({}).factors[kJointTorque] == PerJoint{{3.0}});
  LogColumns told;
  told.factors = {{"joint_torque", PerJoint{{5.0}}}};
  CHECK(find(told).factors[kJointTorque] == PerJoint{{5.0}});
  robot.log.factors[0].second = PerJoint{{1, 2, 3}};
  CHECK_THROWS_WITH_AS(find({}), doctest::Contains("robot.json: joint_torque: got 3 numbers"),
                       ConfigError);
}

TEST_CASE(
    "Units are told in any usual spelling, and unknown ones are refused with those there are") {
  const Log log = SineLog({"clock", "q1", "q2", "tau1", "tau2"}, 1e6);
  LogColumns told;
  told.units = {{"time", "µs"}, {"joint_position", "degrees"}, {"joint_torque", "N·m"}};
  const FoundColumns found = FindInLog(log, told);
  CHECK(found.units[kTime] == "us");
  CHECK(found.units[kJointPosition] == "deg");
  CHECK(found.units[kJointTorque] == "nm");
  told.units = {{"time", "hours"}};
  CHECK(LogRefusal(log, told) ==
        "--unit: time: 'hours' is no unit of it\n  accepted here: s, ms, us, ns\n"
        "  other ones: --factor turns them into these");
  told.units = {{"joint_position", "mm"}};
  CHECK(LogRefusal(log, told).starts_with("log.csv: q1, q2 are in mm, and joint1 turns\n"));
}

TEST_CASE("What the user tells counts") {
  LogColumns told;
  told.columns.emplace_back("joint_torque", "a{1..2}");
  told.rate_hz = 250.0;
  const FoundColumns found = FindInLog(SineLog({"n", "q1", "q2", "a1", "a2"}), told);
  CHECK(found.columns[kJointTorque]->list == NameList{"a1", "a2"});
  CHECK(found.rate_hz == 250.0);
  CHECK_FALSE(found.columns[kTime].has_value());
  told.columns[0].second = "a1";
  CHECK(LogRefusal(SineLog({"n", "q1", "q2", "a1", "a2"}), told) ==
        "--columns: joint_torque: names 1 columns, and positions are of 2 joints");
  told.columns[0].second = "b{1..2}";
  CHECK(LogRefusal(SineLog({"n", "q1", "q2", "a1", "a2"}), told).find("no column 'b1'") !=
        std::string::npos);
}

/// Time, positions, velocities and torques of two joints, without names.
Log Nameless() {
  Log log = SineLog({"1", "2", "3", "4", "5", "6", "7"});
  Eigen::MatrixXd& values = log.tables[0].values;
  for (Eigen::Index i = 0; i < values.rows(); ++i) {
    const double t = values(i, 0);
    for (int j = 0; j < 2; ++j) {
      const double phase = 2.0 * t + j;
      values(i, 1 + j) = 10.0 * std::cos(3.0 * phase) + (i % 2 == 0 ? 0.1 : -0.1);
      values(i, 3 + j) = std::sin(phase);
      values(i, 5 + j) = 2.0 * std::cos(phase);
    }
  }
  return log;
}

TEST_CASE("Columns without names are known by their numbers") {
  const FoundColumns found = FindInLog(Nameless());
  CHECK(found.columns[kTime]->list == NameList{"1"});
  CHECK(found.columns[kJointTorque]->list == NameList{"2", "3"});
  CHECK(found.columns[kJointPosition]->list == NameList{"4", "5"});
  Log log = Nameless();
  log.tables[0].columns.pop_back();
  log.tables[0].values.conservativeResize(Eigen::NoChange, 6);
  CHECK(LogRefusal(log).find("has 6 columns without names") != std::string::npos);
}

}  // namespace
}  // namespace idbench
