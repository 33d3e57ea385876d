#include "robots/term_options.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "robots/dynamics/parameters.h"
#include "robots/robot.h"
#include "robots/robot_file.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// planar3 with a motor "belt" on joints 1 and 2 and others on one joint each.
RobotModel Coupled() {
  RobotModel model = LoadRobot("planar3").model;
  Eigen::Matrix3d B;
  B << 32.0, 0.0, 0.0,  //
      0.0, 45.0, 32.0,  //
      0.0, 0.0, 32.0;
  model.SetActuation({{"first", "second", "belt"}, B});
  return model;
}

std::vector<std::string> NamesOf(const std::vector<Term>& terms) {
  std::vector<std::string> names;
  for (const Term& term : terms) names.push_back(term.name);
  return names;
}

std::vector<Term> Make(const std::string& json, const RobotModel& model,
                       std::vector<Issue>& issues) {
  std::vector<TermOptions> options;
  const Json list = ParseJson(json, "test");
  for (std::size_t i = 0; i < list.size(); ++i) {
    ReadFields(Visit(options.emplace_back()), list[i], "/terms/" + std::to_string(i), issues);
  }
  return MakeTerms(options, model, "/terms", issues);
}

std::vector<Term> MakeFine(const std::string& json, const RobotModel& model) {
  std::vector<Issue> issues;
  std::vector<Term> terms = Make(json, model, issues);
  CHECK(issues.empty());
  return terms;
}

std::string IssueOf(const std::string& json, const RobotModel& model) {
  std::vector<Issue> issues;
  Make(json, model, issues);
  return issues.empty() ? "" : issues[0].where + ": " + issues[0].what;
}

TEST_CASE("Terms are those of all joints, of named ones, or of motors") {
  const RobotModel model = Coupled();
  CHECK(NamesOf(MakeFine(R"([{"type": "viscous_friction"}])", model)) ==
        std::vector<std::string>{"joint1.fv", "joint2.fv", "joint3.fv"});
  const auto asymmetric =
      MakeFine(R"([{"type": "asymmetric_friction", "joints": "joint{2..2}"}])", model);
  CHECK(NamesOf(asymmetric) ==
        std::vector<std::string>{"joint2.fc+", "joint2.fc-", "joint2.fv+", "joint2.fv-"});
  CHECK(asymmetric[1].shape == TermShape::kNegativeSign);
  const auto motors = MakeFine(
      R"([{"type": "coulomb_friction", "on": "motors"}, {"type": "rotor_inertia", "motors": "belt"}])",
      model);
  CHECK(NamesOf(motors) == std::vector<std::string>{"first.fc", "second.fc", "belt.fc", "belt.ia"});
  CHECK(motors[2].shares == std::vector<Term::Share>{{1, 32.0}, {2, 32.0}});
  CHECK(motors[3].argument == TermArgument::kAcceleration);
  CHECK(motors[3].unit == "kg·m²");
  const auto stribeck = MakeFine(R"([{"type": "stribeck", "velocity_rad_s": 0.03}])", model);
  CHECK(stribeck[0].name == "joint1.fs");
  CHECK(stribeck[0].stribeck_velocity == 0.03);
}

