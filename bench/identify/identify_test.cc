#include "bench/identify/identify.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <string>

#include "bench/metrics/metrics.h"
#include "bench/run/runner.h"
#include "reports/report.h"
#include "robots/dynamics/dynamics.h"
#include "robots/recording/csv.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/config_error.h"
#include "scenarios/options/json.h"
#include "scenarios/scenario_reader.h"

namespace idbench {
namespace {

/// Writes a log of planar2 with links 1.3 times as heavy as the file says, friction and white noise
/// of 0.02 N·m: 20 s at 100 Hz of two sums of sines.
std::filesystem::path WriteLog(const TemporaryFolder& folder) {
  const Robot robot = LoadRobot("planar2");
  const Dynamics dynamics(robot.model);
  const ParameterLayout layout(robot.model);
  Eigen::VectorXd pi = 1.3 * robot.FindSet("")->pi;
  for (int j = 0; j < 2; ++j) {
    pi[layout.Joint(j, JointParameter::kViscous)] = 0.4;
    pi[layout.Joint(j, JointParameter::kCoulomb)] = 0.3;
  }
  const Eigen::Index rows = 2000;
  Eigen::MatrixXd q(rows, 2), qd(rows, 2), qdd(rows, 2), values(rows, 5);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const double t = 0.01 * static_cast<double>(i);
    values(i, 0) = t;
    for (int j = 0; j < 2; ++j) {
      const double a = 2.0 * (1.0 + 0.37 * j), b = 3.1 * (1.0 - 0.2 * j);
      q(i, j) = 0.8 * std::sin(a * t) + 0.5 * std::cos(b * t);
      qd(i, j) = 0.8 * a * std::cos(a * t) - 0.5 * b * std::sin(b * t);
      qdd(i, j) = -0.8 * a * a * std::sin(a * t) - 0.5 * b * b * std::cos(b * t);
    }
  }
  Dynamics::Scratch scratch(dynamics);
  std::mt19937_64 generator(1);
  const auto noise = [&generator] {
    // Sum of twelve uniform numbers: variance 1.
    double sum = -6.0;
    for (int k = 0; k < 12; ++k) sum += std::ldexp(static_cast<double>(generator() >> 11), -53);
    return sum;
  };
  Eigen::MatrixXd tau(rows, 2);
  dynamics.InverseDynamics(pi, {q, qd, qdd}, scratch, tau);
  values.middleCols(1, 2) = q;
  values.rightCols(2) = tau;
  for (double& torque : values.rightCols(2).reshaped()) torque += 0.02 * noise();
  std::ofstream stream(folder / "log.csv");
  WriteCsv(stream, {"time", "q1", "q2", "tau1", "tau2"}, values);
  return folder / "log.csv";
}

std::string TextOf(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// planar2 as a URDF without inertias.
std::string WriteKinematics(const TemporaryFolder& folder) {
  const RobotModel model = LoadRobot("planar2").model;
  std::string text = "<robot name=\"arm\"><link name=\"base\"/>";
  std::string parent = "base";
  for (int j = 0; j < 2; ++j) {
    const Link& body = model.link(j);
    text += fmt::format(
        R"(<link name="{0}"/><joint type="continuous" name="{1}"><parent link="{2}"/>)"
        R"(<child link="{0}"/><origin xyz="{3} {4} {5}"/><axis xyz="{6} {7} {8}"/></joint>)",
        body.name, body.joint, parent, body.p0[0], body.p0[1], body.p0[2], body.axis[0],
        body.axis[1], body.axis[2]);
    REQUIRE(body.R0.isIdentity());
    parent = body.name;
  }
  return folder.Write("arm.urdf", text + "</robot>");
}

TEST_CASE("A model file without inertias is identified from guessed rods, and that is said") {
  const TemporaryFolder folder;
  IdentifyOptions options;
  options.robot = WriteKinematics(folder);
  options.logs = {WriteLog(folder)};
  options.folder = folder / "out";
  const IdentifyResult result = Identify(options, nullptr);
  REQUIRE(result.exported);
  CHECK(result.text.find("no extent to") != std::string::npos);
  CHECK(result.text.find("guessed rods") != std::string::npos);
  const Json summary = ReadJsonFile((options.folder / "summary.json").string());
  for (const Json& estimator : summary.at("cells")[0].at("estimators")) {
    if (estimator.at("label") != "consistent_wls") continue;
    const Json& metric = estimator.at("metrics").at("joint_torque_relative_error@validation");
    CHECK(metric.at("mean") < 0.01);  // as from the file's own inertias
  }
  // What was guessed is said by no check: the file has no masses to compare with.
  CHECK(ReadJsonFile((options.folder / "checks.json").string()) == Json::array());
  const Robot model = LoadRobot((options.folder / "identified.urdf").string());
  CHECK(model.unphysical.empty());
}

TEST_CASE("Bodies that cannot be, of a robot with sets of its own, are refused before any fit") {
  const TemporaryFolder folder;
  IdentifyOptions options;
  const std::string urdf = WriteKinematics(folder);
  Json none = {{"mass_kg", 0.0}, {"com_m", {0, 0, 0}}, {"inertia_com_kgm2", {0, 0, 0, 0, 0, 0}}};
  Json bodies = {{"base", none}};
  for (int j = 0; j < 2; ++j) bodies[LoadRobot("planar2").model.link(j).name] = none;
  const Json robot = {{"name", "arm"},
                      {"title", "An arm"},
                      {"model", "arm.urdf"},
                      {"nominal_set", "none"},
                      {"sets", {{"none", {{"source", "a test"}, {"bodies", bodies}}}}}};
  folder.Write("robot.json", robot.dump());
  options.robot = urdf;
  options.logs = {WriteLog(folder)};
  options.folder = folder / "out";
  try {
    Identify(options, nullptr);
    FAIL("no error");
  } catch (const ConfigError& error) {
    CHECK(std::string(error.what()).find("no body can have its inertia: no mass") !=
          std::string::npos);
    CHECK(std::string(error.what()).find("identification starts from") != std::string::npos);
  }
  CHECK_FALSE(std::filesystem::exists(options.folder / "tuning"));
}

TEST_CASE("A log and a model file become a model that predicts what was held out") {
  const TemporaryFolder folder;
  IdentifyOptions options;
  options.robot = "planar2";
  options.logs = {WriteLog(folder)};
  options.folder = folder / "out";
  const IdentifyResult result = Identify(options, nullptr);
  CHECK_FALSE(result.interrupted);
  REQUIRE(result.exported);
  const Json summary = ReadJsonFile((options.folder / "summary.json").string());
  double file = 0.0, identified = 0.0;
  for (const Json& estimator : summary.at("cells")[0].at("estimators")) {
    const Json& metric = estimator.at("metrics").at("joint_torque_relative_error@validation");
    if (estimator.at("label") == "prior_only") file = metric.at("mean");
    if (estimator.at("label") == "consistent_wls") identified = metric.at("mean");
  }
  CHECK(file > 0.2);         // 30 % of the torque of the bodies is missing, and friction
  CHECK(identified < 0.01);  // the noise is 0.02 of 10 N·m, most of it behind the low-pass
  const Robot model = LoadRobot((options.folder / "identified.xml").string());
  const ParameterLayout layout(model.model);
  const Eigen::VectorXd& pi = model.FindSet("")->pi;
  CHECK(pi[layout.Joint(1, JointParameter::kCoulomb)] == doctest::Approx(0.3).epsilon(0.1));
  CHECK(result.text.find("Held-out torque (validation") != std::string::npos);
  CHECK(result.text.starts_with(TextOf(options.folder / "verdict.md")));
  const std::string sentence =
      ReadJsonFile((options.folder / "verdict.json").string()).at("validation")[0].at("sentence");
  const std::string page = TextOf(options.folder / "report.html");
  CHECK(page.find("Held-out torque (validation") != std::string::npos);
  CHECK(page.find("<section id=\"verdict\">") < page.find("<section id=\"checks\">"));
  CHECK(result.text.find(sentence) != std::string::npos);
  CHECK(std::filesystem::exists(options.folder / "tuning" / "7_terms" / "scenario.json"));

  RunOptions again;
  again.folder = folder / "again";
  RunScenario(LoadScenario(options.folder / "scenario.json", {}, AllMetrics()), again);
  CHECK(TextOf(again.folder / "records.jsonl") == TextOf(options.folder / "records.jsonl"));
  CHECK(ReadJsonFile((options.folder / "checks.json").string()) == Json::array());
  CHECK(result.text.find(" checks found no mistake") != std::string::npos);
}

TEST_CASE("A link whose gripper is heavier in the file than both are is exported with both") {
  const TemporaryFolder folder;
  std::string arm = TextOf(LoadRobot("planar2").file.parent_path() / "planar2.xml");
  const std::string end_of_link2 = "-0.45\"/>";
  const std::size_t at = arm.find(end_of_link2);
  REQUIRE(at != std::string::npos);
  arm.insert(at + end_of_link2.size(), R"(<body name="hand" pos="0 0 -0.45">
    <inertial pos="0 0 -0.05" mass="8" diaginertia="0.02 0.02 0.02"/>
    <joint name="grip" axis="0 0 1" range="-1 1"/></body>)");
  IdentifyOptions options;
  options.robot = folder.Write("arm.xml", arm);
  options.logs = {WriteLog(folder)};  // of an arm whose second link weighs 3.9 kg in all
  options.folder = folder / "out";
  const IdentifyResult result = Identify(options, nullptr);
  CHECK(result.exported);
  CHECK(result.text.find("the links that carry held joints have all of the identified inertia") !=
        std::string::npos);
  CHECK(result.text.find("not exported") == std::string::npos);
}

/// What identification of a log of planar2 wrote that holds neither times of the computer nor names
/// of files and columns, by file.
std::map<std::string, std::string> NumbersOf(const std::string& log,
                                             const std::filesystem::path& folder) {
  IdentifyOptions options;
  options.robot = "planar2";
  options.logs = {log};
  options.folder = folder;
  REQUIRE(Identify(options, nullptr).exported);
  std::map<std::string, std::string> texts;
  for (const char* name : {"records.jsonl", "identified.json", "identified.xml", "checks.json",
                           "series/cell0_validation_trial0.csv"}) {
    texts[name] = TextOf(folder / name);
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder / "tables")) {
    const std::string name = entry.path().filename().string();
    if (name.find("time_of_an_estimate") == std::string::npos) texts[name] = TextOf(entry.path());
  }
  const std::string verdict = TextOf(folder / "verdict.md");
  texts["verdict.md"] = verdict.substr(verdict.find("## What looks wrong in them"));
  return texts;
}

TEST_CASE("A log gives the same tables as CSV and as bags that rosbags and mcap wrote") {
  const TemporaryFolder folder;
  const std::string log = IDBENCH_ROS2_TESTDATA "/arm";
  const std::map<std::string, std::string> csv = NumbersOf(log + ".csv", folder / "csv");
  constexpr std::size_t kTables = 4;  // relative, by joint in N·m and over the spread, statistics
  CHECK(csv.size() == 6 + kTables);
  CHECK(csv.at("verdict.md").find("| joint2 | 5.26 |") != std::string::npos);
  for (const char* format : {"db3", "mcap"}) {
    CAPTURE(format);
    const auto bag = NumbersOf(fmt::format("{}.{}", log, format), folder / format);
    REQUIRE(bag.size() == csv.size());
    for (const auto& [name, text] : csv) {
      CAPTURE(name);
      CHECK_FALSE(text.empty());
      CHECK(bag.at(name) == text);
    }
  }
}

/// Relative errors of held-out torque of a run, by estimator.
std::map<std::string, double> HeldOutErrors(const std::filesystem::path& folder) {
  std::map<std::string, double> errors;
  const Json summary = ReadJsonFile((folder / "summary.json").string());
  for (const Json& estimator : summary.at("cells")[0].at("estimators")) {
    const Json& metrics = estimator.at("metrics");
    const auto found = metrics.find("joint_torque_relative_error@validation");
    if (found == metrics.end() || !found->contains("mean")) continue;
    errors[estimator.at("label").get<std::string>()] = found->at("mean").get<double>();
  }
  return errors;
}

TEST_CASE("UR10's bag is predicted as well as by the scenario that was written for it") {
  if (std::getenv("IDBENCH_DATA") == nullptr) {
    MESSAGE("skipped: IDBENCH_DATA is not set");
    return;
  }
  const std::string scenarios = IDBENCH_SOURCE_SCENARIOS;
  const std::string file = scenarios + "/recordings/ur10_ros2bag.json";
  Json expert = ReadJsonFile(file);
  const TemporaryFolder folder;
  IdentifyOptions options;
  options.robot = "ur10";
  options.logs = {std::filesystem::path(std::getenv("IDBENCH_DATA")) / "ur10_ros2bag" /
                  "ur10_exciting_trajectory.db3"};
  options.folder = folder / "identified";
  REQUIRE(Identify(options, nullptr).exported);
  // The same part is held out, and compared behind the same low-pass.
  const Json scenario = ReadJsonFile((options.folder / "scenario.json").string());
  REQUIRE(scenario["experiments"]["validation"]["window"] ==
          expert["experiments"]["validation"]["window"]);
  expert["scoring"] = scenario["scoring"];
  expert["timing_trials"] = 0;
  RunOptions run;
  run.folder = folder / "expert";
  RunScenario(LoadScenario(expert, file, {}, AllMetrics()), run);
  WriteReport(run.folder);
  const auto mine = HeldOutErrors(options.folder), theirs = HeldOutErrors(run.folder);
  for (const char* estimator : {"ols", "wls"}) {
    CAPTURE(estimator);
    CHECK(mine.at(estimator) <= 1.05 * theirs.at(estimator));
  }
  CHECK(mine.at("consistent_wls") <= 1.05 * theirs.at("wls"));  // which the expert does without
}

TEST_CASE("A log with which no preparation can be fitted is refused, and says why") {
  const TemporaryFolder folder;
  CsvTable table = ReadCsv(WriteLog(folder));
  table.values.col(2).setConstant(0.3);  // joint 2 stands still
  std::ofstream stream(folder / "log.csv");
  WriteCsv(stream, table.columns, table.values);
  stream.close();
  IdentifyOptions options;
  options.robot = "planar2";
  options.logs = {folder / "log.csv"};
  options.folder = folder / "out";
  std::string said;
  try {
    Identify(options, nullptr);
  } catch (const ConfigError& error) {
    said = error.what();
  }
  const std::string first = (options.folder / "tuning" / "1_friction" / "scenario.json").string() +
                            ": wls fails with every Coulomb friction and rotor inertia: "
                            "rank_deficient\n  is the log long enough, some periods of its "
                            "motion, and do all joints move in it?\n";
  CHECK(said.substr(0, first.size()) == first);
  CHECK(said.find("what looks wrong in the logs\n  standing_still of joint2: never moves") !=
        std::string::npos);
  const Json checks = ReadJsonFile((options.folder / "checks.json").string());
  REQUIRE(!checks.empty());
  CHECK(checks[0]["check"] == "standing_still");
}

TEST_CASE("A log that is not there is refused by its path") {
  IdentifyOptions options;
  options.robot = "planar2";
  options.logs = {"/none/log.csv"};
  CHECK_THROWS_WITH_AS(Identify(options, nullptr),
                       "/none/log.csv: no such file or folder\n  check the path of the log",
                       ConfigError);
}

}  // namespace
}  // namespace idbench
