#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "bench/captured_output_test.h"
#include "bench/small_run_test.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "scenarios/options/json.h"

/// The arm of Traversaro, Del Prete, Muradore, Natale & Nori, 2013, by scenarios alone: a link that
/// a force/torque sensor splits, torques of joints 0 to 3 from the currents of their motors, and
/// the sensor's wrench, in one problem.
namespace idbench {
namespace {

constexpr const char* kJoints0To3 = "r_shoulder_{pitch,roll,yaw}, r_elbow";

/// The arm, exactly moved and exactly measured. r_shoulder_3 is what lies before the sensor,
/// r_upper_arm what lies beyond it.
Json SplitArm() {
  return ParseJson(R"({
    "name": "split", "control": {"type": "exact_replay"}, "trials": 1,
    "robot": {"model": "icub_right_arm",
      "force_torque_sensors": {"ft": {"link": "r_shoulder_3", "link_side": "proximal",
        "point_m": [-0.0508973018, 0, 0.0291670296], "rpy_rad": [0, -1.30899701, 0]}},
      "terms": [{"type": "offset", "sensors": "ft"}],
      "truth": {"set": "urdf_icubgenova04_split", "mass_scale": 1.1,
        "motor": {"gear_ratio": [100, 90, 80, 70, 60, 50],
                  "torque_constant_nm_a": [0.05, 0.04, 0.04, 0.03, 0.02, 0.02]},
        "terms": {"ft.offset_fx": 3, "ft.offset_fy": -5, "ft.offset_mz": 0.1}}},
    "attached": {"r_upper_arm": {"link": "r_shoulder_3",
      "p_LB_L_m": [-0.0508973018, 0, 0.0291670296], "rpy_rad": [0, -1.30899701, 0],
      "truth": {"mass_kg": 0.8, "com_m": [-0.006, 0.001, 0.03],
                "inertia_com_kgm2": [0.0006, 0.0007, 0.0005, 1.4e-6, 3.3e-5, -8.6e-7]}}},
    "configurations": {"arm": {"attached": ["r_upper_arm"]}},
    "experiments": {
      "identification": {"configuration": "arm",
        "motion": {"type": "fourier", "base_frequency_hz": 0.2, "duration_s": 10, "candidates": 2}},
      "validation": {"configuration": "arm", "role": "validation",
        "motion": {"type": "fourier", "base_frequency_hz": 0.2, "duration_s": 5, "stream": "v"}}},
    "sensors": {"joint_torque": {}, "motor_current": {"origin": "measured"}, "wrench": {"ft": {}}},
    "problem": {"equations": [], "terms": [{"type": "offset", "sensors": "ft"}]},
    "metrics": ["base_parameter_relative_error", "joint_torque_clean_rmse_nm@validation"],
    "estimators": {"ols": {}, "wls": {}}})",
                   "test");
}

Json RowsOfJoints(const char* type) { return {{"type", type}, {"joints", kJoints0To3}}; }
const Json kSensor = {{"type", "wrench"}, {"mount", "ft"}};
const Json kOffset = {{"type", "offset"}, {"sensors", "ft"}};

/// With friction of joints and motors in the truth and in the unknowns, and gains of the motors.
/// Coulomb friction is s(q̇) = ±1, as in the paper, so that |s| is the same constant for all.
Json EquationElevenOfThePaper(double coulomb_width = 1e-9) {
  Json json = SplitArm();
  json["plant"] = {{"coulomb_width_rad_s", coulomb_width}};
  for (const auto& [name, value] :
       {std::pair("fc+", 0.25), {"fc-", 0.3}, {"fv+", 0.1}, {"fv-", 0.12}}) {
    for (const char* place : {"r_shoulder_pitch", "r_shoulder_roll", "r_shoulder_yaw", "r_elbow",
                              "motor0", "motor1", "motor2"}) {
      json["robot"]["truth"]["terms"][std::string(place) + "." + name] = value;
    }
  }
  json["problem"] = {{"equations", {RowsOfJoints("motor_current"), kSensor}},
                     {"terms",
                      {{{"type", "asymmetric_friction"}, {"joints", kJoints0To3}},
                       {{"type", "asymmetric_friction"}, {"motors", "motor{0..2}"}},
                       {{"type", "gain"}, {"motors", "motor{0..3}"}},
                       kOffset}}};
  return json;
}

/// Names of the unknowns.
std::vector<std::string> UnknownsOf(const Json& json) {
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  return PreparedCell(loaded, loaded.cells[0], rollouts).problem().parameters.names;
}

std::size_t Rank(const Json& equations, const Json& terms = Json::array()) {
  Json json = SplitArm();
  json["problem"] = {{"equations", equations}, {"terms", terms}};
  return UnknownsOf(json).size();
}

TEST_CASE("Torques of joints 0 to 3 of the iCub's arm show 38 base parameters") {
  CHECK(Rank(Json::array({RowsOfJoints("joint_torque")})) == 38);
}

TEST_CASE("The sensor in the iCub's arm shows 31 base parameters, 37 with its offset") {
  CHECK(Rank(Json::array({kSensor})) == 31);
  CHECK(Rank(Json::array({kSensor}), Json::array({kOffset})) == 37);
}

TEST_CASE("Torques and sensor of the iCub's arm show 48 base parameters") {
  CHECK(Rank({RowsOfJoints("joint_torque"), kSensor}) == 48);
}

TEST_CASE("The whole of equation (11) of the iCub's arm has 80 unknowns that can be told apart") {
  CHECK(UnknownsOf(EquationElevenOfThePaper()).size() == 80);
  // Where s is smooth, |s| of motors and joints is not one constant.
  CHECK(UnknownsOf(EquationElevenOfThePaper(0.05)).size() == 82);
}

