#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include "bench/captured_output_test.h"
#include "bench/small_run_test.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/dynamics/rows.h"
#include "scenarios/options/json.h"

/// Runs in which configurations have offsets of their own, from the scenario to what is written.
namespace idbench {
namespace {

/// planar3, exactly moved and measured, in two runs between which the offsets of its sensors shift.
Json ShiftScenario() {
  Json json = Description();
  json.erase("sweep");
  json["robot"] = ParseJson(R"({"model": "planar3", "truth": {"mass_scale": 1.2, "terms":
    {"ft.offset_fx": 1.5, "ft.offset_mz": -0.2, "ft.offset_fx@later": -2, "ft.offset_my@later": 0.3,
     "joint1.fo@later": 0.7}},
    "force_torque_sensors": {"ft": {"link": "link2", "link_side": "distal"}}})",
                            "test");
  json["configurations"] = ParseJson(R"({"later": {"own": ["ft.offset", "joint1.fo"]}})", "test");
  const Json motion = json["experiments"]["identification"]["motion"];
  const auto experiment = [&motion](const char* role, const char* stream,
                                    const char* configuration) {
    Json each = {{"role", role}, {"motion", motion}, {"configuration", configuration}};
    each["motion"]["stream"] = stream;
    return each;
  };
  json["experiments"] = {{"first", experiment("identification", "a", "")},
                         {"second", experiment("identification", "b", "later")},
                         {"validation", experiment("validation", "c", "later")}};
  json["sensors"] = ParseJson(R"({"joint_torque": {}, "wrench": {"ft": {}}})", "test");
  json["problem"] = ParseJson(R"({
    "parametrisation": {"type": "base", "friction": ["viscous", "coulomb", "offset"], "rotor_inertia": true},
    "equations": ["joint_torque", {"type": "wrench", "mount": "ft"}],
    "terms": [{"type": "offset", "sensors": "ft"}]})",
                              "test");
  json["metrics"] = {"base_parameter_relative_error", "joint_torque_clean_rmse_nm@validation"};
  json["estimators"] = {{"ols", Json::object()}};
  json["trials"] = 1;
  return json;
}

std::string RefusalOfShift(const Json& json) {
  try {
    Load(json);
  } catch (const ConfigError& error) {
    return error.issues()[0].where + ": " + error.issues()[0].what;
  }
  return "";
}

/// Estimates by name.
std::map<std::string, double> EstimatesOf(const Json& json, const Json& record) {
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  std::map<std::string, double> values;
  const std::vector<std::string>& names = context.problem().parameters.names;
  for (std::size_t k = 0; k < names.size(); ++k) values[names[k]] = record.at("x")[k];
  return values;
}

TEST_CASE("Offsets that shift between runs are identified exactly, each as an unknown of its own") {
  const TemporaryFolder folder;
  const Json json = ShiftScenario();
  const Json record = ParseJson(Records(json, folder / "r"), "records");
  REQUIRE(record.at("outcome") == "ok");
  CHECK(MetricOf(record, "base_parameter_relative_error") < 1e-9);
  CHECK(MetricOf(record, "joint_torque_clean_rmse_nm@validation") < 1e-8);
  const auto values = EstimatesOf(json, record);
  for (const auto& [name, truth] : std::map<std::string, double>{{"ft.offset_fx", 1.5},
                                                                 {"ft.offset_fx@later", -2.0},
                                                                 {"ft.offset_my", 0.0},
                                                                 {"ft.offset_my@later", 0.3},
                                                                 {"joint1.fo", 0.0},
                                                                 {"joint1.fo@later", 0.7}}) {
    CAPTURE(name);
    REQUIRE(values.contains(name));
    CHECK(std::abs(values.at(name) - truth) < 1e-8);
  }
  CHECK(values.contains("joint2.fo"));
  CHECK(!values.contains("joint2.fo@later"));
}

