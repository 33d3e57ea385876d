#include "scenarios/scenario_reader.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr auto kMetrics = std::to_array<MetricInfo>({
    {.name = "joint_torque_rmse_nm",
     .unit = "N·m",
     .better = Better::kLower,
     .scope = MetricInfo::Scope::kExperiment,
     .components = MetricInfo::Components::kJoints},
    {.name = "base_parameter_relative_error",
     .better = Better::kLower,
     .needs = {Capability::kTruth}},
});

/// A simulation of planar2 that is fine.
Json Simulation() {
  return ParseJson(R"({
    "name": "s", "robot": {"model": "planar2"},
    "experiments": {"identification": {"role": "identification", "motion": {"type": "fourier"}}},
    "sensors": {"joint_torque": {"noise_std_nm": 0.1}},
    "problem": {"prior": {"mass_scale": 1.2}},
    "estimators": {"ols": {}}, "trials": 3})",
                   "simulation");
}

LoadedScenario Load(Json json, const std::vector<Override>& overrides = {}) {
  return LoadScenario(std::move(json), "test.json", overrides, kMetrics);
}

/// The message of what is wrong, "" if nothing is.
std::string Message(Json json, const std::vector<Override>& overrides = {}) {
  try {
    Load(std::move(json), overrides);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("A simulation gets its defaults spelled out, and reading these gives the same") {
  const LoadedScenario loaded = Load(Simulation());
  CHECK(loaded.cells.size() == 1);
  CHECK((*loaded.expanded)["plant"]["timestep_s"] == 0.00025);
  CHECK((*loaded.expanded)["control"]["type"] == "computed_torque");
  CHECK((*loaded.expanded)["problem"]["parametrisation"]["coulomb_width_rad_s"] == 0.02);
  CHECK(Load(*loaded.expanded).expanded == loaded.expanded);
}

TEST_CASE("Metrics are listed per experiment, with their components") {
  const LoadedScenario loaded = Load(Simulation());
  REQUIRE(loaded.metrics.size() == 2);
  CHECK(loaded.metrics[0].name == "joint_torque_rmse_nm@identification");
  CHECK(loaded.metrics[0].components == std::vector<std::string>{"joint1", "joint2"});
  CHECK(loaded.metrics[1].name == "base_parameter_relative_error");
  CHECK(loaded.absent_metrics.empty());
}

TEST_CASE("Overrides change what is read, and are refused where they lead nowhere") {
  CHECK(Load(Simulation(), {{"/trials", "7"}}).scenario.trial_count() == 7);
  CHECK(Load(Simulation(), {{"/title", "no JSON"}}).scenario.title == "no JSON");
  CHECK(Message(Simulation(), {{"/estimatorss/ols", "{}"}}) ==
        "test.json: --set /estimatorss/ols: leads nowhere: no \"estimatorss\" in \"\"\n"
        "  accepted here: name, robot, experiments, sensors, problem, estimators, trials\n"
        "  did you mean 'estimators'?");
}

TEST_CASE("Every cell is checked after substitution") {
  Json json = Simulation();
  json["sweep"] = Json::parse(
      R"([{"name": "noise", "set": {"/sensors/joint_torque/noise_std_nm": [0.1, -1]}}])");
  CHECK(Message(json) ==
        "test.json: /sensors/joint_torque/noise_std_nm: got -1\n"
        "  accepted here: a number, or a list with one number per joint, at least 0 [N·m]\n"
        "  in the sweep's noise -1");
}

TEST_CASE("Unknown robots, sets, joints and metrics are answered with those that there are") {
  Json json = Simulation();
  json["robot"]["model"] = "planar4";
  CHECK(Message(json).find("test.json: /robot/model: planar4: no such robot") == 0);
  json = Simulation();
  json["robot"]["truth"] = {{"set", "nominl"}};
  CHECK(Message(json) ==
        "test.json: /robot/truth/set: planar2 has no set \"nominl\"\n"
        "  accepted here: nominal\n  did you mean 'nominal'?");
  json = Simulation();
  json["sensors"]["joint_torque"]["joints"] = {{"joint3", {{"noise_std_nm", 1}}}};
  CHECK(Message(json).find("test.json: /sensors/joint_torque/joints/joint3: ") == 0);
  json = Simulation();
  json["metrics"] = {"joint_torque_rmse", "joint_torque_rmse_nm@here",
                     "base_parameter_relative_error@identification"};
  CHECK(Message(json) ==
        "test.json: /metrics/0: no such metric: \"joint_torque_rmse\"\n"
        "  accepted here: joint_torque_rmse_nm, base_parameter_relative_error\n"
        "  a key carries its unit: did you mean 'joint_torque_rmse_nm'?\n"
        "test.json: /metrics/1: no such experiment: \"here\"\n"
        "  accepted here: identification\n"
        "test.json: /metrics/2: base_parameter_relative_error has one value per estimate, not per "
        "experiment\n"
        "  write \"base_parameter_relative_error\"");
}

TEST_CASE("Checkpoints are sorted, and metrics speak of those that there are") {
  Json json = Simulation();
  json["evaluate_at_s"] = {2, 1};
  CHECK(Message(json) ==
        "test.json: /evaluate_at_s: times do not increase\n  sort the times, "
        "and list each of them once");
  json["evaluate_at_s"] = {0.5, 1};
  json["metrics"] = {"joint_torque_rmse_nm@identification@t=2", "joint_torque_rmse_nm@t=1"};
  CHECK(Message(json) ==
        "test.json: /metrics/0: no such checkpoint: \"t=2\"\n"
        "  accepted here: t=0.5, t=1\n  did you mean 't=1'?\n"
        "test.json: /metrics/1: joint_torque_rmse_nm has one value per experiment\n"
        "  write \"joint_torque_rmse_nm@<experiment>@t=1\"");
  json["metrics"] = {"joint_torque_rmse_nm", "base_parameter_relative_error@t=1"};
  std::vector<std::string> names;
  for (const RunMetric& metric : Load(json).metrics) names.push_back(metric.name);
  CHECK(names == std::vector<std::string>{"joint_torque_rmse_nm@identification@t=0.5",
                                          "joint_torque_rmse_nm@identification@t=1",
                                          "joint_torque_rmse_nm@identification",
                                          "base_parameter_relative_error@t=1"});
}

TEST_CASE("What a simulation lacks or has too much is told") {
  Json json = Simulation();
  json["experiments"] = Json::parse(R"({"v": {"role": "validation", "file": "x.csv"}})");
  CHECK(Message(json) ==
        "test.json: /experiments: none has the role \"identification\"\n"
        "  estimators need at least one\n"
        "test.json: /experiments/v/motion: missing\n"
        "  a simulation needs a motion, unless its control is torque_replay\n"
        "test.json: /experiments/v/file: has no meaning for a simulation\n"
        "  add /recording to read recordings");
  json = Simulation();
  json["problem"].erase("prior");
  json["problem"]["parametrisation"] = {{"type", "masses_and_moments"}};
  CHECK(Message(json) ==
        "test.json: /control/model: \"prior\" needs a prior\n"
        "  declare /problem/prior\n  or set /control/model to \"truth\"\n"
        "test.json: /problem/parametrisation/type: needs a prior\n"
        "  declare /problem/prior");
  json = Simulation();
  json["sensors"]["rate_hz"] = 130;
  CHECK(Message(json).find("test.json: /sensors/rate_hz: ") == 0);
}

TEST_CASE("An end effector is on a link that there is, and its wrench takes six joints") {
  Json json = Simulation();
  json["robot"]["end_effector"] = {{"link", "link9"}, {"point_m", {0, 0, 0.1}}};
  CHECK(Message(json).starts_with("test.json: /robot/end_effector/link: unknown link \"link9\"\n"));
  json["robot"]["end_effector"] = {{"point_m", {0, 0.1}}};
  CHECK(Message(json) ==
        "test.json: /robot/end_effector/point_m: got a list of 2\n"
        "  accepted here: three numbers");
  json = Simulation();
  json["problem"]["equations"] = {"end_effector_wrench"};
  CHECK(Message(json) ==
        "test.json: /problem/equations/0: end_effector_wrench needs at least 6 joints, planar2 has "
        "2\n"
        "  accepted here: joint_torque, base_wrench");
}

TEST_CASE("IMU and distance meter are on links that there are, and sensors need them") {
  Json json = Simulation();
  json["robot"]["imu"] = {{"link", "link2"}, {"point_m", {0, 0, 0.3}}};
  json["robot"]["distance_meter"] = {{"link", "link1"}, {"axis", {3, 0, -4}}};
  json["robot"]["truth"]["imu_offset_m"] = {0, 0, 0.03};
  json["sensors"]["accelerometer"] = json["sensors"]["distance"] = {{"origin", "measured"}};
  const RobotModel model = Load(json).robot.model;
  CHECK(model.imu()->link == 1);
  CHECK(model.imu()->p_LS_L == Eigen::Vector3d(0.0, 0.0, 0.3));  // what estimators know
  CHECK(model.distance_meter()->axis_L == Eigen::Vector3d(0.6, 0.0, -0.8));
  json["robot"].erase("imu");
  json["robot"].erase("distance_meter");
  CHECK(Message(json) ==
        "test.json: /sensors/accelerometer/origin: \"measured\" needs an IMU on the robot\n"
        "  declare its place in /robot/imu\n  or remove the sensor\n"
        "test.json: /sensors/distance/origin: \"measured\" needs a distance meter on the robot\n"
        "  declare its place in /robot/distance_meter\n  or remove the sensor\n"
        "test.json: /robot/truth/imu_offset_m: needs an IMU on the robot\n"
        "  declare its place in /robot/imu\n  or remove the offset");
  json = Simulation();
  json["robot"]["imu"] = {{"link", "link3"}};
  json["robot"]["distance_meter"] = {{"link", "link1"}, {"axis", {0, 0, 0}}, {"point_m", {1, 2}}};
  json["robot"]["truth"]["imu_offset_m"] = {1};
  CHECK(Message(json) ==
        "test.json: /robot/distance_meter/point_m: got a list of 2\n"
        "  accepted here: three numbers\n"
        "test.json: /robot/distance_meter/axis: got a vector of length 0\n"
        "test.json: /robot/truth/imu_offset_m: got a list of 1\n"
        "  accepted here: three numbers\n"
        "test.json: /robot/imu/link: unknown link \"link3\"\n"
        "  accepted here: link1, link2\n"
        "  did you mean 'link1'?");
}

TEST_CASE("A walker takes no control that needs a motor on every joint") {
  Json json = Simulation();
  json["robot"]["model"] = "biped3";
  json["experiments"]["identification"]["control"] = {{"type", "exact_replay"}};
  CHECK(Message(json).find("test.json: /experiments/identification/control: this control needs a "
                           "motor on every joint, but nothing drives q1\n") != std::string::npos);
}

TEST_CASE("Bounds are two numbers, σ of the prior is declared in one way, reach needs a prior") {
  Json json = Simulation();
  json["problem"]["parametrisation"]["bounds"] = {{"fv", {1.0, 0.0}}};
  json["problem"]["prior"]["relative_std"] = 0.5;
  json["problem"]["prior"]["std_of_bounds"] = 0.5;
  CHECK(Message(json) ==
        "test.json: /problem/parametrisation/bounds/fv: is not a lower and an upper bound\n"
        "  accepted here: a list of two numbers that increase\n"
        "test.json: /problem/prior/std_of_bounds: is given together with relative_std\n"
        "  give only one of them");
  json = Simulation();
  json["control"]["model"] = "truth";
  json["problem"].erase("prior");
  json["problem"]["parametrisation"] = {{"first_moment_reach_m", 0.1}};
  CHECK(Message(json) ==
        "test.json: /problem/parametrisation/first_moment_reach_m: needs a prior\n"
        "  declare /problem/prior");
}

TEST_CASE("The true joints are checked against the robot") {
  Json json = Simulation();
  json["robot"]["truth"] =
      Json::parse(R"({"mass_scale": 1.1, "friction": {"coulomb_nm": [1, 2, 3]}})");
  CHECK(Message(json) ==
        "test.json: /robot/truth/friction/coulomb_nm: got a list of 3\n"
        "  accepted here: one number, or a list with one for each of joint1, joint2");
  json["robot"]["truth"]["friction"]["coulomb_nm"] = {1, 2};
  CHECK((*Load(json).expanded)["robot"]["truth"]["friction"]["coulomb_nm"] == Json({1.0, 2.0}));
}

TEST_CASE("A mismatch with a state cannot be replayed exactly") {
  Json json = Simulation();
  json["control"] = {{"type", "exact_replay"}};
  json["robot"]["truth"] = Json::parse(R"({"mismatch": {"frictionloss_nm": 1}})");
  CHECK(Message(json) ==
        "test.json: /robot/truth/mismatch: LuGre friction or frictionloss needs experiments that "
        "are simulated step by step\n"
        "  set /control/type to one other than \"exact_replay\"\n  or remove it");
}

TEST_CASE("Payload events are checked against the robot") {
  Json json = Simulation();
  json["experiments"]["identification"]["events"] =
      Json::parse(R"([{"at_s": 1, "mass_kg": 2, "link": "link3"}])");
  CHECK(Message(json) ==
        "test.json: /experiments/identification/events/0/link: no such link: \"link3\"\n"
        "  accepted here: link1, link2\n  did you mean 'link1'?");
  json["experiments"]["identification"]["events"][0]["link"] = "link2";
  CHECK(Message(json).empty());
}

TEST_CASE("Open-loop torque stands instead of a motion, in an experiment or the whole scenario") {
  const Json replay = Json::parse(R"({"type": "torque_replay", "q_rad": [0, 0], "duration_s": 1,
    "actuators": {"joint1": {"amplitude_nm": [1], "frequency_hz": [1]}}})");
  Json json = Simulation();
  json["experiments"]["identification"]["control"] = replay;
  CHECK(Message(json) ==
        "test.json: /experiments/identification/motion: has no meaning with the control "
        "torque_replay, which follows no motion\n"
        "  remove it, or give the experiment a control that follows a motion");
  json["experiments"]["identification"].erase("motion");
  json["problem"].erase("prior");  // nobody uses the scenario's control, which needs one
  CHECK(Message(json).empty());
  json = Simulation();
  json["control"] = replay;
  json["experiments"]["identification"].erase("motion");
  CHECK(Message(json).empty());
  json["control"]["q_rad"] = {0, 9};
  CHECK(Message(json).find(
            "test.json: /control/q_rad/1: got 9, out of the range of joint 'joint2'") == 0);
}

TEST_CASE("Controls and motions that contradict robot or sensors are refused") {
  Json json = Simulation();
  json["experiments"]["identification"]["motion"] = {
      {"type", "way_points"}, {"points_rad", {{0.0}}}, {"dwell_s", 1}};
  CHECK(Message(json) ==
        "test.json: /experiments/identification/motion/points_rad/0: got a list of 1\n"
        "  accepted here: one number for each of joint1, joint2");
  json = Simulation();
  json["control"] = {{"type", "pd_gravity"}, {"feedback", "measured"}};
  json["sensors"]["joint_position"] = {{"origin", "oracle"}};
  CHECK(Message(json) ==
        "test.json: /control/feedback: \"measured\" needs measured joint positions\n"
        "  set /sensors/joint_position/origin to \"measured\"\n"
        "  or set /control/feedback to \"true_state\"");
  json = Simulation();
  json["experiments"]["identification"]["control"] = {{"type", "pd_gravity"}, {"rate_hz", 900}};
  CHECK(Message(json).find("test.json: /experiments/identification/control/rate_hz: a rate of 900 "
                           "Hz does not divide") == 0);
}

TEST_CASE("A planar Lagrangian needs a prior, and reads joint torques alone") {
  Json json = Simulation();
  json["problem"] = {{"parametrisation", {{"type", "planar_lagrangian"}}},
                     {"equations", {"joint_torque", "base_wrench"}}};
  json["control"] = {{"type", "exact_replay"}};
  CHECK(Message(json) ==
        "test.json: /problem/parametrisation/type: needs a prior\n  declare /problem/prior\n"
        "test.json: /problem/equations/1: base_wrench needs standard parameters for its unknowns\n"
        "  accepted here: joint_torque");
}

TEST_CASE("An equation is a name, or an object that says which channel measures it") {
  Json json = Simulation();
  json["problem"]["parametrisation"] = {{"type", "joint_state"}};
  json["problem"]["equations"] =
      Json::parse(R"(["joint_position", {"type": "joint_position", "channel": "hall_position"}])");
  json["estimators"] = {{"prior_only", Json::object()}};
  const LoadedScenario loaded = Load(json);
  CHECK((*loaded.expanded)["problem"]["equations"] == json["problem"]["equations"]);
  CHECK(Load(*loaded.expanded).expanded == loaded.expanded);

  json["problem"]["equations"][1]["channel"] = "joint_torque";
  CHECK(Message(json) ==
        "test.json: /problem/equations/1/channel: \"joint_torque\" does not measure "
        "joint_position\n"
        "  accepted here: joint_position, hall_position");
  json["problem"]["equations"][1] = {{"channel", "hall_position"}};
  CHECK(Message(json).starts_with("test.json: /problem/equations/1/type: missing"));
  json["problem"]["equations"] = Json::array();
  CHECK(Message(json) ==
        "test.json: /problem/equations: is empty\n"
        "  accepted here: joint_torque, base_wrench, end_effector_wrench, joint_position, "
        "joint_velocity");
}

TEST_CASE("Factors of unknowns that are no amounts are refused") {
  Json json = Simulation();
  json["problem"]["parametrisation"] = {{"type", "log_cholesky"}};
  json["problem"]["prior"] = {{"unknown_scale", {1.3, 0.7}}};
  CHECK(Message(json) ==
        "test.json: /problem/prior/unknown_scale: has no meaning for \"log_cholesky\"\n"
        "  remove it: a factor does not scale such unknowns");
}

TEST_CASE("Unknowns that are a state and equations that read it stand together") {
  Json json = Simulation();
  json["problem"]["equations"] = {"joint_torque", "joint_velocity"};
  CHECK(Message(json) ==
        "test.json: /problem/equations/1: joint_velocity needs the parametrisation "
        "\"joint_state\"\n"
        "  accepted here: joint_torque, base_wrench");
  json = Simulation();
  json["problem"]["parametrisation"] = {{"type", "joint_state"}};
  CHECK(Message(json).starts_with(
      "test.json: /problem/equations/0: joint_torque needs unknowns of the equations of motion\n"
      "  accepted here: joint_position, joint_velocity"));
}

/// Simulation() whose unknowns are a payload.
Json WithPayload() {
  Json json = Simulation();
  json["problem"]["parametrisation"] = Json::parse(
      R"({"type": "payload", "payload": {"mass_bounds_kg": [0, 4], "moment_bounds_kgm2": [0, 0.2]}})");
  return json;
}

TEST_CASE("A payload needs a link, bounds and a set, and takes nothing that is the robot's") {
  CHECK(Message(WithPayload()).empty());
  Json json = WithPayload();
  json["problem"]["parametrisation"]["payload"]["link"] = "link3";
  CHECK(Message(json) ==
        "test.json: /problem/parametrisation/payload/link: no such link: \"link3\"\n"
        "  accepted here: link1, link2\n  did you mean 'link1'?");
  json["problem"]["parametrisation"]["payload"] = {
      {"com_m", {1}}, {"mass_bounds_kg", {4}}, {"moment_bounds_kgm2", {0.2, 0.2}}};
  CHECK(Message(json) ==
        "test.json: /problem/parametrisation/payload/com_m: got a list of 1\n"
        "  accepted here: x, y, z\n"
        "test.json: /problem/parametrisation/payload/mass_bounds_kg: got a list of 1\n"
        "  accepted here: the lower bound and the upper one\n"
        "test.json: /problem/parametrisation/payload/moment_bounds_kgm2: 0.2 is not below 0.2\n"
        "  accepted here: the lower bound and the upper one");
  json = WithPayload();
  json["problem"]["parametrisation"].update(
      {{"friction", {"viscous"}}, {"rotor_inertia", true}, {"upper_prior_factor", 2}});
  CHECK(Message(json) ==
        "test.json: /problem/parametrisation/friction: has no meaning for \"payload\"\n"
        "  remove it: the robot's own parameters are known, as the set says\n"
        "test.json: /problem/parametrisation/rotor_inertia: has no meaning for \"payload\"\n"
        "  remove it: the robot's own parameters are known, as the set says\n"
        "test.json: /problem/parametrisation/upper_prior_factor: has no meaning for \"payload\"\n"
        "  bounds of a payload are in /problem/parametrisation/payload");
  json = WithPayload();
  json["problem"]["parametrisation"]["type"] = "standard";
  CHECK(Message(json) ==
        "test.json: /problem/parametrisation/payload: has no meaning for \"standard\"\n"
        "  remove it, or set /problem/parametrisation/type to \"payload\"");
  json["problem"]["parametrisation"] = {{"type", "payload"}};
  json["problem"].erase("prior");
  json["control"] = {{"type", "exact_replay"}};
  CHECK(Message(json) ==
        "test.json: /problem/parametrisation/type: needs a prior\n  declare /problem/prior\n"
        "test.json: /problem/parametrisation/payload: missing\n"
        "  declare the link that carries the payload, and the bounds of its mass and moments");
}

TEST_CASE("A label that would not fit into a metric's address is refused") {
  Json json = Simulation();
  json["experiments"]["a@b"] = json["experiments"]["identification"];
  CHECK(Message(json) ==
        "test.json: /experiments/a@b: a label must not be empty, contain @, "
        "/ or \\, or begin with t=");
}

TEST_CASE("A table that asks for what there is not is refused with the scenario") {
  Json json = Simulation();
  json["tables"] = Json::parse(R"([{"rows": "nois", "columns": "estimator"}])");
  CHECK(Message(json).find("test.json: /tables/0/rows") == 0);
}

TEST_CASE("The gate's metric must be one that the scenario records") {
  Json json = Simulation();
  json["gate"] = {{"metric", "joint_torque_rmse_nm@identification"}, {"tolerance", 0.1}};
  CHECK(Message(json).empty());
  json["gate"]["metric"] = "joint_torque_rmse_nm";
  CHECK(Message(json) ==
        "test.json: /gate/metric: the scenario has no metric \"joint_torque_rmse_nm\"\n"
        "  accepted here: joint_torque_rmse_nm@identification, base_parameter_relative_error");
  json["gate"] = {{"tolerance", 0}};
  CHECK(Message(json) ==
        "test.json: /gate/tolerance: got 0\n  accepted here: a number, greater than 0");
  json["gate"] = {{"metric", "base_parameter_relative_error@validation"}};
  CHECK(Message(json) ==
        "test.json: /gate/metric: the scenario has no metric "
        "\"base_parameter_relative_error@validation\"\n  accepted here: "
        "joint_torque_rmse_nm@identification, base_parameter_relative_error\n"
        "  did you mean 'base_parameter_relative_error'?");
}

/// A folder that is removed with the test.
struct TemporaryFolder {
  std::filesystem::path path = std::filesystem::temp_directory_path() /
                               ("idbench_scenario_reader_test_" + std::to_string(::getpid()));
  TemporaryFolder() { std::filesystem::create_directories(path); }
  ~TemporaryFolder() { std::filesystem::remove_all(path); }
};

TEST_CASE("A recording refuses what only a simulation has, and says where a missing file may be") {
  const TemporaryFolder folder;
  std::ofstream(folder.path / "there.csv") << "t_s\n";
  Json json = ParseJson(R"({
    "name": "r", "robot": {"model": "planar1", "truth": {}}, "trials": 5,
    "recording": {"root": "", "source": "the shelf", "columns": {"time": "t_s", "joint_position": "q1_rad",
      "joint_velocity": "qd1_rad_s", "joint_acceleration": "qdd1_rad_s2", "joint_torque": "tau1_nm"}},
    "sensors": {}, "experiments": {"a": {"file": "there.csv", "events": [{"at_s": 1, "mass_kg": 2}]}, "b": {"file": "gone.csv"}},
    "estimators": {"ols": {}}})",
                        "recording");
  json["recording"]["root"] = folder.path.string();
  CHECK(Message(json) ==
        "test.json: /robot/truth: has no meaning for a recording\n"
        "  remove it, or remove /recording to simulate\n"
        "test.json: /sensors: has no meaning for a recording\n"
        "  remove it, or remove /recording to simulate\n"
        "test.json: /trials: has no meaning for a recording\n"
        "  remove it, or remove /recording to simulate\n"
        "test.json: /experiments/a/events: has no meaning for a recording\n"
        "test.json: /experiments/b/file: no such recording: " +
            (folder.path / "gone.csv").string() +
            "\n  check /recording/root and the file's name\n  available from: the shelf");
}

TEST_CASE("Metrics that need the truth are absent for a recording, and the reason is kept") {
  const TemporaryFolder folder;
  std::ofstream(folder.path / "there.csv") << "t_s\n";
  Json json = ParseJson(R"({
    "name": "r", "robot": {"model": "planar1"},
    "recording": {"root": "", "columns": {"time": "t_s", "joint_position": "q1_rad"}},
    "experiments": {"a": {"file": "there.csv"}}, "estimators": {"ols": {}}})",
                        "recording");
  json["recording"]["root"] = folder.path.string();
  const LoadedScenario loaded = Load(json);
  REQUIRE(loaded.metrics.size() == 1);
  REQUIRE(loaded.absent_metrics.size() == 1);
  CHECK(loaded.absent_metrics[0].first == "base_parameter_relative_error");
  CHECK(loaded.absent_metrics[0].second == "no truth: a recording of a real robot");
}

}  // namespace
}  // namespace idbench
