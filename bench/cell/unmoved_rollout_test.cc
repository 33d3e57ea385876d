#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "bench/cell/prepared_cell.h"
#include "bench/metrics/metrics.h"
#include "scenarios/file/extended_scenario.h"
#include "scenarios/options/json.h"

/// What is changed in a scenario changes only what it names: how the robot moves is not a matter of
/// what is estimated, how, and from which readings.
namespace idbench {
namespace {

struct Change {
  const char* pointer;
  const char* value;
};
constexpr Change kChanges[] = {
    {"/problem/parametrisation/friction", R"(["viscous", "coulomb"])"},
    {"/problem/parametrisation/rotor_inertia", "true"},
    {"/problem/parametrisation", R"({"type": "base"})"},
    {"/problem/equations", R"(["joint_torque"])"},
    {"/problem/equations", R"(["joint_torque", "base_wrench"])"},
    {"/problem/prior/relative_std", "0.07"},
    {"/problem/prior/mass_scale", "0.7"},
    {"/estimators", R"({"prior_only": {}})"},
    {"/metrics", R"(["joint_torque_rmse_nm"])"},
    {"/processing", R"({"lowpass": {"cutoff_hz": 20}})"},
    {"/sensors/joint_torque", R"({"noise_std_nm": 0.3, "bias_nm": 0.1})"},
    {"/sensors/base_wrench", R"({"origin": "oracle"})"},
};

/// A scenario whose motions take a second, with what does not matter here left out.
Json Short(const std::filesystem::path& file) {
  Json json = ReadJsonFile(file);
  ExtendScenario(file.parent_path(), file.string(), json);
  if (!json.is_object() || !json.contains("experiments") || json.contains("recording")) return {};
  for (const char* key :
       {"sweep", "tables", "gate", "metrics", "evaluate_at_s", "windows", "keep_series"}) {
    json.erase(key);
  }
  for (auto& [label, experiment] : json["experiments"].items()) {
    experiment.erase("events");
    experiment.erase("environment");
    if (!experiment.contains("motion") || experiment["motion"].value("type", "") != "fourier")
      continue;
    for (const char* key : {"start_q_rad", "rest_s", "blend_s", "design"})
      experiment["motion"].erase(key);
    experiment["motion"]["duration_s"] = 1;
  }
  json["trials"] = 1;
  return json;
}

/// Positions, velocities and accelerations of each experiment of trial 0; nothing if the scenario
/// is refused.
std::vector<Eigen::MatrixXd> Moved(Json json, const Change* change) {
  std::vector<Override> overrides;
  if (change != nullptr) overrides.push_back({change->pointer, change->value});
  std::vector<Eigen::MatrixXd> moved;
  try {
    const LoadedScenario loaded = LoadScenario(std::move(json), "test", overrides, AllMetrics());
    RolloutStore rollouts;
    const PreparedCell cell(loaded, loaded.cells.front(), rollouts);
    const TrialData data = cell.Run(0);
    for (const Signals* clean : data.clean) {
      for (const auto channel : {kJointPosition, kJointVelocity, kJointAcceleration}) {
        moved.push_back((*clean)[channel]);
      }
    }
  } catch (const ConfigError&) {
    return {};
  }
  return moved;
}

/// A controller that calculates with the prior moves the robot as the prior tells it to.
bool MayMove(const Json& scenario, const Change& change) {
  if (!std::string(change.pointer).starts_with("/problem/prior/mass")) return false;
  return scenario.contains("control") && scenario["control"].value("model", "prior") == "prior" &&
         scenario["control"].value("type", "computed_torque") != "exact_replay" &&
         scenario["control"].value("type", "computed_torque") != "torque_replay";
}

TEST_CASE("What is asked, read, filtered and measured does not change how a robot moves") {
  std::vector<int> compared(std::size(kChanges), 0);
  int moved_by_prior = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(IDBENCH_SOURCE_SCENARIOS)) {
    if (entry.path().extension() != ".json") continue;
    const Json scenario = Short(entry.path());
    if (scenario.is_null()) continue;
    const std::vector<Eigen::MatrixXd> before = Moved(scenario, nullptr);
    CAPTURE(entry.path().string());
    REQUIRE(!before.empty());
    for (std::size_t k = 0; k < std::size(kChanges); ++k) {
      const Change& change = kChanges[k];
      const std::vector<Eigen::MatrixXd> after = Moved(scenario, &change);
      if (after.empty()) continue;
      CAPTURE(change.pointer);
      CAPTURE(change.value);
      if (MayMove(scenario, change)) {
        CHECK(after != before);
        ++moved_by_prior;
      } else {
        CHECK(after == before);
        ++compared[k];
      }
    }
  }
  // A change that every scenario refuses compares nothing.
  for (std::size_t k = 0; k < std::size(kChanges); ++k) {
    CAPTURE(std::string(kChanges[k].pointer));
    CAPTURE(std::string(kChanges[k].value));
    CHECK(compared[k] >= 1);
  }
  CHECK(moved_by_prior >= 1);
}

TEST_CASE("A motion that is designed by the problem changes with it, as it always did") {
  Json json = ParseJson(R"({
    "name": "d", "robot": {"model": "planar3"}, "control": {"type": "exact_replay"},
    "experiments": {"identification": {"motion": {"type": "fourier", "duration_s": 2, "candidates": 20}}},
    "problem": {"parametrisation": {"type": "base"}, "prior": {"mass_scale": 1.2}},
    "estimators": {"ols": {}}, "trials": 1})",
                        "test");
  const Change friction{"/problem/parametrisation/friction", R"(["viscous", "coulomb", "offset"])"};
  Json& motion = json["experiments"]["identification"]["motion"];
  REQUIRE(!Moved(json, &friction).empty());
  CHECK(Moved(json, &friction) == Moved(json, nullptr));
  const std::vector<Eigen::MatrixXd> by_torque = Moved(json, nullptr);
  motion["design"] = nullptr;
  CHECK(Moved(json, nullptr) == by_torque);
  CHECK(Moved(json, &friction) != by_torque);
  const std::vector<Eigen::MatrixXd> by_problem = Moved(json, &friction);
  motion["design"] = ParseJson(R"({"friction": ["viscous", "coulomb", "offset"]})", "test");
  CHECK(Moved(json, nullptr) == by_problem);
}

}  // namespace
}  // namespace idbench
