#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "bench/captured_output_test.h"
#include "bench/small_run_test.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "scenarios/options/json.h"

/// Runs of a robot with and without a tool, from the scenario to the records.
namespace idbench {
namespace {

/// planar3, exactly moved and measured: bare in one experiment, with an unknown tool in another,
/// and with a tool and a known weight in the validation.
Json ToolScenario() {
  Json json = Description();
  json.erase("sweep");
  json["robot"] = ParseJson(R"({"model": "planar3", "truth": {"mass_scale": 1.2}})", "test");
  json["attached"] = ParseJson(R"({
    "tool": {"link": "link3", "p_LB_L_m": [0, 0, 0.4], "rpy_rad": [0, 0.5, 0],
             "prior": {"mass_kg": 0.5, "com_m": [0, 0, 0.1], "inertia_com_kgm2": [0.01, 0.01, 0.01]},
             "truth": {"mass_kg": 0.8, "com_m": [0.05, 0, 0.2],
                       "inertia_com_kgm2": [0.02, 0.03, 0.02]}},
    "weight": {"link": "link1", "p_LB_L_m": [0.1, 0, 0.2], "known": true,
               "prior": {"mass_kg": 1.5}}})",
                               "test");
  json["configurations"] = ParseJson(
      R"({"loaded": {"attached": ["tool"]}, "both": {"attached": ["weight", "tool"]}})", "test");
  const Json motion = json["experiments"]["identification"]["motion"];
  const auto experiment = [&motion](const char* role, const char* stream,
                                    const char* configuration) {
    Json each = {{"role", role}, {"motion", motion}, {"configuration", configuration}};
    each["motion"]["stream"] = stream;
    return each;
  };
  json["experiments"] = {{"bare", experiment("identification", "a", "")},
                         {"loaded", experiment("identification", "b", "loaded")},
                         {"validation", experiment("validation", "c", "both")}};
  json["sensors"] = {{"joint_torque", Json::object()}};
  json["problem"] = ParseJson(
      R"({"parametrisation": {"type": "base", "friction": ["viscous", "coulomb"], "rotor_inertia": true}})",
      "test");
  json["metrics"] = {"base_parameter_relative_error", "joint_torque_clean_rmse_nm@validation",
                     "joint_torque_clean_rmse_nm@loaded", "mass_matrix_positive_fraction"};
  json["estimators"] = {{"ols", Json::object()}, {"wls", Json::object()}};
  json["trials"] = 1;
  return json;
}

std::vector<Json> RecordsOf(const Json& scenario, const std::filesystem::path& folder) {
  std::vector<Json> records;
  const std::string lines = Records(scenario, folder);
  for (std::size_t from = 0; from < lines.size();) {
    const std::size_t until = lines.find('\n', from);
    records.push_back(ParseJson(lines.substr(from, until - from), "records"));
    from = until + 1;
  }
  return records;
}

TEST_CASE("Robot and tool are identified exactly together from a bare and a loaded motion") {
  const TemporaryFolder folder;
  const Json json = ToolScenario();
  for (const Json& record : RecordsOf(json, folder / "r")) {
    REQUIRE(record.at("outcome") == "ok");
    // Simulated by MuJoCo, with the tool as a welded body of its own.
    CHECK(MetricOf(record, "base_parameter_relative_error") < 1e-9);
    CHECK(MetricOf(record, "joint_torque_clean_rmse_nm@loaded") < 1e-8);
    CHECK(MetricOf(record, "joint_torque_clean_rmse_nm@validation") < 1e-8);
    CHECK(MetricOf(record, "mass_matrix_positive_fraction") == 1.0);
  }
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  const std::vector<std::string>& names = context.problem().parameters.names;
  // Of a body in a plane the torques show m·x, m·z and the moment; of the tool each by itself.
  CHECK(std::ranges::count_if(
            names, [](const std::string& name) { return name.starts_with("tool."); }) == 4);
  CHECK(std::ranges::none_of(names,
                             [](const std::string& name) { return name.starts_with("weight."); }));
}

TEST_CASE("With the tool on at all times only its sum with the link can be told") {
  const TemporaryFolder folder;
  Json json = ToolScenario();
  json["experiments"]["bare"]["configuration"] = "loaded";
  for (const Json& record : RecordsOf(json, folder / "r")) {
    REQUIRE(record.at("outcome") == "ok");
    CHECK(MetricOf(record, "base_parameter_relative_error") < 1e-9);
    CHECK(MetricOf(record, "joint_torque_clean_rmse_nm@validation") < 1e-8);
  }
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  CHECK(std::ranges::none_of(context.problem().parameters.names,
                             [](const std::string& name) { return name.starts_with("tool."); }));
}