TEST_CASE("Terms that the robot cannot have are refused by name") {
  const RobotModel model = Coupled();
  CHECK(IssueOf(R"([{"type": "offset", "joints": "joint4"}])", model) ==
        "/terms/0/joints: the robot has no \"joint4\"");
  CHECK(IssueOf(R"([{"type": "offset", "motors": "m"}])", model) ==
        "/terms/0/motors: the robot has no \"m\"");
  CHECK(IssueOf(R"([{"type": "offset", "joints": "joint{"}])", model)
            .starts_with("/terms/0/joints: 'joint{' has a brace"));
  CHECK(IssueOf(R"([{"type": "offset"}, {"type": "offset", "joints": "joint1"}])", model) ==
        "/terms/1: joint1.fo is there twice");
  CHECK(IssueOf(R"([{"type": "offset", "on": "motors", "joints": "joint1"}])", model) ==
        "/terms/0/joints: has no meaning for terms of motors");
  CHECK(IssueOf(R"([{"type": "gain", "joints": "joint1"}])", model) ==
        "/terms/0/joints: has no meaning for terms of motors");
  CHECK(IssueOf(R"([{"type": "offset", "sensors": "ft", "motors": "belt"}])", model) ==
        "/terms/0/motors: has no meaning for terms of sensors");
  CHECK(IssueOf(R"([{"type": "viscous_friction", "on": "sensors"}])", model) ==
        "/terms/0/type: viscous_friction has no meaning for sensors");
  CHECK(IssueOf(R"([{"type": "offset", "sensors": "ft"}])", model) ==
        "/terms/0/sensors: the robot has no \"ft\"");
  CHECK(IssueOf(R"([{"type": "stribeck", "velocity_rad_s": 0}])", model)
            .starts_with("/terms/0/velocity_rad_s"));
  RobotModel geared = LoadRobot("planar2").model;
  geared.SetActuation({{"joint1", "joint2"}, 50.0 * Eigen::Matrix2d::Identity()});
  CHECK(IssueOf(R"([{"type": "offset", "on": "motors"}])", geared) ==
        "/terms/0: joint1.fo is a parameter of that joint alone, and this motor drives others or "
        "at another ratio");
  // One motor on each joint, with its name: the same parameter.
  CHECK(IssueOf(R"([{"type": "offset", "on": "motors"}])", LoadRobot("planar2").model) == "");
}

TEST_CASE("Gains are those of drives, offsets those of sensors, row by row") {
  RobotModel model = Coupled();
  model.SetCuts({{.name = "a", .link = 0}, {.name = "b", .link = 1}});
  const auto gains = MakeFine(R"([{"type": "gain"}])", model);
  CHECK(NamesOf(gains) == std::vector<std::string>{"first.gain", "second.gain", "belt.gain"});
  CHECK(gains[2].shares == std::vector<Term::Share>{{1, -32.0}, {2, -32.0}});
  CHECK(gains[2].rows == TermRows::kDrives);
  CHECK(gains[2].argument == TermArgument::kInput);
  CHECK(gains[2].input == 2);
  const auto offsets = MakeFine(R"([{"type": "offset", "sensors": "b"}])", model);
  CHECK(NamesOf(offsets) == std::vector<std::string>{"b.offset_fx", "b.offset_fy", "b.offset_fz",
                                                     "b.offset_mx", "b.offset_my", "b.offset_mz"});
  CHECK(offsets[5].rows == TermRows::kCut);
  CHECK(offsets[5].cut == 1);
  CHECK(offsets[5].shares == std::vector<Term::Share>{{.joint = 5}});
  CHECK(offsets[2].unit == "N");
  CHECK(offsets[3].unit == "N·m");
  CHECK(MakeFine(R"([{"type": "offset", "on": "sensors"}])", model).size() == 12);
}

TEST_CASE("A calibration has 36 entries, row by row, or those on its diagonal") {
  RobotModel model = Coupled();
  model.SetCuts({{.name = "a", .link = 0}, {.name = "b", .link = 1}});
  const auto all = MakeFine(R"([{"type": "calibration", "sensors": "b"}])", model);
  REQUIRE(all.size() == 36);
  CHECK(all[0].name == "b.d_fx_fx");
  CHECK(all[5].name == "b.d_fx_mz");
  CHECK(all[30].name == "b.d_mz_fx");
  CHECK(all[35].name == "b.d_mz_mz");
  CHECK(all[0].unit == "1");
  CHECK(all[5].unit == "1/m");
  CHECK(all[30].unit == "m");
  CHECK(all[35].unit == "1");
  CHECK(all[30].rows == TermRows::kCut);
  CHECK(all[30].cut == 1);
  CHECK(all[30].shares == std::vector<Term::Share>{{5, -1.0}});
  CHECK(all[30].argument == TermArgument::kInput);
  CHECK(all[30].input == 3 + 6);
  const auto diagonal = MakeFine(R"([{"type": "calibration", "entries": "diagonal"}])", model);
  REQUIRE(diagonal.size() == 12);  // of all sensors
  CHECK(diagonal[10].name == "b.d_my_my");
  CHECK(diagonal[10].input == 3 + 6 + 4);
  for (const char* json : {R"([{"type": "calibration"}])",
                           R"([{"type": "calibration", "sensors": "a", "entries": "diagonal"}])"}) {
    model.SetTerms(MakeFine(json, model));
    std::vector<Issue> issues;
    CHECK(MakeTerms(OptionsOfTerms(model), model, "", issues) == model.terms());
    CHECK(issues.empty());
  }
  CHECK(IssueOf(R"([{"type": "calibration", "motors": "belt"}])", model) ==
        "/terms/0/motors: has no meaning for terms of sensors");
  CHECK(IssueOf(R"([{"type": "offset", "entries": "diagonal"}])", model) ==
        "/terms/0/entries: has no meaning for offset");
  CHECK(IssueOf(R"([{"type": "calibration"}])", Coupled()) ==
        "/terms/0: are of force/torque sensors, and the robot has none");
}

TEST_CASE("A robot whose drives are an equation has a gain of each motor, with its unit") {
  Robot robot = LoadRobot("planar3");
  robot.model = Coupled();
  std::vector<Issue> issues;
  AddTerms({{.type = TermKind::kGain, .motors = "belt"}}, "", robot, issues);
  REQUIRE(issues.empty());
  AddGains(Equation::kCurrentDrive, "", robot, issues);
  REQUIRE(issues.empty());
  CHECK(NamesOf(robot.model.terms()) ==
        std::vector<std::string>{"belt.gain", "first.gain", "second.gain"});
  for (const Term& term : robot.model.terms()) CHECK(term.unit == "N·m/A");
  CHECK(robot.sets[0].pi.tail(3).isZero(0.0));
}

TEST_CASE("Gains of a robot.json keep the equation that they are of, and are taken for no other") {
  Robot robot = LoadRobot("planar3");
  std::vector<Issue> issues;
  AddTerms({{.type = TermKind::kGain, .motors = "joint2", .equation = Equation::kCurrentDrive}}, "",
           robot, issues);
  REQUIRE(issues.empty());
  CHECK(robot.model.terms()[0].unit == "N·m/A");
  const std::vector<TermOptions> written = OptionsOfTerms(robot.model);
  REQUIRE(written.size() == 1);
  CHECK(written[0].equation == Equation::kCurrentDrive);
  // Declared again, of whatever equation is used, it is the same.
  AddTerms({{.type = TermKind::kGain}}, "/problem/terms", robot, issues);
  CHECK(issues.empty());
  Robot of_torques = robot;
  AddGains(Equation::kCurrentDrive, "/problem/equations/0", robot, issues);
  CHECK(issues.empty());
  AddGains(Equation::kTorqueDrive, "/problem/equations/0", of_torques, issues);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].where == "/problem/equations/0");
  CHECK(issues[0].what ==
        "has gains in 1, and in the robot's own terms these are in N·m/A: joint2.gain");
  issues.clear();
  AddTerms({{.type = TermKind::kGain, .equation = Equation::kTorqueDrive}}, "/terms", robot,
           issues);
  REQUIRE(issues.size() == 3);
  CHECK(issues[1].what == "joint2.gain is in N·m/A in the robot's own terms, here it is in 1");
}

