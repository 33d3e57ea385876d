#include "scenarios/motion/options.h"

#include <doctest/doctest.h>

#include <string>
#include <type_traits>
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
  RandomPointOptions points{.duration_s = 300.0, .least_step_rad = 0.4, .draw = Draw::kTrial};
  points.lower_rad = PerJoint{{-1.0, 0.2}};
  points.lag_rad_s = PerJoint{{8.0}};
  points.lag_damping_ratio = PerJoint{{0.7, 0.5}};
  const MotionOptions random = points;
  CHECK(Read<MotionOptions>(WriteValue(random).dump().c_str(), issues) == random);
  CHECK(issues.empty());
}

TEST_CASE("A sequence is of two motions or more, and not of sequences") {
  std::vector<Issue> issues;
  const MotionOptions written = SequenceOptions{
      .parts = {FourierOptions{.harmonics = 3}, RecordedMotionOptions{"q.csv"}}, .blend_s = 0.5};
  CHECK(Read<MotionOptions>(WriteValue(written).dump().c_str(), issues) == written);
  CHECK(issues.empty());
  const auto refused = [&issues](const char* text) {
    issues.clear();
    Read<MotionOptions>(text, issues);
    return std::string(ConfigError("s.json", issues).what());
  };
  CHECK(refused(R"({"type": "sequence", "parts": [{"type": "fourier"}]})") ==
        "s.json: /parts: got a list of 1\n"
        "  give at least two motions; one alone needs no sequence");
  CHECK(refused(R"({"type": "sequence", "parts": [{}, {}], "blend_s": 0})") ==
        "s.json: /blend_s: got 0\n  accepted here: a number, greater than 0 [s]");
  CHECK(refused(R"({"type": "sequence", "parts": [{}, {"type": "sequence"}]})") ==
        "s.json: /parts/1/type: got \"sequence\"\n"
        "  accepted here: fourier, way_points, random_points, recorded, exciting");
}

TEST_CASE("A motion that is no sequence is its only part") {
  std::vector<std::string> pointers;
  std::vector<double> durations_s;
  const auto visit = [&]<class Part>(Part& part, const std::string& pointer) {
    pointers.push_back(pointer);
    if constexpr (std::is_same_v<Part, FourierOptions>) durations_s.push_back(part.duration_s += 1);
  };
  MotionOptions alone = FourierOptions{.duration_s = 4.0};
  ForEachPart(alone, visit);
  CHECK(pointers == std::vector<std::string>{""});
  MotionOptions sequence = SequenceOptions{
      {WayPointOptions{}, FourierOptions{.duration_s = 7.0}, RecordedMotionOptions{}}};
  ForEachPart(sequence, visit);
  CHECK(pointers == std::vector<std::string>{"", "/parts/0", "/parts/1", "/parts/2"});
  CHECK(durations_s == std::vector<double>{5.0, 8.0});
  ForEachPart(sequence, visit);
  CHECK(durations_s.back() == 9.0);  // the options themselves, not copies
}

}  // namespace
}  // namespace idbench
