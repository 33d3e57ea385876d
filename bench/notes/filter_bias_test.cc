#include "bench/notes/filter_bias.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "bench/cell/prepared_cell.h"
#include "bench/metrics/planar_metrics_test.h"

namespace idbench {
namespace {

/// What the marks say of the bias; "" if nothing.
std::string BiasMark(const char* channels, double coulomb_nm) {
  Json json = ParseJson(R"({"robot": {"truth": {"friction": {"viscous_nms_rad": 1}}},
      "experiments": {"identification": {"motion": {"base_frequency_hz": 0.2, "duration_s": 10}}},
      "processing": {"lowpass": {"cutoff_hz": 5}}})",
                        "bias");
  json["robot"]["truth"]["friction"]["coulomb_nm"] = coulomb_nm;
  json["processing"]["lowpass"]["channels"] = ParseJson(channels, "channels");
  const LoadedScenario loaded = PlanarScenario(json.dump().c_str());
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  const auto mark = std::ranges::find_if(context.marks(), [](const std::string& text) {
    return text.starts_with("σ does not cover the bias");
  });
  return mark == context.marks().end() ? "" : *mark;
}

constexpr const char* kAll =
    R"(["joint_position", "joint_velocity", "joint_acceleration", "joint_torque"])";

TEST_CASE("A filter above the motion's band on both sides leaves no bias") {
  CHECK(BiasMark(kAll, 0.0).empty());
}

TEST_CASE("Coulomb friction is broadband: a filter biases it, and σ does not cover that") {
  const std::string mark = BiasMark(kAll, 3.0);
  CHECK(mark.find("bᵀP⁻¹b/n is ") != std::string::npos);
  CHECK(mark.find("above 0.05; the most is that of joint") != std::string::npos);
}

TEST_CASE("Torques filtered alone have no Coulomb friction as unfiltered velocities have it") {
  CHECK_FALSE(BiasMark(R"(["joint_torque"])", 3.0).empty());
}

}  // namespace
}  // namespace idbench