TEST_CASE("Online methods take both configurations in one pass, and end where MAP does") {
  const TemporaryFolder folder;
  Json json = ToolScenario();
  json["sensors"] = ParseJson(R"({"joint_torque": {"noise_std_nm": 0.1}})", "test");
  json["problem"] = ParseJson(
      R"({"parametrisation": {"type": "standard", "friction": ["viscous", "coulomb"], "rotor_inertia": true}, "prior": {"relative_std": 1}})",
      "test");
  json["metrics"] = {"nees", "joint_torque_clean_rmse_nm@validation", "crlb_ratio"};
  json["estimators"] = {
      {"map", Json::object()}, {"ekf", {{"process_noise", 0}}}, {"rls", Json::object()}};
  // The tool is on first, or last.
  for (const char* last : {"loaded", "bare"}) {
    const Json moved = json["experiments"][last];
    json["experiments"].erase(last);
    json["experiments"][last] = moved;
    const std::vector<Json> records = RecordsOf(json, folder / last);
    REQUIRE(records.size() == 3);
    for (const Json& record : records) {
      REQUIRE(record.at("outcome") == "ok");
      for (std::size_t k = 0; k < record.at("x").size(); ++k) {
        const double sigma = records[0].at("sigma")[k];
        const double difference =
            records[0].at("x")[k].get<double>() - record.at("x")[k].get<double>();
        CHECK(std::abs(difference) <= 1e-4 * sigma);  // the same posterior, by other arithmetic
      }
    }
  }
}

TEST_CASE("Least squares of robot and tool is as good as the Cramér-Rao bound says") {
  const TemporaryFolder folder;
  Json json = ToolScenario();
  json["sensors"] = ParseJson(R"({"joint_torque": {"noise_std_nm": 0.1}})", "test");
  json["metrics"] = {"crlb_ratio", "base_parameter_error_bound", "base_parameter_relative_error"};
  json["estimators"] = {{"ols", Json::object()}};
  json["trials"] = 60;
  double ratio = 0.0, squared = 0.0, bound = 0.0;
  const std::vector<Json> records = RecordsOf(json, folder / "r");
  for (const Json& record : records) {
    ratio += MetricOf(record, "crlb_ratio") / 60.0;
    squared += std::pow(MetricOf(record, "base_parameter_relative_error"), 2) / 60.0;
    bound = MetricOf(record, "base_parameter_error_bound");
  }
  // χ² of 60 trials of about 13 directions: its mean is within 4σ = 4·√(2/780).
  CHECK(std::abs(ratio - 1.0) < 0.21);
  CHECK(std::abs(std::sqrt(squared) / bound - 1.0) < 0.3);  // few directions carry the weight
}

TEST_CASE("The robot is exported without its tool, and predicts what the bare one does") {
  const TemporaryFolder folder;
  Json json = ToolScenario();
  json["problem"]["prior"] = Json::object();
  json["estimators"] = {{"ols", Json::object()}};
  const ProgramResult result =
      Call({"run", folder.Write("tool.json", json.dump()), "--out", (folder / "run").string(),
            "--export", (folder / "robot").string()});
  CAPTURE(result.errors);
  REQUIRE(result.code == 0);
  const std::filesystem::path attached = folder / "robot" / "ols" / "attached.json";
  CHECK(result.output.find("what is attached is not in the model: it is in " + attached.string() +
                           ", as /attached of a scenario takes it") != std::string::npos);
  CHECK(result.output.find("the data tell only their sum") == std::string::npos);
  const Robot exported = LoadRobot((folder / "robot" / "ols" / "planar3.xml").string());
  CHECK(exported.model.attached().empty());
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  const Robot& robot = context.robot();
  const TrialData data = context.Run(0);
  const Dynamics bare(robot.model), of_file(exported.model);
  Dynamics::Scratch scratch(bare), of_file_scratch(of_file);
  const FixedStates states = MakeFixedStates(robot.model, 20, 5);
  Eigen::MatrixXd truth(20, 3), written(20, 3);
  bare.InverseDynamics(*data.true_pi(), states.samples(), scratch, truth);
  of_file.InverseDynamics(exported.FindSet("")->pi, states.samples(), of_file_scratch, written);
  CHECK((written - truth).norm() < 1e-8 * truth.norm());
  // With the tool as written, the exported robot moves as the loaded one.
  Json again = json;
  again["robot"] = {{"model", (folder / "robot" / "ols" / "planar3.xml").string()}};
  again["attached"] = ReadJsonFile(attached)["attached"];
  again["attached"]["tool"]["truth"] = again["attached"]["tool"]["prior"];
  const LoadedScenario read = Load(again);
  const Robot& both = read.cells[0].robot;
  const int configuration = robot.model.ConfigurationIndex("both");
  const Dynamics loaded_robot(robot.model, {}, configuration);
  const Dynamics loaded_again(both.model, {}, configuration);
  Dynamics::Scratch scratch_of_truth(loaded_robot), scratch_again(loaded_again);
  loaded_robot.InverseDynamics(*data.true_pi(), states.samples(), scratch_of_truth, truth);
  loaded_again.InverseDynamics(both.FindSet("")->pi, states.samples(), scratch_again, written);
  CHECK((written - truth).norm() < 1e-8 * truth.norm());
}

