#include "scenarios/problem/robot_options.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// Reads options and returns the issues, one line each.
template <class Options>
std::string ReadOptions(const char* json, Options& options) {
  std::vector<Issue> issues;
  ReadFields(Visit(options), ParseJson(json, "test"), "", issues);
  std::string text;
  for (const Issue& issue : issues) text += issue.where + ": " + issue.what + "\n";
  return text;
}

template <class Options>
std::string IssuesReading(const char* json) {
  Options options;
  return ReadOptions(json, options);
}

TEST_CASE("What a robot's options hold is written, and read back the same") {
  RobotOptions options;
  REQUIRE(
      ReadOptions(R"({"model": "planar2", "end_effector": {"link": "link1", "point_m": [0, 0, 0.1]},
      "imu": {"link": "link2", "point_m": [0.1, 0, 0]}, "distance_meter": {"link": "link1", "axis": [1, 0, 0]},
      "truth": {"set": "heavy", "mass_scale": 1.5, "inertia_scale": 0.5, "draw": "trial",
                "mass_error": {"type": "uniform", "lower": 0, "upper": 0.1},
                "com_error": {"type": "gaussian"}, "inertia_error": {"type": "random_sign", "size": 0.1},
                "friction": {"viscous_nms_rad": [1, 2]}, "rotor_inertia_kgm2": 0.01,
                "imu_offset_m": [0, 0, 0.03]}})",
                  options) == "");
  const Json written = WriteFields(Visit(options));
  RobotOptions again;
  CHECK(ReadOptions(written.dump().c_str(), again) == "");
  CHECK(WriteFields(Visit(again)) == written);
  CHECK(again.truth == options.truth);
  // The joints' fields stand beside those of the set.
  CHECK(written["truth"]["friction"]["viscous_nms_rad"] == Json({1.0, 2.0}));
  CHECK(written["truth"]["imu_offset_m"] == Json({0.0, 0.0, 0.03}));
  CHECK(again.truth->joints.rotor_inertia_kgm2->values == std::vector<double>{0.01});
}

TEST_CASE("Scales and standard deviations are above 0, and one of 0.25 may be drawn from") {
  for (const char* name : {"mass_scale", "inertia_scale", "relative_std", "std_of_bounds"}) {
    CAPTURE(name);
    const std::string key = std::string("{\"") + name + "\": ";
    CHECK(IssuesReading<PriorOptions>((key + "0}").c_str()) != "");
    CHECK(IssuesReading<PriorOptions>((key + "-1}").c_str()) != "");
    CHECK(IssuesReading<PriorOptions>((key + "1e-9}").c_str()) == "");
  }
  const char* const declared = R"({"inertia_error": {"type": "declared"}, "relative_std": 0.25})";
  CHECK(IssuesReading<PriorOptions>(declared) == "");
  CHECK(IssuesReading<PriorOptions>(
            R"({"inertia_error": {"type": "declared"}, "std_of_bounds": 1})") ==
        "/relative_std: missing, but an error of the type \"declared\" is given\n");
}

TEST_CASE("Priors that differ in what only a prior has are different") {
  PriorOptions wide;
  wide.relative_std = 0.5;
  CHECK_FALSE(wide == PriorOptions{});
  PriorOptions scaled;
  scaled.unknown_scale = {1.0, 2.0};
  CHECK_FALSE(scaled == PriorOptions{});
  scaled.unknown_scale.clear();
  CHECK(scaled == PriorOptions{});
}

TEST_CASE("What is mounted on a link names it; a meter looks down unless told otherwise") {
  CHECK(IssuesReading<ImuOptions>(R"({"point_m": [0, 0, 0]})") != "");
  DistanceMeterOptions meter;
  CHECK(ReadOptions("{}", meter) != "");
  CHECK(ReadOptions(R"({"link": "link1"})", meter) == "");
  CHECK(meter.axis == std::vector<double>{0.0, 0.0, -1.0});
  EndEffectorOptions end;
  CHECK(ReadOptions("{}", end) == "");  // of the last link
  CHECK(IssuesReading<DistanceMeterOptions>(R"({"link": "link1", "axis": [0, 1]})") ==
        "/axis: got a list of 2\n");
}

}  // namespace
}  // namespace idbench