TEST_CASE("Without offsets of their own the same runs are told wrongly") {
  const TemporaryFolder folder;
  Json json = ShiftScenario();
  json["robot"]["truth"]["terms"].erase("joint1.fo@later");
  json["configurations"]["later"] = Json::object();
  json["robot"]["truth"]["terms"] = {{"ft.offset_fx", 1.5}};
  CHECK(RefusalOfShift(json).empty());
  const auto shared = EstimatesOf(json, ParseJson(Records(json, folder / "r"), "records"));
  CHECK(std::abs(shared.at("ft.offset_fx") - 1.5) < 1e-8);
  CHECK(!shared.contains("ft.offset_fx@later"));
}

TEST_CASE("A filter knows the configuration of each sample, and ends where least squares does") {
  const TemporaryFolder folder;
  Json json = ShiftScenario();
  json["sensors"] = ParseJson(
      R"({"joint_torque": {"noise_std_nm": 0.1}, "wrench": {"ft": {"noise_std_n_nm": 0.1}}})",
      "test");
  json["problem"]["prior"] =
      ParseJson(R"({"relative_std": 1, "std": {"ft.offset": 1, "fo": 1}})", "test");
  json["problem"]["prior"]["terms"] =
      ParseJson(R"({"ft.offset_fx": 1, "ft.offset_fx@later": -1, "joint1.fo@later": 0.5})", "test");
  json["estimators"] = {{"map", Json::object()}, {"ekf", {{"process_noise", 0}}}};
  const std::string records = Records(json, folder / "r");
  const Json map = ParseJson(records.substr(0, records.find('\n')), "records");
  const Json ekf = ParseJson(records.substr(records.find('\n') + 1), "records");
  REQUIRE(map.at("outcome") == "ok");
  REQUIRE(ekf.at("outcome") == "ok");
  for (std::size_t k = 0; k < map.at("x").size(); ++k) {
    const double sigma = map.at("sigma")[k];
    const double difference = map.at("x")[k].get<double>() - ekf.at("x")[k].get<double>();
    CHECK(std::abs(difference) <= 1e-4 * sigma);  // the same posterior, by other arithmetic
  }
}

TEST_CASE("Where every run has its own, nothing is shared") {
  const TemporaryFolder folder;
  Json json = ShiftScenario();
  json["configurations"]["earlier"] = {{"own", {"ft.offset_{fx,fy}"}}};
  json["experiments"]["first"]["configuration"] = "earlier";
  json["robot"]["truth"]["terms"]["ft.offset_fx@earlier"] = 4.0;
  const auto values = EstimatesOf(json, ParseJson(Records(json, folder / "r"), "records"));
  CHECK(!values.contains("ft.offset_fx"));
  CHECK(std::abs(values.at("ft.offset_fx@earlier") - 4.0) < 1e-8);
  CHECK(std::abs(values.at("ft.offset_fx@later") + 2.0) < 1e-8);
  CHECK(std::abs(values.at("ft.offset_mz") + 0.2) < 1e-8);  // of the first run alone
}

