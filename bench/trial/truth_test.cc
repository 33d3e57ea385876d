#include "bench/trial/truth.h"

#include <doctest/doctest.h>

#include "bench/metrics/metrics.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// The truth of planar3, changed.
struct TruthOf {
  explicit TruthOf(const char* change)
      : loaded(LoadScenario(Patched(change), "test", {}, AllMetrics())),
        robot(loaded.cells[0].robot),
        truth(MakeTruth(robot, loaded.cells[0].scenario, 1, -1)) {}

  static Json Patched(const char* change) {
    Json json = ParseJson(R"({
      "name": "t", "robot": {"model": "planar3", "truth": {"friction": {"viscous_nms_rad": 0.5},
        "motor": {"gear_ratio": 10, "torque_constant_nm_a": 0.1}}},
      "control": {"type": "exact_replay"},
      "experiments": {"identification": {"motion": {"type": "fourier", "duration_s": 1, "candidates": 1}}},
      "problem": {"parametrisation": {"type": "base", "friction": ["viscous"]}, "prior": {}},
      "estimators": {"ols": {}}, "trials": 1})",
                          "test");
    json.merge_patch(ParseJson(change, "change"));
    return json;
  }
  double operator[](const char* name) const {
    const std::vector<std::string> names = ParameterNames(loaded.cells[0].robot.model);
    return truth.pi[std::ranges::find(names, name) - names.begin()];
  }

  LoadedScenario loaded;
  HashedRobot robot;
  Truth truth;
};

TEST_CASE("Back-EMF is friction of the joints that duty cycles alone show") {
  const TruthOf truth(R"({"problem": {"equations": [{"type": "joint_torque", "joints": "joint1"},
        {"type": "motor_pwm", "joints": "joint{2..3}"}],
      "prior": {"terms": {"joint2.gain": 1, "joint3.gain": 1}}},
    "sensors": {"motor_pwm": {"origin": "measured"}}})");
  CHECK(truth.truth.with_back_emf == std::vector<std::string>{"joint2.fv", "joint3.fv"});
  CHECK(truth.truth.back_emf_left_out.empty());
  CHECK(truth["joint1.fv"] == 0.5);
  CHECK(truth["joint2.fv"] == doctest::Approx(0.5 + 10 * 10 * 0.1 * 0.1 / 1.0));
  // Both sides of one joint: no value is true for both.
  const TruthOf both(R"({"problem": {"equations": ["joint_torque", "motor_pwm"],
      "prior": {"terms": {"joint1.gain": 1, "joint2.gain": 1, "joint3.gain": 1}}},
    "sensors": {"motor_pwm": {"origin": "measured"}}})");
  CHECK(both.truth.with_back_emf.empty());
  CHECK(both.truth.back_emf_left_out == std::vector<std::string>{"joint1", "joint2", "joint3"});
  CHECK(both["joint2.fv"] == 0.5);
}

TEST_CASE("A configuration's own term is as the shared one, unless its value is given") {
  const char* configured = R"({"configurations": {"hot": {"own": ["joint{1..2}.fv"]}},
    "experiments": {"hot": {"configuration": "hot",
      "motion": {"type": "fourier", "duration_s": 1, "candidates": 1}}},
    "robot": {"truth": {"terms": {"joint2.fv@hot": 0.2}}}})";
  const TruthOf truth(configured);
  CHECK(truth["joint1.fv@hot"] == 0.5);
  CHECK(truth["joint2.fv@hot"] == 0.2);
}

}  // namespace
}  // namespace idbench
