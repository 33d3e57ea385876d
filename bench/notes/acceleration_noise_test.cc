#include "bench/notes/acceleration_noise.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "bench/cell/prepared_cell.h"
#include "bench/metrics/metric_table.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// What is told of planar2 whose encoders have that noise, with that processing.
std::string ToldOfNoise(double sigma_rad, const char* processing) {
  const std::string text = fmt::format(
      R"({{"name": "m", "robot": {{"model": "planar2"}}, "control": {{"type": "exact_replay"}},
    "experiments": {{"a": {{"motion": {{"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 4, "candidates": 1}}}}}},
    "sensors": {{"rate_hz": 500, "joint_position": {{"origin": "measured", "noise_std_rad": {}}}, "joint_torque": {{"noise_std_nm": 0.1}}}},
    "processing": {}, "problem": {{}}, "estimators": {{"ols": {{}}}}}})",
      sigma_rad, processing);
  const LoadedScenario loaded = LoadScenario(ParseJson(text, "test"), "test", {}, AllMetrics());
  RolloutStore rollouts;
  const PreparedCell cell(loaded, loaded.cells[0], rollouts);
  std::string told = AccelerationNoiseWarning(cell.scenario(), cell.Run(0));
  CHECK((std::ranges::count(cell.warnings(), told) == 1) == !told.empty());
  return told;
}

constexpr const char* kDifferences =
    R"({"differentiate": ["joint_velocity", "joint_acceleration"]})";
constexpr const char* kLowpassed =
    R"({"differentiate": ["joint_velocity", "joint_acceleration"], "lowpass": {"cutoff_hz": 20}})";

TEST_CASE("Noise of a double difference that drowns the motion is told with what a fit loses") {
  // √6·σ·(500 Hz)² of σ = 1e-5 rad is 6.1 rad/s².
  const std::string told = ToldOfNoise(1e-5, kDifferences);
  CHECK(told.starts_with("the noise of accelerations that are differences drowns the motion: at "));
  CHECK(told.ends_with(" % too small; set /processing/lowpass above the motion's frequencies"));
}

TEST_CASE("A low-pass above the motion, or finer encoders, leave nothing to tell") {
  CHECK(ToldOfNoise(1e-5, kLowpassed) == "");
  CHECK(ToldOfNoise(1e-8, kDifferences) == "");
  CHECK(ToldOfNoise(1e-5, "{}") == "");  // accelerations are measured
  CHECK(ToldOfNoise(1e-2, kLowpassed).ends_with("lower /processing/lowpass/cutoff_hz"));
}

}  // namespace
}  // namespace idbench
