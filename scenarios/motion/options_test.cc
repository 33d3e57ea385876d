#include "scenarios/motion/options.h"

#include <doctest/doctest.h>

#include <vector>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

template <class T>
T Read(const char* text, std::vector<Issue>& issues) {
  T options;
  Binding<T>::Read(Json::parse(text), "", {}, options, issues);
  return options;
}

TEST_CASE("Control is computed torque unless the file says otherwise") {
  std::vector<Issue> issues;
  CHECK(std::get<ComputedTorqueOptions>(Read<ControlOptions>("{}", issues)) ==
        ComputedTorqueOptions());
  const ControlOptions replay = Read<ControlOptions>(R"({"type": "exact_replay"})", issues);
  CHECK(std::holds_alternative<ExactReplayOptions>(replay));
  CHECK(issues.empty());
}

TEST_CASE("Exact replay has no options") {
  std::vector<Issue> issues;
  Read<ControlOptions>(R"({"type": "exact_replay", "rate_hz": 100})", issues);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].where == "/rate_hz");
  CHECK(issues[0].what == "unknown key");
}

TEST_CASE("Motion options survive being written and read") {
  const MotionOptions written =
      FourierOptions{.harmonics = 3, .design_duration_s = 20.0, .draw = Draw::kTrial};
  std::vector<Issue> issues;
  const MotionOptions read = Read<MotionOptions>(WriteValue(written).dump().c_str(), issues);
  CHECK(issues.empty());
  CHECK(read == written);
}

}  // namespace
}  // namespace idbench
