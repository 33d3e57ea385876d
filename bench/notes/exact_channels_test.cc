#include "bench/notes/exact_channels.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "bench/cell/prepared_cell.h"
#include "bench/metrics/metric_table.h"
#include "scenarios/options/json.h"
#include "scenarios/problem/problem_builder.h"

namespace idbench {
namespace {

/// The note on planar2 with exact states but for what `more` says.
std::string NoteOnArm(const char* more) {
  Json json = ParseJson(R"({
    "name": "m", "control": {"type": "exact_replay"}, "robot": {"model": "planar2"},
    "experiments": {"slow": {"motion": {"type": "fourier", "base_frequency_hz": 1, "duration_s": 1, "candidates": 1}}},
    "sensors": {"joint_torque": {"noise_std_nm": 0.1}},
    "problem": {"prior": {"relative_std": 0.1}},
    "estimators": {"ols": {}, "prior": {"type": "prior_only"}, "rls": {}}, "trials": 2})",
                        "test");
  json.merge_patch(ParseJson(more, "more"));
  const LoadedScenario loaded = LoadScenario(json, "test", {}, AllMetrics());
  RolloutStore rollouts;
  const PreparedCell cell(loaded, loaded.cells[0], rollouts);
  return ExactChannelsNote(cell.scenario(), cell.problem(), cell.sensors());
}

const std::string kConsequence =
    "; estimates may be biased, no σ of theirs counts it, and no ratio to a bound tells of "
    "efficiency";

TEST_CASE("Methods that take noisy or rounded states as exact are named once, with these") {
  CHECK(NoteOnArm("{}").empty());
  CHECK(NoteOnArm(R"({"sensors": {"joint_position": {"origin": "measured"}}})").empty());
  CHECK(NoteOnArm(R"({"sensors": {
          "joint_position": {"origin": "measured", "noise_std_rad": [0, 1e-3], "quantisation_rad": 2e-4},
          "joint_velocity": {"origin": "measured", "noise_std_rad_s": 0.02}}})") ==
        "ols, rls take as exact what is not: joint_position (σ up to 0.001 rad, steps up to 0.0002 "
        "rad), joint_velocity (σ up to 0.02 rad/s)" +
            kConsequence);
  CHECK(NoteOnArm(R"({"sensors": {"joint_position": {"origin": "measured", "noise_std_rad": 1e-3}},
                      "estimators": {"rls": null, "prior": null}})") ==
        "ols takes as exact what is not: joint_position (σ up to 0.001 rad)" + kConsequence);
}

TEST_CASE("What is derived from a channel is as exact as that") {
  CHECK(NoteOnArm(R"({"sensors": {"joint_position": {"origin": "measured"},
                                  "joint_velocity": {"origin": "measured", "noise_std_rad_s": 0.1}},
                      "processing": {"differentiate": ["joint_velocity", "joint_acceleration"]}})")
            .empty());
  CHECK(NoteOnArm(R"({"sensors": {"joint_position": {"origin": "measured"},
                                  "joint_velocity": {"origin": "measured", "noise_std_rad_s": 0.1}},
                      "processing": {"differentiate": ["joint_acceleration"],
                                     "acceleration_from": "joint_velocity"}})") ==
        "ols, rls take as exact what is not: joint_velocity (σ up to 0.1 rad/s)" + kConsequence);
}

TEST_CASE("Of a walker the angles of the driven joints are taken as exact, and that of q1 is not") {
  const auto note_on_walker = [](const char* sensors) {
    Json json = ParseJson(R"({
      "name": "w", "robot": {"model": "biped3"},
      "experiments": {"identification": {"control": {"type": "torque_replay", "duration_s": 0.3,
        "q_rad": [-0.25, 3.6, 0.7], "qd_rad_s": [1, 1, -0.3],
        "actuators": {"hip_stance": {"amplitude_nm": [12], "frequency_hz": [1.7]},
                      "hip_swing": {"amplitude_nm": [8], "frequency_hz": [2.3]}}}}},
      "sensors": {"rate_hz": 200, "joint_position": {"joints": {"q1": {"noise_std_rad": 1e-3}}},
                  "actuator_torque": {"origin": "measured", "noise_std_nm": 0.3},
                  "joint_velocity": {"origin": "absent"}, "joint_acceleration": {"origin": "absent"},
                  "joint_torque": {"origin": "absent"}},
      "problem": {"parametrisation": {"type": "planar_lagrangian"}, "prior": {}},
      "estimators": {"zd_ml": {}, "mle": {}}, "trials": 2})",
                          "test");
    json["sensors"].merge_patch(ParseJson(sensors, "sensors"));
    const LoadedScenario loaded = LoadScenario(json, "test", {}, AllMetrics());
    RolloutStore rollouts;
    const PreparedCell cell(loaded, loaded.cells[0], rollouts);
    return ExactChannelsNote(cell.scenario(), cell.problem(), cell.sensors());
  };
  CHECK(note_on_walker("{}").empty());
  CHECK(note_on_walker(R"({"joint_position": {"noise_std_rad": 1e-4}})") ==
        "zd_ml, mle take as exact what is not: joint_position (σ up to 0.0001 rad) of the joints "
        "that motors drive" +
            kConsequence);
}

TEST_CASE("A walker's method that reads Hall encoders takes their angles as exact") {
  const LoadedScenario loaded = LoadScenario(
      std::filesystem::path(IDBENCH_SOURCE_SCENARIOS) / "dolinsky2018" / "leg_hall.json", {},
      AllMetrics());
  RolloutStore rollouts;
  const PreparedCell cell(loaded, loaded.cells.back(), rollouts);
  Scenario scenario = cell.scenario();
  std::erase_if(scenario.estimators,
                [](const auto& estimator) { return estimator.first != "WLS-Hall"; });
  const std::string note = ExactChannelsNote(scenario, cell.problem(), cell.sensors());
  CHECK(note.find("hall_position (") != std::string::npos);
  CHECK(note.find("joint_position") == std::string::npos);
}

TEST_CASE("Of a recording a declared σ is told") {
  const Problem problem = BuildProblem(LoadRobot("planar2"), {}, "test");
  Scenario scenario;
  scenario.recording.emplace();
  scenario.estimators = {{"ols", {"ols"}}};
  CHECK(ExactChannelsNote(scenario, problem, nullptr).empty());
  scenario.recording->declared_sigma[kJointPosition] = PerJoint{{1e-3}};
  CHECK(ExactChannelsNote(scenario, problem, nullptr) ==
        "ols takes as exact what is not: joint_position (σ declared)" + kConsequence);
}

}  // namespace
}  // namespace idbench