TEST_CASE("The export of a robot whose tool was always on says what the prior divided") {
  const TemporaryFolder folder;
  Json json = ToolScenario();
  json["problem"]["prior"] = Json::object();
  json["estimators"] = {{"ols", Json::object()}};
  json["experiments"]["bare"]["configuration"] = "loaded";
  const ProgramResult result =
      Call({"run", folder.Write("tool.json", json.dump()), "--out", (folder / "run").string(),
            "--export", (folder / "robot").string()});
  CAPTURE(result.errors);
  REQUIRE(result.code == 0);
  const std::string note =
      "link3, tool: the data tell only their sum, which the prior divides; leave off what is "
      "attached in some identification experiment to tell them apart";
  CHECK(result.output.find(note) != std::string::npos);
  const Robot exported = LoadRobot((folder / "robot" / "ols" / "planar3.xml").string());
  CHECK(exported.FindSet("")->note.find(note) != std::string::npos);
}

TEST_CASE("Recordings have configurations too") {
  const TemporaryFolder folder;
  Json json = ToolScenario();
  json["experiments"].erase("validation");
  json["attached"].erase("weight");
  json["configurations"].erase("both");
  json["metrics"] = {"base_parameter_relative_error"};
  json["estimators"] = {{"ols", Json::object()}};
  const std::vector<Json> simulated = RecordsOf(json, folder / "r");
  Json recording = ParseJson(R"({
    "name": "again", "robot": {"model": "planar3"},
    "recording": {"columns": {"time": "t_s", "joint_position": "q{1..3}_rad", "joint_velocity": "qd{1..3}_rad_s",
      "joint_acceleration": "qdd{1..3}_rad_s2", "joint_torque": "tau{1..3}_nm"}},
    "attached": {"tool": {"link": "link3", "p_LB_L_m": [0, 0, 0.4], "rpy_rad": [0, 0.5, 0]}},
    "configurations": {"loaded": {"attached": ["tool"]}},
    "problem": {"parametrisation": {"type": "base", "friction": ["viscous", "coulomb"],
      "rotor_inertia": true, "coulomb_width_rad_s": 0.02}},
    "experiments": {"bare": {"file": "cell0_bare_trial0.csv"},
                    "loaded": {"file": "cell0_loaded_trial0.csv", "configuration": "loaded"}},
    "estimators": {"ols": {}}})",
                             "recording");
  recording["recording"]["root"] = (folder / "r" / "series").string();
  const std::vector<Json> recorded = RecordsOf(recording, folder / "s");
  REQUIRE(recorded.at(0).at("outcome") == "ok");
  CHECK(recorded[0].at("x") == simulated[0].at("x"));
}

TEST_CASE("What cannot be attached is refused before anything is run") {
  Json json = ToolScenario();
  json["experiments"]["bare"]["configuration"] = "lauded";
  CHECK(FirstRefusal(json) ==
        "/experiments/bare/configuration: there is no configuration \"lauded\"");
  json = ToolScenario();
  json["attached"]["tool"].erase("truth");
  CHECK(FirstRefusal(json) == "/attached/tool/truth: missing");
  json = ToolScenario();
  json["attached"]["tool"]["link"] = "hand";
  CHECK(FirstRefusal(json) == "/attached/tool/link: unknown link \"hand\"");
  json = ToolScenario();
  json["problem"] = ParseJson(R"({"parametrisation": {"type": "planar_lagrangian"},
                                  "prior": {}})",
                              "test");
  CHECK(FirstRefusal(json).starts_with("/attached/tool: has no meaning for \"planar_lagrangian\""));
}

}  // namespace
}  // namespace idbench
