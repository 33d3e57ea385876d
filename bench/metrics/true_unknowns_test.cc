#include "bench/metrics/true_unknowns.h"

#include <doctest/doctest.h>

#include <limits>

#include "bench/metrics/tracked_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr double kAtTheEnd = std::numeric_limits<double>::infinity();

/// The dataset without its samples before `start_s`.
Dataset StartingAt(const Dataset& dataset, double start_s) {
  Dataset rest = dataset.WithoutChannels();
  for (Channel channel : dataset.channels()) {
    const Eigen::Index left = (channel.time_s.array() > start_s - 1e-9).count();
    channel.time_s = channel.time_s.tail(left).eval();
    channel.samples = channel.samples.bottomRows(left).eval();
    rest.Add(std::move(channel));
  }
  return rest;
}

TEST_CASE("The truth of a payload is what is attached at the instant, whatever the robot is") {
  Json json = PayloadScenario();
  json["robot"]["truth"] = {{"mass_scale", 1.3}};  // known wrongly, which is no payload
  const TrackedRun run(json);
  TrueUnknowns truth(run.context.scenario(), run.context.problem());
  truth.SetTrial(run.data);
  CHECK_FALSE(truth.constant());
  for (const double t_s : {0.0, 0.49, 0.5, 0.75, 1.0, 1.1, 1.5, 1.99}) {
    CAPTURE(t_s);
    const Eigen::Vector4d expected = TrueMass(t_s) * Eigen::Vector4d(1.0, 0.05, 0.1, 0.125);
    CHECK((truth.At(t_s) - expected).norm() < 1e-12);  // rounding beside π of some kg·m²
  }
  CHECK(truth.At(kAtTheEnd)[0] == doctest::Approx(1.0));
}

TEST_CASE("The truth at a checkpoint is that at the last sample that counts at it") {
  Json json = PayloadScenario();
  json["control"] = Json::object();  // samples lie half a hold of control later
  const TrackedRun run(json);
  const Eigen::VectorXd& time_s = run.data.clean[0]->time_s;
  REQUIRE(time_s[50] > 0.5);  // the first sample with the payload that comes at 0.5 s
  TrueUnknowns truth(run.context.scenario(), run.context.problem());
  truth.SetTrial(run.data);
  CHECK(truth.At(0.5)[0] == doctest::Approx(2.0));
  CHECK(truth.AtLastSampleBy(0.5)[0] == 0.0);
  CHECK(truth.AtLastSampleBy(time_s[50])[0] == doctest::Approx(2.0));
  CHECK(truth.AtLastSampleBy(0.0)[0] == 0.0);
  CHECK(truth.AtLastSampleBy(kAtTheEnd)[0] == doctest::Approx(1.0));
}

TEST_CASE(
    "The truth of a robot is the same at all times, and of two experiments each has its own") {
  Json json = PayloadScenario();
  json["problem"]["parametrisation"] = {{"type", "masses_and_moments"}};
  json["windows"] = Json::object();
  const TrackedRun robot(json);
  TrueUnknowns constant(robot.context.scenario(), robot.context.problem());
  constant.SetTrial(robot.data);
  CHECK(constant.constant());
  CHECK(constant.At(0.7) == robot.data.problem().parameters.FromPi(*robot.data.true_pi()));

  json = PayloadScenario();
  json["experiments"]["second"] = json["experiments"]["identification"];
  json["experiments"]["second"]["events"] = Json::parse(R"([{"at_s": 1, "mass_kg": 3}])");
  const TrackedRun two(json);
  TrueUnknowns truth(two.context.scenario(), two.context.problem());
  truth.SetTrial(two.data);
  CHECK(truth.At(1.8)[0] == doctest::Approx(1.0));
  CHECK(truth.At(1.99 + 0.9)[0] == doctest::Approx(0.0));  // 1.99 s lie between 200 samples
  CHECK(truth.At(1.99 + 1.1)[0] == doctest::Approx(3.0));
}

TEST_CASE("The true state of the joints is that of the sample nearest in time") {
  const TrackedRun run(ParticleScenario());
  TrueUnknowns truth(run.context.scenario(), run.context.problem());
  truth.SetTrial(run.data);
  CHECK_FALSE(truth.constant());
  const Signals& clean = *run.data.clean[0];  // 400 samples at 100 Hz
  const auto check = [&](double time_s, Eigen::Index k) {
    CAPTURE(time_s);
    const Eigen::VectorXd state = truth.At(time_s);
    CHECK(state[0] == clean[kJointPosition](k, 0));
    CHECK(state[1] == clean[kJointVelocity](k, 0));
  };
  for (const Eigen::Index k : {0, 17, 399}) check(0.01 * static_cast<double>(k), k);
  check(0.174, 17);
  check(0.176, 18);
  check(3.994, 399);
  check(kAtTheEnd, 399);
}

TEST_CASE("Recorded time counts from the beginning of an experiment, whatever was dropped there") {
  Json json = PayloadScenario();
  json["experiments"] = {{"other", json["experiments"]["identification"]},
                         {"identification", json["experiments"]["identification"]}};
  json["experiments"]["other"]["role"] = "validation";
  json["experiments"]["other"]["events"] = Json::parse(R"([{"at_s": 0, "mass_kg": 3}])");
  TrackedRun run(json);
  REQUIRE(run.data.datasets[1].label() == "identification");
  run.data.datasets[1] = StartingAt(run.data.datasets[1], 0.4);
  TrueUnknowns truth(run.context.scenario(), run.context.problem());
  truth.SetTrial(run.data);
  CHECK(truth.At(0.49)[0] == doctest::Approx(0.0));
  CHECK(truth.At(0.51)[0] == doctest::Approx(2.0));
  CHECK(truth.At(1.25)[0] == doctest::Approx(1.5));  // in the middle of the ramp
  CHECK(truth.At(kAtTheEnd)[0] == doctest::Approx(1.0));
  // Of an experiment that began then.
  run.data.datasets[1].recorded = RecordedTime{0.4, 1.59};
  truth.SetTrial(run.data);
  CHECK(truth.At(0.09)[0] == doctest::Approx(0.0));
  CHECK(truth.At(0.11)[0] == doctest::Approx(2.0));  // at 0.51 s on the robot's clock
  CHECK(truth.At(0.85)[0] == doctest::Approx(1.5));  // in the middle of the ramp, at 1.25 s
  CHECK(truth.At(kAtTheEnd)[0] == doctest::Approx(1.0));
}

}  // namespace
}  // namespace idbench