TEST_CASE("A term that the robot has otherwise is told by what differs") {
  Robot robot = LoadRobot("planar3");
  robot.model.SetCuts({{.name = "ft", .link = 1}});
  std::vector<Issue> issues;
  AddTerms({{.type = TermKind::kOffset, .sensors = "ft"}, {.type = TermKind::kStribeck}}, "", robot,
           issues);
  std::vector<Term> terms = robot.model.terms();
  terms[0].shares = {{.joint = 1}};
  robot.model.SetTerms(terms);
  REQUIRE(issues.empty());
  AddTerms({{.type = TermKind::kOffset, .sensors = "ft"}}, "/terms", robot, issues);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].what == "ft.offset_fx acts otherwise in the robot's own terms");
  AddTerms({{.type = TermKind::kStribeck, .joints = "joint1", .velocity_rad_s = 0.2}}, "/terms",
           robot, issues);
  REQUIRE(issues.size() == 2);
  CHECK(issues[1].what ==
        "joint1.fs has the velocity 0.1 in the robot's own terms, here it is 0.2");
}

TEST_CASE("An equation is said of gains alone, and only one that has gains") {
  const auto issue_of = [](const char* json) {
    TermOptions options;
    std::vector<Issue> issues;
    ReadFields(Visit(options), Json::parse(json), "", issues);
    return issues.size() == 1 ? issues[0].where + ": " + issues[0].what : "";
  };
  CHECK(issue_of(R"({"type": "stribeck", "equation": "motor_current"})") ==
        "/equation: has no meaning for stribeck");
  CHECK(issue_of(R"({"type": "gain", "equation": "joint_torque"})") ==
        "/equation: joint_torque has no gains");
  CHECK(issue_of(R"({"type": "gain", "equation": "motor_torque"})") == "");
}