TEST_CASE("Rotor inertias of the iCub's motors are told apart from its links, but for the first") {
  Json json = EquationElevenOfThePaper();
  json["problem"]["terms"].push_back({{"type", "rotor_inertia"}, {"motors", "motor{0..2}"}});
  json["problem"]["terms"].push_back({{"type", "rotor_inertia"}, {"joints", "r_elbow"}});
  // The first rotor turns with the first link, and about the same axis.
  CHECK(UnknownsOf(json).size() == 80 + 3);
}

/// Records, one per estimator.
std::vector<Json> RecordsOfSplit(const Json& json, const std::filesystem::path& folder) {
  std::istringstream lines(Records(json, folder));
  std::vector<Json> records;
  for (std::string line; std::getline(lines, line);) records.push_back(ParseJson(line, "records"));
  REQUIRE(records.size() == json.at("estimators").size());
  return records;
}

TEST_CASE("Both parts of a split link are identified from torques and the sensor, exactly") {
  const TemporaryFolder folder;
  Json json = SplitArm();
  json["problem"]["equations"] = {RowsOfJoints("joint_torque"), kSensor};
  for (const Json& record : RecordsOfSplit(json, folder / "r")) {
    REQUIRE(record.at("outcome") == "ok");
    CHECK(record.at("x").size() == 48 + 6);
    CHECK(MetricOf(record, "base_parameter_relative_error") < 1e-9);
    // Of all six joints, of some N·m: all of what moves the last two lies beyond the sensor.
    CHECK(MetricOf(record, "joint_torque_clean_rmse_nm@validation") < 1e-9);
  }
}

TEST_CASE("Currents and the sensor identify arm, friction, gains and offset in one problem") {
  const TemporaryFolder folder;
  const Json json = EquationElevenOfThePaper();
  const std::vector<std::string> names = UnknownsOf(json);
  const auto of_gain = std::ranges::find(names, "motor2.gain") - names.begin();
  const auto of_offset = std::ranges::find(names, "ft.offset_fy") - names.begin();
  for (const Json& record : RecordsOfSplit(json, folder / "r")) {
    REQUIRE(record.at("outcome") == "ok");
    CHECK(record.at("x").at(static_cast<std::size_t>(of_gain)).get<double>() ==
          doctest::Approx(80 * 0.04).epsilon(1e-8));
    CHECK(record.at("x").at(static_cast<std::size_t>(of_offset)).get<double>() ==
          doctest::Approx(-5.0).epsilon(1e-8));
    CHECK(MetricOf(record, "joint_torque_clean_rmse_nm@validation") < 1e-9);
    // wls weighs the rows by what rounding left of them: by 1e16 and more.
    const bool ols = record.at("estimator") == "ols";
    CHECK(MetricOf(record, "base_parameter_relative_error") < (ols ? 1e-9 : 1e-6));
  }
}

TEST_CASE("Joints whose rows do not count may be measured badly") {
  const TemporaryFolder folder;
  Json json = SplitArm();
  json["problem"]["equations"] = {RowsOfJoints("joint_torque"), kSensor};
  json["sensors"]["joint_torque"] = {{"noise_std_nm", {0.0, 0.0, 0.0, 0.0, 5.0, 5.0}}};
  json["estimators"] = {{"ols", Json::object()}};
  const Json record = RecordsOfSplit(json, folder / "r").front();
  REQUIRE(record.at("outcome") == "ok");
  CHECK(MetricOf(record, "base_parameter_relative_error") < 1e-9);
  json["problem"]["equations"] = {"joint_torque", kSensor};
  CHECK(MetricOf(RecordsOfSplit(json, folder / "all").front(), "base_parameter_relative_error") >
        1e-3);
}

TEST_CASE("A split link is exported as one, with both of its parts") {
  const TemporaryFolder folder;
  Json json = SplitArm();
  json["problem"]["equations"] = {RowsOfJoints("joint_torque"), kSensor};
  json["problem"]["prior"] = {{"set", "urdf_icubgenova04_split"}};
  json["attached"]["r_upper_arm"]["prior"] = {{"mass_kg", 0.7},
                                              {"inertia_com_kgm2", {1e-3, 1e-3, 1e-3}}};
  json["estimators"] = {{"ols", Json::object()}};
  const ProgramResult result =
      Call({"run", folder.Write("split.json", json.dump()), "--out", (folder / "run").string(),
            "--export", (folder / "robot").string()});
  CAPTURE(result.errors);
  REQUIRE(result.code == 0);
  CHECK(result.output.find("r_upper_arm is part of r_shoulder_3 in the file, which has both") !=
        std::string::npos);
  CHECK(result.output.find("is not in the file") == std::string::npos);
  const Robot exported = LoadRobot((folder / "robot" / "ols" / "icub_right_arm.xml").string());
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  const TrialData data = context.Run(0);
  const Dynamics arm(context.robot().model, {}, 0), of_file(exported.model);
  REQUIRE(context.robot().model.configurations().size() == 1);  // with the upper arm
  Dynamics::Scratch scratch(arm), of_file_scratch(of_file);
  const FixedStates states = MakeFixedStates(context.robot().model, 20, 5);
  Eigen::MatrixXd truth(20, 6), written(20, 6);
  arm.InverseDynamics(*data.true_pi(), states.samples(), scratch, truth);
  of_file.InverseDynamics(exported.FindSet("")->pi, states.samples(), of_file_scratch, written);
  CHECK((written - truth).norm() < 1e-8 * truth.norm());
}

}  // namespace
}  // namespace idbench