TEST_CASE("In its configuration a term acts alone, in one sample as in many, and in predictions") {
  const LoadedScenario loaded = Load(ShiftScenario());
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  const RobotModel& model = context.robot().model;
  std::vector<int> columns(static_cast<std::size_t>(ParameterLayout(model).size()));
  std::iota(columns.begin(), columns.end(), 0);
  const Eigen::VectorXd pi = *context.Run(0).true_pi();
  const FixedStates states = MakeFixedStates(model, 20, 5);
  Eigen::MatrixXd shared;
  for (const int configuration : {0, 1}) {
    const Dynamics dynamics(model, context.problem().friction, configuration);
    Dynamics::Scratch scratch(dynamics);
    const RowRegressor rows(dynamics, context.problem().equations(), columns);
    std::vector<Eigen::MatrixXd> dense;
    rows.Dense(states.samples(), scratch, dense);
    Eigen::MatrixXd torque(20, 3), wrench(20, 6), single(9, columns.size());
    dynamics.Predict(Equation::kTorque, pi, states.samples(), scratch, torque);
    dynamics.Predict({Equation::kCut, 0}, pi, states.samples(), scratch, wrench);
    for (Eigen::Index k = 0; k < 20; ++k) {
      rows.Single(states.q.row(k).transpose(), states.qd.row(k).transpose(),
                  states.qdd.row(k).transpose(), scratch, single);
      const Eigen::VectorXd y = single * pi(columns);
      CHECK((y.head(3) - torque.row(k).transpose()).norm() < 1e-9 * torque.norm());
      CHECK((y.tail(6) - wrench.row(k).transpose()).norm() < 1e-9 * wrench.norm());
      for (int r = 0; r < 9; ++r) {
        CHECK(single(r, rows.ColumnsOf(r)) == dense[static_cast<std::size_t>(r)].row(k));
      }
      Eigen::VectorXd tau(3);
      dynamics.InverseDynamics(pi, states.q.row(k).transpose(), states.qd.row(k).transpose(),
                               states.qdd.row(k).transpose(), scratch, tau);
      CHECK((tau - torque.row(k).transpose()).norm() < 1e-12 * torque.norm());
    }
    if (configuration == 0) {
      shared = wrench;
    } else {
      Eigen::RowVectorXd shift(6);
      shift << -3.5, 0.0, 0.0, 0.0, 0.3, 0.0;  // one without a value has the shared one's
      CHECK(((wrench - shared).rowwise() - shift).norm() < 1e-9);
    }
  }
}

TEST_CASE("What was identified tells them, and the exported robot has none of them") {
  const TemporaryFolder folder;
  Json json = ShiftScenario();
  json["problem"]["prior"] = Json::object();
  const ProgramResult result =
      Call({"run", folder.Write("shift.json", json.dump()), "--out", (folder / "run").string(),
            "--export", (folder / "robot").string()});
  CAPTURE(result.errors);
  REQUIRE(result.code == 0);
  const std::string identified = ReadText(folder / "run" / "identified.md");
  CHECK(identified.find("| ft.offset_fx@later | N | -2 |") != std::string::npos);
  const Robot exported = LoadRobot((folder / "robot" / "ols" / "planar3.xml").string());
  CHECK(exported.model.configurations().size() == 1);
  CHECK(std::ranges::none_of(exported.model.terms(), [](const Term& term) {
    return term.name.find('@') != std::string::npos;
  }));
}

TEST_CASE("What a configuration cannot have of its own is refused by name") {
  const auto with = [](const char* own) {
    Json json = ShiftScenario();
    json["configurations"]["later"]["own"] = Json::parse(own);
    json["robot"]["truth"].erase("terms");
    return RefusalOfShift(json);
  };
  CHECK(with(R"(["ft.offset"])").empty());
  CHECK(with(R"(["fl.offset"])") ==
        "/configurations/later/own/0: the robot has no term \"fl.offset\"");
  CHECK(with(R"(["ft.offset", "ft.offset_fx"])") ==
        "/configurations/later/own/1: ft.offset_fx is named twice");
  Json json = ShiftScenario();
  json["problem"]["parametrisation"]["friction"] = {"viscous"};
  CHECK(RefusalOfShift(json) == "/configurations/later/own: joint1.fo is not estimated");
  // Of a sensor the offsets of the components that count are enough.
  Json forces = ShiftScenario();
  forces["problem"]["equations"][1]["components"] = "F{x,y,z}";
  CHECK(RefusalOfShift(forces) == "");
  json = ShiftScenario();
  json["experiments"]["second"]["configuration"] = "";
  CHECK(RefusalOfShift(json) ==
        "/configurations/later/own/0: no experiment of role identification is in the configuration "
        "\"later\", so nothing can be learnt of its ft.offset_fx");
}

}  // namespace
}  // namespace idbench
