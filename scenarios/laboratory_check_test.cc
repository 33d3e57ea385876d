#include "scenarios/laboratory_check.h"

#include <doctest/doctest.h>

#include "scenarios/loaded_test.h"

namespace idbench {
namespace {

Json RodsSimulation() {
  return ParseJson(R"({
    "name": "s", "robot": {"model": "rods2"},
    "plant": {"timestep_s": 0.018}, "control": {"type": "exact_replay"},
    "experiments": {"identification": {"motion": {"type": "fourier"}}},
    "sensors": {"rate_hz": 55.55555555555556, "joint_position": {"origin": "measured"},
                "joint_torque": {"noise_std_nm": 0.1}},
    "problem": {"parametrisation": {"type": "planar_lagrangian"}, "prior": {"mass_scale": 1.2}},
    "estimators": {"dino": {}}, "trials": 3})",
                   "simulation");
}

TEST_CASE("Estimators that experiment are told from those that read data") {
  Json json = RodsSimulation();
  json["estimators"]["ground"] = {{"type", "prior_only"}};
  const LoadedScenario loaded = LoadSmall(json);
  CHECK(ActiveEstimators(loaded.scenario) == std::vector<std::string>{"dino"});
  CHECK(LoadMessage(json, {}).empty());
}

TEST_CASE("A recording is no plant, and needs no laboratory") {
  const TemporaryFolder folder;
  Json json = SmallRecording(folder);
  json["estimators"] = {{"dino", Json::object()}};
  json["laboratory"] = {{"rate_hz", 100}};
  CHECK(LoadMessage(json) ==
        "test.json: /estimators/dino: makes experiments of its own, and a recording cannot be "
        "moved\n  leave it out, or remove /recording to simulate\n"
        "test.json: /laboratory: not for a recording\n"
        "  remove it, or remove /recording to simulate");
}

TEST_CASE("A laboratory takes rates of the simulation, and reads positions by a sensor") {
  Json json = RodsSimulation();
  json["laboratory"] = {{"rate_hz", 50}};
  CHECK(LoadMessage(json).find(
            "test.json: /laboratory/rate_hz: a rate of 50 Hz does not divide the plant's") == 0);
  json = RodsSimulation();
  json["sensors"]["joint_position"] = {{"origin", "oracle"}};
  CHECK(LoadMessage(json) ==
        "test.json: /estimators/dino: makes experiments of its own, and needs measured joint "
        "positions; those here are oracle\n"
        "  set /sensors/joint_position/origin to \"measured\"");
}

TEST_CASE("A laboratory that nobody uses is refused") {
  Json json = RodsSimulation();
  json["estimators"] = {{"prior_only", Json::object()}};
  CHECK(LoadMessage(json).empty());
  json["laboratory"] = Json::object();
  CHECK(LoadMessage(json) ==
        "test.json: /laboratory: no estimator makes experiments of its own\n"
        "  remove it, or name one that does, as \"dino\"");
}

TEST_CASE("Times of recorded data say nothing of experiments of one's own") {
  Json json = RodsSimulation();
  json["evaluate_at_s"] = {1.0};
  CHECK(LoadMessage(json).find("test.json: /evaluate_at_s: are times of recorded data, and dino "
                               "makes experiments of its own\n") == 0);
}

}  // namespace
}  // namespace idbench
