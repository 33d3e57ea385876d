#include "bench/cell_context.h"

#include <doctest/doctest.h>

#include <string>

#include "bench/metrics.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// A simulation of two joints whose prior is wrong, with exact sensors.
Json Simulation(const char* control) {
  Json json = ParseJson(R"({
    "name": "c", "robot": {"model": "planar2"},
    "experiments": {"identification": {"motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 1, "candidates": 1}}},
    "sensors": {"joint_torque": {"origin": "oracle"}},
    "problem": {"prior": {"mass_scale": 1.2}}, "estimators": {"ols": {}}, "trials": 2})",
                        "simulation");
  json["control"] = ParseJson(control, "control");
  return json;
}

/// One cell, and the data of its trials.
class OneCell {
 public:
  explicit OneCell(const Json& json)
      : loaded_(LoadScenario(json, "test", {}, AllMetrics())),
        context_(loaded_, loaded_.cells.front(), rollouts_) {}

  const CellContext& context() const { return context_; }
  Dataset Data(std::int64_t trial) const { return context_.Run(trial).datasets.front(); }
  Eigen::MatrixXd Positions(std::int64_t trial) const {
    return Data(trial).Find(kJointPosition)->samples;
  }
  std::string Rollout(std::int64_t trial) const { return context_.Run(trial).rollout; }

 private:
  LoadedScenario loaded_;
  RolloutStore rollouts_;
  CellContext context_;
};

/// Greatest distance from the motion itself [rad].
double TrackingError(const Json& json) {
  Json exact = json;
  exact["control"] = {{"type", "exact_replay"}};
  // Sampled in the middle of a hold, 0.5 ms later than exact replay: up to 5e-3 rad at 10 rad/s.
  return (OneCell(json).Positions(0) - OneCell(exact).Positions(0)).cwiseAbs().maxCoeff();
}

TEST_CASE("Both controllers follow the motion better with the true model than with a wrong prior") {
  for (const char* type : {"computed_torque", "pd_gravity"}) {
    CAPTURE(type);
    const std::string head = std::string(R"({"type": ")") + type + R"(", "model": ")";
    const double truth = TrackingError(Simulation((head + R"(truth"})").c_str()));
    const double prior = TrackingError(Simulation((head + R"(prior"})").c_str()));
    CHECK(truth < prior);
    CHECK(prior < 0.5);  // it follows at all
  }
}

TEST_CASE("Effort limits of the robot clip what the controller asks for") {
  const OneCell free(Simulation(R"({"type": "pd_gravity"})"));
  const double limit = 0.5 * free.Data(0).Find(kJointTorque)->samples.cwiseAbs().maxCoeff();
  CHECK(limit > 0.0);
  Json json = Simulation(R"({"type": "pd_gravity", "effort_limits": true})");
  const double clipped = OneCell(json).Data(0).Find(kJointTorque)->samples.cwiseAbs().maxCoeff();
  const LoadedScenario loaded = LoadScenario(json, "test", {}, AllMetrics());
  CHECK(clipped <= loaded.robot.model.limits().effort.maxCoeff());
}

TEST_CASE("With measured feedback each trial has its own roll-out, and captions say so") {
  Json json = Simulation(R"({"type": "computed_torque", "feedback": "measured"})");
  json["sensors"]["joint_position"] = {{"noise_std_rad", 1e-3}};
  const OneCell cell(json);
  CHECK(cell.Rollout(0) != cell.Rollout(1));
  CHECK(cell.Rollout(0) == cell.Rollout(0));
  CHECK(cell.Data(0).Find(kJointTorque)->samples != cell.Data(1).Find(kJointTorque)->samples);
  CHECK(cell.Data(0).Find(kJointTorque)->samples == cell.Data(0).Find(kJointTorque)->samples);
  CHECK(std::ranges::find(cell.context().marks(),
                          "controllers are fed back measured states: a roll-out of its own per "
                          "trial") != cell.context().marks().end());

  json["control"]["feedback"] = "true_state";
  const OneCell shared(json);
  CHECK(shared.Rollout(0) == shared.Rollout(1));
  CHECK(shared.Data(0).Find(kJointTorque)->samples == shared.Data(1).Find(kJointTorque)->samples);
}

TEST_CASE("Feedback of exact sensors is that of the true state") {
  Json json = Simulation(R"({"type": "computed_torque", "feedback": "measured"})");
  json["sensors"]["joint_velocity"] = {{"origin", "measured"}};
  const Eigen::MatrixXd measured = OneCell(json).Positions(0);
  json["control"]["feedback"] = "true_state";
  CHECK(measured == OneCell(json).Positions(0));
}

TEST_CASE("An experiment may have a control of its own") {
  Json json = Simulation(R"({"type": "computed_torque"})");
  json["experiments"]["validation"] = json["experiments"]["identification"];
  json["experiments"]["validation"]["role"] = "validation";
  json["experiments"]["validation"]["control"] = {{"type", "exact_replay"}};
  const TrialData data = OneCell(json).context().Run(0);
  REQUIRE(data.datasets.size() == 2);
  CHECK(data.datasets[0].Find(kJointPosition)->samples !=
        data.datasets[1].Find(kJointPosition)->samples);
  json["control"] = {{"type", "exact_replay"}};
  CHECK(OneCell(json).Positions(0) == data.datasets[1].Find(kJointPosition)->samples);
}

}  // namespace
}  // namespace idbench
