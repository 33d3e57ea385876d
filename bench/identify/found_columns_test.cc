#include "bench/identify/found_columns.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

/// A table of N rows: time at 100 Hz in `per_second`, then sines of other phases.
Log LogOf(std::vector<std::string> columns, double per_second = 1.0) {
  const Eigen::Index rows = 400;
  Eigen::MatrixXd values(rows, std::ssize(columns));
  for (Eigen::Index i = 0; i < rows; ++i) {
    const double t = 0.01 * static_cast<double>(i);
    values(i, 0) = per_second * t;
    for (Eigen::Index j = 1; j < values.cols(); ++j) {
      values(i, j) = std::sin(3.0 * t + static_cast<double>(j));
    }
  }
  Log log{"log.csv", {}};
  log.tables.push_back({"", std::move(columns), std::move(values), {}, "line", {}});
  return log;
}

FoundColumns FindIn(const Log& log, const LogColumns& told = {}, const char* robot = "planar2") {
  return FindColumns({log}, {"log"}, LoadWhole(robot), told);
}

std::string RefusalOf(const Log& log, const LogColumns& told = {}) {
  try {
    FindIn(log, told);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

using Names = std::vector<std::string>;

TEST_CASE("Positions, torques, rates and time are found by their names") {
  const FoundColumns found =
      FindIn(LogOf({"time", "tau_2", "tau_1", "q1", "q2", "temperature1", "dq1", "dq2"}));
  CHECK(found.columns[kTime]->list == Names{"time"});
  CHECK(found.columns[kJointPosition]->list == Names{"q1", "q2"});
  CHECK(found.columns[kJointTorque]->list == Names{"tau_1", "tau_2"});
  CHECK_FALSE(found.columns[kJointVelocity].has_value());  // it is derived from positions
  REQUIRE(found.velocity);
  CHECK(found.velocity->list == Names{"dq1", "dq2"});  // which checks compare
  CHECK(found.velocity_unit == "rad_s");
  CHECK(found.units[kTime] == "s");
  CHECK(found.units[kJointPosition] == "rad");
  CHECK(found.units[kJointTorque] == "nm");
  CHECK(found.joints == Names{"joint1", "joint2"});
}

TEST_CASE("A row of units below the names counts as if the names ended in them") {
  Log log = LogOf({"time", "q1", "q2", "tau1", "tau2"}, 1e3);
  log.tables.front().below_names = {"ms", "[deg]", "( ° )", "Nm", "Nm"};
  FoundColumns found = FindIn(log);
  CHECK(found.units[kTime] == "ms");
  CHECK(found.units[kJointPosition] == "deg");
  CHECK(found.units[kJointTorque] == "nm");
  CHECK(found.sentences.back() == "time: time, in ms");
  // Names that say nothing but a joint are what their unit is.
  log.tables.front().columns = {"time", "joint1", "joint2", "Joint 1", "Joint 2"};
  found = FindIn(log);
  CHECK(found.columns[kJointPosition]->list == Names{"joint1", "joint2"});
  CHECK(found.columns[kJointTorque]->list == Names{"Joint 1", "Joint 2"});
  // Currents are no torques, and units that idbench does not read are not passed over.
  log.tables.front().below_names = {"ms", "deg", "deg", "A", "A"};
  CHECK(RefusalOf(log).find("Joint 1, Joint 2 are currents") != std::string::npos);
  log.tables.front().below_names = {"ms", "deg", "deg", "mNm", "N*mm"};
  CHECK(RefusalOf(log).find("are in several units") != std::string::npos);
  log.tables.front().below_names = {"ms", "deg", "deg", "lbf ft", "lbf ft"};
  log.tables.front().columns = {"time", "q1", "q2", "tau1", "tau2"};
  const std::string unread = RefusalOf(log);
  CHECK(unread.starts_with(
      "log.csv: column 'tau1': is in 'lbf ft', which is no unit that idbench reads there"));
  CHECK(unread.find("--factor joint_torque=K") != std::string::npos);
  log.tables.front().columns = {"time", "q1_rad", "q2_rad", "tau1", "tau2"};
  CHECK(RefusalOf(log).starts_with("log.csv: column 'q1_rad': is in 'deg below its name'"));
  log.tables.front().columns = {"time", "q1_deg", "q2_deg", "tau1", "tau2"};
  LogColumns told;
  told.units = {{"joint_torque", "Nm"}};
  CHECK(FindIn(log, told).units[kJointTorque] == "nm");
  CHECK(RefusalOf(LogOf({"t [ticks]", "q1", "q2", "tau1", "tau2"}))
            .starts_with("log.csv: column 't [ticks]': is in 'ticks'"));
  CHECK(FindIn(LogOf({"t", "q1", "q2", "tau1 [mN·m]", "tau2 [mN·m]"})).units[kJointTorque] ==
        "mnm");
  // What is no unit says nothing.
  log = LogOf({"time", "q1", "q2", "tau1", "tau2"});
  log.tables.front().below_names = {"double", "double", "double", "double", ""};
  found = FindIn(log);
  CHECK(found.units[kTime] == "s");
  CHECK(found.units[kJointPosition] == "rad");
}

TEST_CASE("Columns of text that name joints say whose the columns of their numbers are") {
  Log log = LogOf({"%time", "field.name0", "field.name1", "field.name2", "field.position0",
                   "field.position1", "field.position2", "field.effort0", "field.effort1",
                   "field.effort2"});
  log.tables.front().texts = {{1, "finger"}, {2, "joint2"}, {3, "joint1"}};
  const FoundColumns found = FindIn(log);
  CHECK(found.columns[kJointPosition]->list == Names{"field.position2", "field.position1"});
  CHECK(found.columns[kJointTorque]->list == Names{"field.effort2", "field.effort1"});
  CHECK(found.joints == Names{"joint1", "joint2"});
  log.tables.front().texts = {{1, "a"}, {2, "b"}, {3, "c"}};
  CHECK(RefusalOf(log).find("3 columns") != std::string::npos);
  log.tables.front().texts = {{1, "finger"}, {2, "joint2", "thumb", 7}, {3, "joint1"}};
  CHECK(RefusalOf(log).starts_with(
      "log.csv: line 7, column 'field.name1': names 'thumb', and 'joint2' above"));
}

TEST_CASE("Measured columns go before plain ones, and these before commanded ones") {
  const FoundColumns found = FindIn(
      LogOf({"t", "q_d1", "q_d2", "q1", "q2", "actual_q1", "actual_q2", "tau_d1", "tau_d2"}));
  CHECK(found.columns[kJointPosition]->list == Names{"actual_q1", "actual_q2"});
  CHECK(found.columns[kJointTorque]->list == Names{"tau_d1", "tau_d2"});
  CHECK(std::ranges::any_of(found.sentences, [](const std::string& sentence) {
    return sentence.find("was commanded, not measured") != std::string::npos;
  }));
  REQUIRE(found.findings.size() == 1);
  CHECK(found.findings.front().check == "torque_is_commanded");
  CHECK(FindIn(LogOf({"t", "q1", "q2", "tau1", "tau2"})).findings.empty());
}

TEST_CASE("A rate that is told replaces stamps, and a contradiction is a finding") {
  const std::vector<std::string> names = {"t", "q1", "q2", "tau1", "tau2"};
  LogColumns told;
  told.rate_hz = 100.5;  // half a per cent beside the stamps
  FoundColumns found = FindIn(LogOf(names, 1e3), told);
  CHECK(found.rate_hz == 100.5);
  CHECK(found.sentences.back() ==
        "time: rows at 100.5 Hz, as told, in place of t, which makes 100 Hz in ms");
  CHECK(found.findings.empty());
  told.rate_hz = 110.0;
  found = FindIn(LogOf(names), told);
  REQUIRE(found.findings.size() == 1);
  CHECK(found.findings.front().check == "clock");
  CHECK(found.findings.front().evidence == "t in s makes 100 Hz, and --rate says 110 Hz");
  // Nor are stamps in a unit that is not read refused, which the rate replaces.
  Log log = LogOf(names);
  log.tables.front().below_names = {"ticks", "rad", "rad", "Nm", "Nm"};
  CHECK(FindIn(log, told).sentences.back() == "time: rows at 110 Hz, as told, in place of t");
  // Counts of rows are no time.
  found = FindIn(LogOf(names, 1e12), told);
  CHECK(found.sentences.back() == "time: rows at 110 Hz, as told, in place of t");
  CHECK(found.findings.empty());
}

TEST_CASE("Names of joints give the order, and which joints were recorded") {
  const FoundColumns found =
      FindIn(LogOf({"t", "joint2/position", "joint1/position", "joint2/effort", "joint1/effort"}));
  CHECK(found.columns[kJointPosition]->list == Names{"joint1/position", "joint2/position"});
  const FoundColumns part = FindIn(LogOf({"t", "joint2/position", "joint2/effort"}));
  CHECK(part.joints == Names{"joint2"});
}

TEST_CASE("Columns that are called as the joints are positions, which is told") {
  const FoundColumns found =
      FindIn(LogOf({"t", "joint2", "joint1", "effort_joint1", "effort_joint2"}));
  CHECK(found.columns[kJointPosition]->list == Names{"joint1", "joint2"});
  CHECK(found.columns[kJointTorque]->list == Names{"effort_joint1", "effort_joint2"});
  CHECK(std::ranges::find(found.sentences,
                          "joint1, joint2 are the joints' names alone: taken for positions") !=
        found.sentences.end());
}

TEST_CASE("Torques are those of the joints whose positions are recorded") {
  const FoundColumns found = FindIn(LogOf({"t", "joint1/position", "joint2/position",
                                           "joint3/effort", "joint2/effort", "joint1/effort"}),
                                    {}, "planar3");
  CHECK(found.joints == Names{"joint1", "joint2"});
  CHECK(found.columns[kJointTorque]->list == Names{"joint1/effort", "joint2/effort"});
  CHECK(RefusalOf(LogOf({"t", "joint1/position", "joint2/effort"}))
            .find("no columns of joint_torque found") != std::string::npos);
  CHECK(RefusalOf(LogOf({"t", "q1", "q2", "tau1"})).find("no columns of joint_torque found") !=
        std::string::npos);
}

TEST_CASE("Columns of several files that the user asks for are not taken from any of them") {
  const LogColumns told{{{"joint_position", "m{1,2}"}, {"joint_torque", "m{1,2}"}}, {}, 100.0};
  const Log log = LogOf({"t", "m1", "m2"});
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
  const FoundColumns found = FindIn(LogOf({"t", "q1_deg", "q2_rad", "tau1", "tau2"}));
  CHECK_FALSE(found.units[kJointPosition].has_value());
  CHECK(RefusalOf(LogOf({"t", "q1 [deg]", "q2 [rad]", "tau1", "tau2"}))
            .find("are in several units") != std::string::npos);
  CHECK(RefusalOf(LogOf({"t", "q1_deg", "q2", "tau1", "tau2"})).find("are in several units") !=
        std::string::npos);
}

TEST_CASE("A column that is time alone goes before one that says more") {
  CHECK(FindIn(LogOf({"t", "motor_t_1", "q1", "q2", "tau1", "tau2"})).columns[kTime]->list ==
        Names{"t"});
  Log log = LogOf({"time", "motor_t_1", "q1", "q2", "tau1", "tau2"});
  std::swap(log.tables[0].columns[0], log.tables[0].columns[1]);
  log.tables[0].values.col(0).swap(log.tables[0].values.col(1));
  CHECK(FindIn(log).columns[kTime]->list == Names{"time"});
}

TEST_CASE("Fewer numbered columns than joints are the first joints of a chain") {
  const FoundColumns found = FindIn(LogOf({"t", "q1", "q2", "tau1", "tau2"}), {}, "planar3");
  CHECK(found.joints == Names{"joint1", "joint2"});
  CHECK(std::ranges::any_of(found.sentences, [](const std::string& sentence) {
    return sentence.find("held at 0: joint3") != std::string::npos;
  }));
}

TEST_CASE("Time without a unit is in the one that makes the rate plausible") {
  for (const auto& [unit, per_second] :
       {std::pair("s", 1.0), std::pair("ms", 1e3), std::pair("us", 1e6), std::pair("ns", 1e9)}) {
    const FoundColumns found = FindIn(LogOf({"time", "q1", "q2", "tau1", "tau2"}, per_second));
    CHECK(found.units[kTime] == unit);
  }
  CHECK(RefusalOf(LogOf({"time", "q1", "q2", "tau1", "tau2"}, 1e-4))
            .find("which makes no rate between 10 Hz and 20000 Hz") != std::string::npos);
}

TEST_CASE("Seconds and nanoseconds of one stamp are time together, unless one is missing") {
  Log log = LogOf({"header.stamp.nsecs", "header.stamp.secs", "q1", "q2", "tau1", "tau2"});
  Eigen::MatrixXd& values = log.tables.front().values;
  for (Eigen::Index i = 0; i < values.rows(); ++i) {
    const Eigen::Index seconds = i / 100;
    values(i, 1) = 1.7e9 + static_cast<double>(seconds);
    values(i, 0) = 1e7 * static_cast<double>(i % 100);
  }
  const FoundColumns found = FindIn(log);
  CHECK(found.columns[kTime]->list == Names{"header.stamp.secs", "header.stamp.nsecs"});
  CHECK_FALSE(found.units[kTime].has_value());
  CHECK(std::ranges::find(found.sentences,
                          "time: header.stamp.secs, header.stamp.nsecs, whole seconds and "
                          "nanoseconds") != found.sentences.end());

  LogColumns told;
  told.columns = {{"time", "header.stamp.{secs,nsecs}"}};
  CHECK(FindIn(log, told).columns[kTime]->list == found.columns[kTime]->list);

  values.col(1).array() += 0.5;  // no whole seconds
  log.tables.front().columns[0] = "t_s";
  values.col(0) = Eigen::VectorXd::LinSpaced(values.rows(), 0.0, 3.99);
  CHECK(FindIn(log).columns[kTime]->list == Names{"t_s"});
}

TEST_CASE("Positions that leave the joint limits as radians and not as degrees are in degrees") {
  Log log = LogOf({"t", "q1", "q2", "tau1", "tau2"});
  log.tables[0].values.middleCols(1, 2) *= 100.0;  // ±100°, ±100 rad are beyond ±4π
  log.tables[0].columns = {"t", "q1", "q2", "tau1", "tau2"};
  CHECK(FindIn(log).units[kJointPosition] == "deg");
  LogColumns told;
  told.units.emplace_back("joint_position", "rad");
  CHECK(FindIn(log, told).units[kJointPosition] == "rad");
}

TEST_CASE("What an archive holds beside columns, and time of another length, are told") {
  Log log = LogOf({"n", "q1", "q2", "tau1", "tau2"});
  log.others = {"'names' holds text (<U5)"};
  log.tables.front().name = "arrays of 200 rows";
  log.tables.push_back({"arrays of 3 rows", {"t"}, Eigen::Vector3d(0.0, 0.1, 0.2), {}, "row", {}});
  const std::string rows = std::to_string(log.tables.front().values.rows());
  CHECK(RefusalOf(log) ==
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
  CHECK(RefusalOf(LogOf({"t", "q1", "q2"})) ==
        "log.csv: no columns of joint_torque found\n"
        "  the columns: t, q1, q2\n"
        "  say which: --columns joint_torque='tau{1..2}'");
  CHECK(RefusalOf(LogOf({"t", "left_q1", "left_q2", "right_q1", "right_q2", "tau1", "tau2"})) ==
        "log.csv: several columns may be joint_position\n"
        "  joint_position: left_q1, left_q2 (2 columns)\n"
        "  joint_position: right_q1, right_q2 (2 columns)\n"
        "  say which: --columns joint_position='q{1..2}'");
  CHECK(RefusalOf(LogOf({"n", "q1", "q2", "tau1", "tau2"})) ==
        "log.csv: no column of time found\n"
        "  the columns: n, q1, q2, tau1, tau2\n"
        "  say which: --columns time=NAME, or the rate of equally spaced rows: --rate HZ");
  CHECK(RefusalOf(LogOf({"t", "q1", "q2", "current1", "current2"}))
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
  const Log log = LogOf({"t", "q1", "q2", "current1", "current2"});
  CHECK(says(FindIn(log, told), "taken for torques of 1 N·m/A, which they hardly are"));
  told.factors.emplace_back("joint_torque", PerJoint{{12.5, -8.0}});
  told.offsets.emplace_back("joint_position", PerJoint{{0.5}});
  const FoundColumns found = FindIn(log, told);
  CHECK(found.factors[kJointTorque] == PerJoint{{12.5, -8.0}});
  CHECK(found.offsets[kJointPosition] == PerJoint{{0.5}});
  CHECK_FALSE(found.factors[kJointPosition].has_value());
  CHECK(found.units[kJointTorque] == "nm");
  CHECK_FALSE(says(found, "hardly"));
  CHECK(says(found, "joint_torque: times 12.5, -8"));
  CHECK(says(found, "joint_position: plus 0.5"));
  told.factors[0].second = PerJoint{{1, 2, 3}};
  CHECK(RefusalOf(log, told).find("--factor: joint_torque: got 3 numbers") == 0);
  told.factors[0] = {"motor_torque", PerJoint{{2.0}}};
  CHECK(RefusalOf(log, told) ==
        "--factor: motor_torque: no columns of it are taken\n"
        "  taken: joint_position, joint_torque");
}

TEST_CASE(
    "Factors of the robot's own log are taken with its columns, unless the user says others") {
  Robot robot = LoadWhole("planar2");
  robot.log.columns = {{"time", "t"}, {"joint_position", "a{1..2}"}, {"joint_torque", "b{1..2}"}};
  robot.log.factors = {{"joint_torque", PerJoint{{3.0}}}};
  const Log log = LogOf({"t", "a1", "a2", "b1", "b2"});
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
  const Log log = LogOf({"clock", "q1", "q2", "tau1", "tau2"}, 1e6);
  LogColumns told;
  told.units = {{"time", "µs"}, {"joint_position", "degrees"}, {"joint_torque", "N·m"}};
  const FoundColumns found = FindIn(log, told);
  CHECK(found.units[kTime] == "us");
  CHECK(found.units[kJointPosition] == "deg");
  CHECK(found.units[kJointTorque] == "nm");
  told.units = {{"time", "hours"}};
  CHECK(RefusalOf(log, told) ==
        "--unit: time: 'hours' is no unit of it\n  accepted here: s, ms, us, ns\n"
        "  other ones: --factor turns them into these");
  told.units = {{"joint_position", "mm"}};
  CHECK(RefusalOf(log, told).starts_with("log.csv: q1, q2 are in mm, and joint1 turns\n"));
}

TEST_CASE("What the user tells counts") {
  LogColumns told;
  told.columns.emplace_back("joint_torque", "a{1..2}");
  told.rate_hz = 250.0;
  const FoundColumns found = FindIn(LogOf({"n", "q1", "q2", "a1", "a2"}), told);
  CHECK(found.columns[kJointTorque]->list == Names{"a1", "a2"});
  CHECK(found.rate_hz == 250.0);
  CHECK_FALSE(found.columns[kTime].has_value());
  told.columns[0].second = "a1";
  CHECK(RefusalOf(LogOf({"n", "q1", "q2", "a1", "a2"}), told) ==
        "--columns: joint_torque: names 1 columns, and positions are of 2 joints");
  told.columns[0].second = "b{1..2}";
  CHECK(RefusalOf(LogOf({"n", "q1", "q2", "a1", "a2"}), told).find("no column 'b1'") !=
        std::string::npos);
}

/// Time, positions, velocities and torques of two joints, without names.
Log Nameless() {
  Log log = LogOf({"1", "2", "3", "4", "5", "6", "7"});
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
  const FoundColumns found = FindIn(Nameless());
  CHECK(found.columns[kTime]->list == Names{"1"});
  CHECK(found.columns[kJointTorque]->list == Names{"2", "3"});
  CHECK(found.columns[kJointPosition]->list == Names{"4", "5"});
  Log log = Nameless();
  log.tables[0].columns.pop_back();
  log.tables[0].values.conservativeResize(Eigen::NoChange, 6);
  CHECK(RefusalOf(log).find("has 6 columns without names") != std::string::npos);
}

}  // namespace
}  // namespace idbench
