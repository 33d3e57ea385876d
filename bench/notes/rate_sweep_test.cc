#include "bench/notes/rate_sweep.h"

#include <doctest/doctest.h>

#include "bench/metrics/planar_metrics_test.h"

namespace idbench {
namespace {

using Sentences = std::vector<std::string>;

/// Notes on a scenario with such estimators and such a sweep.
Sentences NotesOn(const char* estimators, const char* sweep, const char* more = "{}") {
  Json json = ParseJson(R"({"problem": {"prior": {"relative_std": 0.5},
                            "parametrisation": {"type": "standard"}}})",
                        "test");
  json["estimators"] = ParseJson(estimators, "test");
  json["sweep"] = ParseJson(sweep, "test");
  json.merge_patch(ParseJson(more, "test"));
  json["estimators"]["ols"] = nullptr;  // what PlanarScenario() has
  return RateSweepNotes(PlanarScenario(json.dump().c_str()));
}

TEST_CASE("A sweep over the rate that holds an option per sample is told, and no other") {
  const char* rates = R"([{"name": "rate", "set": {"/sensors/rate_hz": [100, 200]}}])";
  const Sentences told = NotesOn(R"({"filter": {"type": "ekf", "process_noise": 1e-3}})", rates);
  CHECK(
      told ==
      Sentences{"the sweep changes the rate (100 to 200 Hz), and /estimators/filter/process_noise "
                "keeps 0.001 (1/sample), whose effect changes with it: Process noise added to the "
                "covariance at each sample, as a fraction of the initial covariance; "
                "process_noise_per_s does not depend on the rate"});
  CHECK(NotesOn(R"({"ekf": {"process_noise": 0}, "map": {}})", rates).empty());
  CHECK(NotesOn(R"({"ekf": {"process_noise": 1e-3}})",
                R"([{"name": "noise", "set": {"/sensors/joint_torque/noise_std_nm": [0.1, 0.2]}}])")
            .empty());
  // The option goes with the rate.
  CHECK(NotesOn(R"({"ekf": {"process_noise": 1e-3}})",
                R"([{"name": "rate", "set": {"/sensors/rate_hz": [100, 200],
                    "/estimators/ekf/process_noise": [1e-3, 5e-4]}}])")
            .empty());
  // Estimators get one rate all the same, or several by /processing.
  CHECK(NotesOn(R"({"ekf": {"process_noise": 1e-3}})", rates,
                R"({"processing": {"resample_rate_hz": 100}})")
            .empty());
  CHECK(NotesOn(R"({"ekf": {"process_noise": 1e-3}})",
                R"([{"name": "rate", "set": {"/processing/decimate_to_hz": [50, 100]}}])")
            .size() == 1);
}

TEST_CASE("An option in samples or shares of the rate is told with the one that takes its place") {
  LoadedScenario loaded = PlanarScenario();
  loaded.cells = {loaded.cells[0], loaded.cells[0]};
  loaded.cells[1].scenario.sensors->rate_hz = 2.0 * loaded.cells[0].scenario.sensors->rate_hz;
  const auto notes_with = [&loaded](const char* options) {
    for (Cell& cell : loaded.cells) {
      cell.scenario.estimators = {{"walker", {"wls_fcd", JsonValue(ParseJson(options, "test"))}}};
    }
    return RateSweepNotes(loaded);
  };
  CHECK(notes_with(R"({"half_power_hz": 10})").empty());
  const Sentences told = notes_with(R"({"half_power": 0.1})");
  REQUIRE(told.size() == 1);
  CHECK(told[0].find("/estimators/walker/half_power keeps 0.1 (half the rate)") !=
        std::string::npos);
  CHECK(told[0].find("Former spelling of half_power_hz") != std::string::npos);
}

}  // namespace
}  // namespace idbench