TEST_CASE("Options of a model's own terms give them back") {
  RobotModel model = Coupled();
  model.SetCuts({{.name = "ft", .link = 1}});
  model.SetTerms(MakeFine(
      R"([{"type": "asymmetric_friction", "joints": "joint2"}, {"type": "rotor_inertia", "on": "motors"},
          {"type": "stribeck", "motors": "belt", "velocity_rad_s": 2}, {"type": "gain"},
          {"type": "offset", "on": "sensors"}, {"type": "calibration", "entries": "diagonal"}])",
      model));
  std::vector<Issue> issues;
  CHECK(MakeTerms(OptionsOfTerms(model), model, "", issues) == model.terms());
  for (TermOptions& options : OptionsOfTerms(model)) {
    ReadFields(Visit(options), WriteFields(Visit(options)), "", issues);
  }
  CHECK(issues.empty());
}

TEST_CASE("A robot gets the terms that it lacks, with the value 0") {
  Robot robot = LoadRobot("planar3");
  robot.model = Coupled();
  const Eigen::Index before = robot.sets[0].pi.size();
  std::vector<Issue> issues;
  const std::vector<TermOptions> belt = {{.type = TermKind::kCoulomb, .motors = "belt"}};
  AddTerms({{.type = TermKind::kCoulomb}}, "/a", robot, issues);  // every joint has it
  AddTerms(belt, "/a", robot, issues);
  AddTerms(belt, "/b", robot, issues);
  CHECK(issues.empty());
  CHECK(NamesOf(robot.model.terms()) == std::vector<std::string>{"belt.fc"});
  CHECK(robot.sets[0].pi.size() == before + 1);
  CHECK(robot.sets[0].pi[before] == 0.0);
  AddTerms({{.type = TermKind::kStribeck, .motors = "belt"}}, "/c", robot, issues);
  CHECK(issues.empty());
  AddTerms({{.type = TermKind::kStribeck, .motors = "belt", .velocity_rad_s = 3.0}}, "/d", robot,
           issues);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].where == "/d");
  CHECK(issues[0].what == "belt.fs has the velocity 0.1 in the robot's own terms, here it is 3");
}

/// A robot.json for a copy of planar2's model, with further members.
std::string Described(const TemporaryFolder& folder, const std::string& more,
                      const std::string& terms_of_set) {
  const std::filesystem::path planar2 = RobotFolder() / "planar2";
  std::filesystem::copy_file(planar2 / "planar2.xml", folder / "arm.xml");
  Json json = ReadJsonFile(planar2 / "robot.json");
  json["model"] = "arm.xml";
  json.update(ParseJson(more, "test"));
  for (auto& [name, set] : json["sets"].items()) set["terms"] = ParseJson(terms_of_set, "test");
  return folder.Write("robot.json", json.dump());
}

