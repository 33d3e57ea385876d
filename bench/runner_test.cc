#include "bench/runner.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "bench/metrics.h"
#include "bench/run_writer.h"

namespace idbench {
namespace {

/// A folder that is removed with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    static std::atomic<int> count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("idbench_runner_test_" + std::to_string(::getpid()) + "_" + std::to_string(count++));
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

std::string ReadAll(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  REQUIRE(stream);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

Json Description() {
  return ParseJson(R"({
    "name": "r", "robot": {"model": "planar2"}, "control": {"type": "exact_replay"},
    "experiments": {"identification": {"motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 2, "candidates": 2}}},
    "sensors": {"joint_torque": {"noise_std_nm": 0.1}},
    "problem": {"parametrisation": {"friction": ["viscous", "coulomb"], "rotor_inertia": true}},
    "estimators": {"ols": {}, "wls": {}}, "trials": 9, "timing_trials": 2,
    "sweep": [{"name": "noise", "set": {"/sensors/joint_torque/noise_std_nm": [0.1, 0.2]}}]})",
                   "test");
}

LoadedScenario Load(const Json& json) { return LoadScenario(json, "test", {}, AllMetrics()); }

std::string Records(const Json& json, const std::filesystem::path& folder, int jobs = 1) {
  CHECK(RunScenario(Load(json), {.folder = folder, .jobs = jobs}) == RunResult::kFinished);
  return ReadAll(folder / "records.jsonl");
}

/// The records of one cell and estimator, without the number of the cell.
std::vector<std::string> Select(const std::string& records, int cell, const std::string& label) {
  std::vector<std::string> selected;
  std::istringstream lines(records);
  for (std::string line; std::getline(lines, line);) {
    Json record = Json::parse(line);
    if (record["cell"] != cell || record["estimator"] != label) continue;
    record.erase("cell");
    selected.push_back(record.dump());
  }
  return selected;
}

TEST_CASE("Records are the same bytes for one thread and for three") {
  const TemporaryFolder folder;
  const std::string one = Records(Description(), folder / "one", 1);
  CHECK(one.size() > 1000);
  CHECK(Records(Description(), folder / "three", 3) == one);
}

/// Filters on the masses and moments of planar2, moved by computed torque in MuJoCo.
Json OnlineDescription(double duration_s) {
  Json json = ParseJson(R"({
    "name": "online", "robot": {"model": "planar2"},
    "experiments": {
      "identification": {"motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 2, "design_duration_s": 2}},
      "validation": {"role": "validation", "control": {"type": "exact_replay"},
        "motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 2, "stream": "validation"}}},
    "sensors": {"joint_torque": {"noise_peak_fraction": 0.01}, "base_wrench": {"origin": "measured", "noise_std_n_nm": 0.1}},
    "problem": {"parametrisation": {"type": "masses_and_moments", "lower_prior_factor": 0, "upper_prior_factor": 2},
      "prior": {"mass_scale": 1.2, "inertia_scale": 1.2, "relative_std": 0.5}, "equations": ["joint_torque", "base_wrench"]},
    "estimators": {"prior_only": {}, "map": {}, "sigmoid_ekf": {}, "ekf": {}}, "trials": 2, "timing_trials": 1})",
                        "online");
  json["experiments"]["identification"]["motion"]["duration_s"] = duration_s;
  return json;
}

TEST_CASE("What is said of a checkpoint is what a run says whose data end there") {
  const TemporaryFolder folder;
  Json longer = OnlineDescription(2.0);
  longer["evaluate_at_s"] = {1};
  // A second holds the samples before its end; the checkpoint takes the one at 1 s in too.
  const Json shorter = OnlineDescription(1.01);
  std::istringstream of_longer(Records(longer, folder / "longer"));
  std::istringstream of_shorter(Records(shorter, folder / "shorter"));
  int compared = 0;
  for (std::string a, b; std::getline(of_longer, a) && std::getline(of_shorter, b);) {
    const Json at_checkpoint = Json::parse(a)["metrics"];
    const Json at_end = Json::parse(b)["metrics"];
    for (const auto& [name, metric] : at_end.items()) {
      if (name.ends_with("@identification")) continue;  // that is another experiment
      CAPTURE(name);
      CHECK(at_checkpoint.at(name + "@t=1") == metric);
      ++compared;
    }
  }
  CHECK(compared == 2 * 4 * 13);
}

TEST_CASE("Filters fit a recording that declares its σ, and refuse one that does not") {
  const TemporaryFolder folder;
  Json simulation = OnlineDescription(2.0);
  simulation["sensors"] = Json::parse(R"({"joint_torque": {"noise_std_nm": 0.1}})");
  simulation["problem"]["equations"] = {"joint_torque"};
  simulation["trials"] = 1;
  std::istringstream simulated(Records(simulation, folder / "simulated"));

  Json recording = simulation;
  for (const char* key : {"sensors", "trials", "experiments"}) recording.erase(key);
  recording["experiments"] = {{"run", {{"file", "cell0_identification_trial0.csv"}}}};
  recording["recording"] = {{"root", (folder / "simulated" / "series").string()},
                            {"columns",
                             {{"time", "t_s"},
                              {"joint_position", "q{1..2}_rad"},
                              {"joint_velocity", "qd{1..2}_rad_s"},
                              {"joint_acceleration", "qdd{1..2}_rad_s2"},
                              {"joint_torque", "tau{1..2}_nm"}}}};
  const auto message = [&] {
    try {
      RunScenario(Load(recording), {.folder = folder / "refused", .jobs = 1});
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(message() == "test: /estimators/map: needs a positive declared σ of joint_torque");
  recording["recording"]["declared_sigma"] = {{"joint_torque_nm", 0.1}};
  std::istringstream recorded(Records(recording, folder / "recorded"));
  int compared = 0;
  for (std::string a, b; std::getline(simulated, a) && std::getline(recorded, b); ++compared) {
    CHECK(Json::parse(a)["x"] == Json::parse(b)["x"]);  // the log holds every digit
    CHECK(Json::parse(b)["metrics"].contains("joint_torque_rmse_over_sigma@run"));
  }
  CHECK(compared == 4);
}

TEST_CASE("Updates of online estimators are timed one by one") {
  const TemporaryFolder folder;
  Records(OnlineDescription(2.0), folder / "r");
  std::istringstream lines(ReadAll(folder / "r" / "timings.jsonl"));
  std::map<std::string, std::size_t> updates;
  for (std::string line; std::getline(lines, line);) {
    const Json json = Json::parse(line);
    updates[json["estimator"]] = json.contains("update_us") ? json["update_us"].size() : 0;
  }
  CHECK(updates == std::map<std::string, std::size_t>{
                       {"prior_only", 0}, {"map", 0}, {"sigmoid_ekf", 200}, {"ekf", 200}});
}

TEST_CASE("A checkpoint beyond the data is refused before anything is written") {
  const TemporaryFolder folder;
  Json json = OnlineDescription(2.0);
  json["evaluate_at_s"] = {1, 2.5};
  std::string message;
  try {
    RunScenario(Load(json), {.folder = folder / "r", .jobs = 1});
  } catch (const ConfigError& error) {
    message = error.what();
  }
  CHECK(message ==
        "test: /evaluate_at_s: 2.5 s lies beyond the end of the identification data, 2 s");
  CHECK_FALSE(std::filesystem::exists(folder / "r"));
}

TEST_CASE("A run that was stopped and resumed gives the same bytes as one that was not") {
  const TemporaryFolder folder;
  const LoadedScenario loaded = Load(Description());
  std::atomic<bool> stop = true;  // before the first trial
  CHECK(RunScenario(loaded, {.folder = folder / "r", .jobs = 1, .stop = &stop}) ==
        RunResult::kInterrupted);
  CHECK_FALSE(std::filesystem::exists(folder / "r" / "records.jsonl"));

  // What a kill leaves behind: some blocks that are whole, and a part of another.
  const std::string whole = Records(Description(), folder / "whole");
  std::istringstream lines(whole);
  std::string block, line;
  for (int k = 0; k < 6 && std::getline(lines, line); ++k) block += line + '\n';
  std::ofstream(folder / "r" / "blocks" / "000000_000000000000_000000000003.jsonl") << block;
  std::ofstream(folder / "r" / "blocks" / "000000_000000000003_000000000004.jsonl.part") << "{";

  CHECK(RunScenario(loaded, {.folder = folder / "r", .jobs = 2, .resume = true}) ==
        RunResult::kFinished);
  CHECK(ReadAll(folder / "r" / "records.jsonl") == whole);
  CHECK_FALSE(std::filesystem::exists(folder / "r" / "blocks"));
}

TEST_CASE("A block that is there is kept, not computed again") {
  const TemporaryFolder folder;
  const LoadedScenario loaded = Load(Description());
  std::atomic<bool> stop = true;
  RunScenario(loaded, {.folder = folder / "r", .jobs = 1, .stop = &stop});
  const std::string mark = "{\"mark\":1}\n{\"mark\":2}\n";
  std::ofstream(folder / "r" / "blocks" / "000001_000000000008_000000000009.jsonl") << mark;
  RunScenario(loaded, {.folder = folder / "r", .jobs = 1, .resume = true});
  CHECK(ReadAll(folder / "r" / "records.jsonl").ends_with(mark));
}

TEST_CASE("Adding an estimator or a cell changes no other record") {
  const TemporaryFolder folder;
  const std::string before = Records(Description(), folder / "before");
  Json json = Description();
  json["estimators"] =
      Json::parse(R"({"slow wls": {"type": "wls", "reweightings": 1}, "ols": {}, "wls": {}})");
  json["sweep"][0]["set"]["/sensors/joint_torque/noise_std_nm"] = {0.05, 0.1, 0.2};
  const std::string after = Records(json, folder / "after");
  for (const char* label : {"ols", "wls"}) {
    for (const int cell : {0, 1}) {
      CHECK(Select(before, cell, label).size() == 9);
      CHECK(Select(before, cell, label) == Select(after, cell + 1, label));
    }
  }
}

TEST_CASE("The expanded scenario of a run folder reproduces its records") {
  const TemporaryFolder folder;
  const std::string records = Records(Description(), folder / "first");
  const Json manifest = ReadJsonFile(folder / "first" / "manifest.json");
  CHECK(Records(manifest["scenario"], folder / "second") == records);
}

TEST_CASE("Cells with other noise share their draws: the error scales with the noise") {
  const TemporaryFolder folder;
  const std::string records = Records(Description(), folder / "r");
  const auto quiet = Select(records, 0, "ols");
  const auto loud = Select(records, 1, "ols");
  for (std::size_t k = 0; k < quiet.size(); ++k) {
    const auto error = [](const std::string& line) {
      return Json::parse(line)["metrics"]["base_parameter_relative_error"]["value"].get<double>();
    };
    // Twice the noise, linear least squares: twice the error, to the rounding of the solution.
    CHECK(error(loud[k]) == doctest::Approx(2.0 * error(quiet[k])).epsilon(1e-8));
  }
}

TEST_CASE("Without noise least squares finds the truth to 1e-9") {
  const TemporaryFolder folder;
  Json json = Description();
  json["sensors"]["joint_torque"]["noise_std_nm"] = 0;
  json["sweep"] = Json::array();
  const std::string exact = Records(json, folder / "exact");
  for (const char* label : {"ols", "wls"}) {
    for (const std::string& line : Select(exact, 0, label)) {
      CHECK(Json::parse(line)["metrics"]["base_parameter_relative_error"]["value"].get<double>() <
            1e-9);
    }
  }
}

TEST_CASE("A motion drawn per trial gives every trial its own roll-out") {
  const TemporaryFolder folder;
  Json json = Description();
  json["sweep"] = Json::array();
  json["trials"] = 3;
  json["experiments"]["identification"]["motion"]["draw"] = "trial";
  std::set<std::string> rollouts;
  for (const std::string& line : Select(Records(json, folder / "r"), 0, "ols")) {
    rollouts.insert(Json::parse(line)["rollout"].get<std::string>());
  }
  CHECK(rollouts.size() == 3);
}

TEST_CASE("A failed estimate is a record with its reason, and the run goes on") {
  const TemporaryFolder folder;
  Json json = Description();
  json["problem"]["parametrisation"]["type"] = "standard";
  json["sweep"] = Json::array();
  const auto lines = Select(Records(json, folder / "r"), 0, "ols");
  REQUIRE(lines.size() == 9);
  const Json record = Json::parse(lines[0]);
  CHECK(record["outcome"] == "rank_deficient");
  CHECK(record["reason"].get<std::string>().find("the data determine") == 0);
  CHECK(record["metrics"].empty());
}

TEST_CASE("A trial whose robot diverges is a failed record of every estimator") {
  const TemporaryFolder folder;
  Json json = Description();
  json["sweep"] = Json::array();
  json["trials"] = 2;
  json["plant"] = {{"type", "mujoco"}, {"max_steps", 10}};
  json["control"] = {{"type", "computed_torque"}, {"model", "truth"}};
  json["experiments"]["identification"]["motion"]["draw"] = "trial";
  const auto lines = Select(Records(json, folder / "r"), 0, "wls");
  REQUIRE(lines.size() == 2);
  const Json record = Json::parse(lines[1]);
  CHECK(record["outcome"] == "plant_failed");
  CHECK(record["reason"] == "the experiment takes more than max_steps = 10 steps of 0.00025 s");
  CHECK(record["metrics"].empty());
}

TEST_CASE("A motion of the whole cell that fails is refused before anything is written") {
  const TemporaryFolder folder;
  Json json = Description();
  json["plant"] = {{"type", "mujoco"}, {"max_steps", 10}};
  json["control"] = {{"type", "computed_torque"}, {"model", "truth"}};
  std::string message;
  try {
    RunScenario(Load(json), {.folder = folder / "r", .jobs = 1});
  } catch (const ConfigError& error) {
    message = error.what();
  }
  CHECK(message ==
        "test: /experiments/identification: the experiment takes more than max_steps = 10 steps of "
        "0.00025 s\n  in the sweep's noise 0.1");
  CHECK_FALSE(std::filesystem::exists(folder / "r"));
}

TEST_CASE("A folder that holds a run is not overwritten, and only its own run goes on in it") {
  const TemporaryFolder folder;
  Records(Description(), folder / "r");
  const auto message = [&](const Json& json, bool resume) -> std::string {
    try {
      RunScenario(Load(json), {.folder = folder / "r", .jobs = 1, .resume = resume});
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(message(Description(), false) ==
        (folder / "r").string() +
            ": holds a run already\n"
            "  give another --out, remove the folder, or go on with --resume");
  CHECK(message(Description(), true).empty());
  Json other = Description();
  other["seed"] = 2;
  CHECK(message(other, true) ==
        (folder / "r").string() +
            ": holds another run\n"
            "  the first difference is at /scenario/seed of manifest.json\n"
            "  --resume goes on with the same scenario on the same kind of machine");
}

TEST_CASE("A kept series reads back as a recording, bit for bit") {
  const TemporaryFolder folder;
  Json json = Description();
  json["sweep"] = Json::array();
  Records(json, folder / "r");
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  const CellContext context(loaded, loaded.cells[0], rollouts);
  const Dataset simulated = context.Run(0).datasets[0];

  Json recording = ParseJson(R"({
    "name": "again", "robot": {"model": "planar2"},
    "recording": {"columns": {"time": "t_s", "joint_position": "q{1..2}_rad", "joint_velocity": "qd{1..2}_rad_s",
      "joint_acceleration": "qdd{1..2}_rad_s2", "joint_torque": "tau{1..2}_nm"}},
    "experiments": {"a": {"file": "cell0_identification_trial0.csv"}}, "estimators": {"ols": {}}})",
                             "recording");
  recording["recording"]["root"] = (folder / "r" / "series").string();
  const LoadedScenario again = Load(recording);
  const CellContext replay(again, again.cells[0], rollouts);
  const Dataset read = replay.Run(0).datasets[0];
  for (const std::string_view channel :
       {kJointPosition, kJointVelocity, kJointAcceleration, kJointTorque}) {
    CHECK(read.Get(channel).samples == simulated.Get(channel).samples);
    CHECK(read.Get(channel).time_s == simulated.Get(channel).time_s);
  }
}

TEST_CASE("A base wrench is measured, kept and read back") {
  const TemporaryFolder folder;
  Json json = Description();
  json["sweep"] = Json::array();
  json["sensors"]["base_wrench"] = {{"origin", "measured"}, {"noise_peak_fraction", 0.01}};
  Records(json, folder / "r");
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  const CellContext context(loaded, loaded.cells[0], rollouts);
  const Channel simulated = context.Run(0).datasets[0].Get(kBaseWrench);
  REQUIRE(simulated.samples.cols() == 6);
  CHECK(simulated.sigma.size() == 6);

  Json recording = ParseJson(R"({
    "name": "again", "robot": {"model": "planar2"},
    "recording": {"columns": {"time": "t_s", "joint_position": "q{1..2}_rad", "joint_velocity": "qd{1..2}_rad_s",
      "joint_acceleration": "qdd{1..2}_rad_s2", "joint_torque": "tau{1..2}_nm",
      "base_wrench": "f{x,y,z}_n, m{x,y,z}_nm"}},
    "experiments": {"a": {"file": "cell0_identification_trial0.csv"}}, "estimators": {"ols": {}}})",
                             "recording");
  recording["recording"]["root"] = (folder / "r" / "series").string();
  const LoadedScenario again = Load(recording);
  const CellContext replay(again, again.cells[0], rollouts);
  CHECK(replay.Run(0).datasets[0].Get(kBaseWrench).samples == simulated.samples);
}

TEST_CASE("The true joints decide truth and roll-out, and what no model has is marked") {
  Json json = Description();
  json["sweep"] = Json::parse(R"([{"name": "truth", "values": ["set", "own", "Stribeck"], "set": {
      "/robot/truth/friction/coulomb_nm": [null, 3, null],
      "/robot/truth/friction/stribeck_excess_nm": [0, 0, 1]}}])");
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  std::vector<std::unique_ptr<CellContext>> cells;
  for (const Cell& cell : loaded.cells) {
    cells.push_back(std::make_unique<CellContext>(loaded, cell, rollouts));
  }
  const int fc = ParameterLayout(2).Joint(1, JointParameter::kCoulomb);
  CHECK((*cells[0]->true_pi())[fc] == 0.6);
  CHECK((*cells[1]->true_pi())[fc] == 3.0);
  CHECK((*cells[2]->true_pi())[fc] == 0.6);
  const std::string rollout = cells[0]->Run(0).rollout;
  CHECK(cells[1]->Run(0).rollout != rollout);
  CHECK(cells[2]->Run(0).rollout != rollout);
  const std::string mark = "in the true robot, but not in the model: Stribeck friction";
  CHECK(std::ranges::count(cells[0]->marks(), mark) == 0);
  CHECK(std::ranges::count(cells[2]->marks(), mark) == 1);
}

TEST_CASE("Payload events make a roll-out of their own, which others do not see") {
  const TemporaryFolder folder;
  Json json = Description();
  json["sweep"] = Json::parse(
      R"([{"name": "mass", "set": {"/experiments/identification/events/0/mass_kg": [1, 2]}}])");
  json["experiments"]["validation"] = json["experiments"]["identification"];
  json["experiments"]["validation"]["role"] = "validation";
  json["experiments"]["identification"]["events"] =
      Json::parse(R"([{"type": "attach", "at_s": 1, "mass_kg": 1, "com_m": [0, 0, -0.3]}])");
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  const CellContext light(loaded, loaded.cells[0], rollouts);
  const CellContext heavy(loaded, loaded.cells[1], rollouts);
  const TrialData one = light.Run(0), two = heavy.Run(0);
  CHECK(one.rollout != two.rollout);
  const Eigen::MatrixXd torque_one = one.datasets[0].Get(kJointTorque).samples;
  const Eigen::MatrixXd torque_two = two.datasets[0].Get(kJointTorque).samples;
  CHECK(torque_one.topRows(100) == torque_two.topRows(100));
  CHECK(torque_one.bottomRows(100) != torque_two.bottomRows(100));
  CHECK(one.datasets[1].Get(kJointTorque).samples == two.datasets[1].Get(kJointTorque).samples);
}

TEST_CASE("Motors are measured behind their gears, and kept in the series") {
  const TemporaryFolder folder;
  Json json = Description();
  json["sweep"] = Json::array();
  json["robot"]["truth"] =
      Json::parse(R"({"motor": {"gear_ratio": [100, 50], "torque_constant_nm_a": 0.05}})");
  json["sensors"] = Json::parse(R"({"joint_torque": {"origin": "oracle"},
      "motor_torque": {"origin": "oracle"},
      "motor_current": {"origin": "measured", "noise_peak_fraction": 0.01}})");
  Records(json, folder / "r");
  const LoadedScenario loaded = Load(json);
  RolloutStore rollouts;
  const CellContext context(loaded, loaded.cells[0], rollouts);
  const Dataset dataset = context.Run(0).datasets[0];
  const Eigen::MatrixXd& tau = dataset.Get(kJointTorque).samples;
  CHECK(dataset.Get(kMotorTorque).samples(7, 0) == tau(7, 0) / 100.0);
  CHECK(dataset.Get(kMotorCurrent).sigma[1] > 0.0);
  const std::string series = ReadAll(folder / "r" / "series" / "cell0_identification_trial0.csv");
  CHECK(series.find("tau_motor1_nm,tau_motor2_nm,i1_a,i2_a") != std::string::npos);
}

TEST_CASE("Two estimators in one folder are timed as often as the scenario says") {
  const TemporaryFolder folder;
  Records(Description(), folder / "r");
  std::istringstream lines(ReadAll(folder / "r" / "timings.jsonl"));
  std::map<std::string, int> counts;
  for (std::string line; std::getline(lines, line);) {
    const Json timing = Json::parse(line);
    CHECK(timing["estimate_ms"].get<double>() >= 0.0);
    ++counts[timing["cell"].dump() + timing["estimator"].get<std::string>()];
  }
  CHECK(counts == std::map<std::string, int>{{"0ols", 2}, {"0wls", 2}, {"1ols", 2}, {"1wls", 2}});
}

}  // namespace
}  // namespace idbench
