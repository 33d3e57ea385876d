#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <sstream>

#include "bench/small_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

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
  const Json shorter = OnlineDescription(1.0);
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
  CHECK(compared == 2 * 4 * 26);
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
  CHECK(message() ==
        "test: /estimators/map: needs a positive declared σ of joint_torque\n"
        "test: /estimators/sigmoid_ekf: needs a positive declared σ of joint_torque\n"
        "test: /estimators/ekf: needs a positive declared σ of joint_torque");
  Json without_torque = recording;
  without_torque["recording"]["columns"].erase("joint_torque");
  std::swap(recording, without_torque);
  CHECK(message() ==
        "test: /problem/equations: joint_torque needs the channel 'joint_torque', which nobody "
        "measures\n  name its columns in /recording/columns/joint_torque");
  std::swap(recording, without_torque);
  recording["recording"]["declared_sigma"] = {{"joint_torque_nm", 0.1}};
  std::istringstream recorded(Records(recording, folder / "recorded"));
  int compared = 0;
  for (std::string a, b; std::getline(simulated, a) && std::getline(recorded, b); ++compared) {
    CHECK(Json::parse(a)["x"] == Json::parse(b)["x"]);  // the log holds every digit
    CHECK(Json::parse(b)["metrics"].contains("joint_torque_rmse_over_sigma@run"));
  }
  CHECK(compared == 4);
}

TEST_CASE("Updates of online estimators are timed one by one, and allocate nothing") {
  const TemporaryFolder folder;
  Json json = OnlineDescription(2.0);
  json["deadline_rate_hz"] = 1e9;
  Records(json, folder / "r");
  std::istringstream lines(ReadText(folder / "r" / "timings.jsonl"));
  std::map<std::string, Json> timings;
  for (std::string line; std::getline(lines, line);) {
    const Json timing = Json::parse(line);
    timings[timing["estimator"]] = timing;
  }
  CHECK(timings.size() == 4);
  for (const char* label : {"prior_only", "map"}) CHECK_FALSE(timings[label].contains("updates"));
  CHECK(timings["map"]["estimate_allocations"] > 0);
  CHECK(timings["map"]["estimate_cpu_ms"] > 0);
  for (const char* label : {"sigmoid_ekf", "ekf"}) {
    const Json& timing = timings[label];
    CHECK(timing["update_us"].size() == 200);
    CHECK(timing["updates"] == 200);
    CHECK(timing["update_allocations"] == 0);
    CHECK(timing["deadline_rate_hz"] == 1e9);
    CHECK(timing["deadline_misses"] > 150);  // no update takes less than a nanosecond
  }
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

}  // namespace
}  // namespace idbench