TEST_CASE("A robot.json declares terms, and its sets have their values") {
  const TemporaryFolder folder;
  const Robot robot =
      LoadRobot(Described(folder,
                          R"({"actuators": {"a": {"joint1": 2}, "b": {"joint1": -1, "joint2": 1}},
                    "terms": [{"type": "coulomb_friction", "on": "motors"}]})",
                          R"({"b.fc": 0.25})"));
  CHECK(NamesOf(robot.model.terms()) == std::vector<std::string>{"a.fc", "b.fc"});
  const Eigen::VectorXd& pi = robot.FindSet("")->pi;
  CHECK(pi.size() == ParameterLayout(robot.model).size());
  CHECK(pi.tail<2>() == Eigen::Vector2d(0.0, 0.25));
  const RobotFile written =
      DescribeRobot(robot.model, *robot.FindSet(""), "arm.xml", "t", robot.model.limits().velocity);
  folder.Write("robot.json", ToText(written));
  const Robot again = LoadRobot(folder / "robot.json");
  CHECK(again.model.terms() == robot.model.terms());
  CHECK(again.FindSet("")->pi == pi);
}

TEST_CASE("A robot.json whose terms every robot has, or that its sets misname, is refused") {
  const auto refusal = [](const std::string& more, const std::string& terms) -> std::string {
    const TemporaryFolder folder;
    try {
      LoadRobot(Described(folder, more, terms));
    } catch (const ConfigError& error) {
      return error.issues()[0].where + ": " + error.issues()[0].what;
    }
    return "";
  };
  CHECK(refusal(R"({"terms": [{"type": "viscous_friction", "joints": "joint1"}]})", "{}") ==
        "/terms: every robot has joint1.fv");
  CHECK(refusal(R"({"terms": [{"type": "stribeck", "joints": "joint1"}]})", R"({"joint2.fs": 1})")
            .ends_with("/terms/joint2.fs: the model has no such term"));
}

TEST_CASE("A transmission couples motors and joints, and is written back") {
  const TemporaryFolder folder;
  const std::string file = Described(
      folder, R"({"transmission": {"matrix": [[20, 0], [30, -30]], "offset_rad": [0.5, -1]}})",
      "{}");
  const Robot robot = LoadRobot(file);
  const Actuation& actuation = robot.model.actuation();
  CHECK(actuation.names == std::vector<std::string>{"motor1", "motor2"});
  CHECK(actuation.B == Eigen::Matrix2d{{20.0, 30.0}, {0.0, -30.0}});
  CHECK(actuation.zero == Eigen::Vector2d(0.5, -1.0));
  folder.Write("robot.json", ToText(DescribeRobot(robot.model, *robot.FindSet(""), "arm.xml", "t",
                                                  robot.model.limits().velocity)));
  const Robot again = LoadRobot(file);
  CHECK(again.model.actuation().names == actuation.names);
  CHECK(again.model.actuation().B == actuation.B);
  CHECK(again.model.actuation().zero == actuation.zero);
}

TEST_CASE("A transmission that contradicts the robot is refused") {
  const auto refusal = [](const std::string& transmission) -> std::string {
    const TemporaryFolder folder;
    try {
      LoadRobot(Described(folder, R"({"transmission": )" + transmission + "}", "{}"));
    } catch (const ConfigError& error) {
      return error.issues()[0].where + ": " + error.issues()[0].what;
    }
    return "";
  };
  CHECK(refusal(R"({"matrix": [[1, 0], [0, 1, 0]]})") ==
        "/transmission/matrix/1: got 3 numbers for 2 joints");
  CHECK(refusal(R"({"matrix": [[1, 0], [0, 1]], "motors": ["a"]})") ==
        "/transmission/motors: got 1 names for 2 rows of the matrix");
  CHECK(refusal(R"({"matrix": [[1, 0], [0, 1]], "offset_rad": [1]})") ==
        "/transmission/offset_rad: got 1 numbers for 2 joints");
  CHECK(refusal(R"({"matrix": [[1, 1], [1, 1]]})").starts_with("/transmission: "));
}

}  // namespace
}  // namespace idbench
