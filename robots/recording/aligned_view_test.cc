#include "robots/recording/aligned_view.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "robots/recording/resample.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// sin t and cos t, sampled at `time_s`.
Channel Sines(std::string_view name, const Eigen::VectorXd& time_s) {
  Channel channel;
  channel.name = name;
  channel.time_s = time_s;
  channel.samples.resize(time_s.size(), 2);
  channel.samples << time_s.array().sin().matrix(), time_s.array().cos().matrix();
  return channel;
}

/// Positions at 100 Hz over [0, 2] s and torques at 40 Hz over [0.5, 2.5] s.
Dataset TwoRates() {
  Dataset dataset("run1", Role::kIdentification);
  dataset.Add(Sines(kJointPosition, UniformTime(0.0, 2.0, 100.0)));
  dataset.Add(Sines(kJointTorque, UniformTime(0.5, 2.5, 40.0)));
  return dataset;
}

AlignmentOptions Resample(std::optional<double> rate_hz = {}) {
  AlignmentOptions options;
  options.policy = AlignmentPolicy::kResample;
  options.rate_hz = rate_hz;
  return options;
}

TEST_CASE("Channels that were sampled together are not copied") {
  Eigen::VectorXd time_s = UniformTime(0.0, 1.0, 100.0);
  time_s[50] += 0.004;
  Dataset dataset("run1", Role::kIdentification);
  dataset.Add(Sines(kJointPosition, time_s));
  dataset.Add(Sines(kJointTorque, time_s));
  for (const AlignmentOptions& options : {AlignmentOptions(), Resample()}) {
    const AlignedView view = Align(dataset, {kJointTorque, kJointPosition}, options);
    REQUIRE(view.ok());
    CHECK(view.reason().empty());
    CHECK(view.size() == 101);
    CHECK(view.time_s() == time_s);
    CHECK(&view[0] == &dataset.Get(kJointTorque).samples);
    CHECK(&view[1] == &dataset.Get(kJointPosition).samples);
    CHECK(&view.channel(1) == &dataset.Get(kJointPosition));
    CHECK_FALSE(view.resampled());
    CHECK(view.nominal_rate_hz() == doctest::Approx(100.0).epsilon(1e-9));
    CHECK(view.IsUniform(0.5));
    CHECK_FALSE(view.IsUniform(0.3));
  }
}

TEST_CASE("Channels that were not sampled together are refused with both their times") {
  const Dataset dataset = TwoRates();
  const AlignedView view = Align(dataset, {kJointPosition, kJointTorque});
  CHECK_FALSE(view.ok());
  CHECK(view.outcome() == AlignmentOutcome::kTimesDiffer);
  CHECK(view.reason() ==
        "dataset 'run1': channels were not sampled together: 'joint_position' has 201 samples in "
        "0 … 2 s at 100 Hz, 'joint_torque' has 81 samples in 0.5 … 2.5 s at 40 Hz; declare the "
        "alignment policy \"resample\" to interpolate them");
}

TEST_CASE("Resampling covers the common time, at the slowest rate unless one is stated") {
  const Dataset dataset = TwoRates();
  const AlignedView slowest = Align(dataset, {kJointPosition, kJointTorque}, Resample());
  REQUIRE(slowest.ok());
  CHECK(slowest.resampled());
  CHECK(slowest.time_s()[0] == 0.5);
  CHECK(slowest.size() == 61);
  CHECK(slowest.IsUniform(1e-9));
  const AlignedView stated = Align(dataset, {kJointPosition, kJointTorque}, Resample(50.0));
  REQUIRE(stated.ok());
  CHECK(stated.size() == 76);
  for (std::size_t i : {0, 1}) {
    // Cubic interpolation of a unit sine at 40 Hz: below h³/10.
    CHECK((stated[i].col(0).array() - stated.time_s().array().sin()).abs().maxCoeff() < 2e-6);
  }
}

TEST_CASE("A stated rate makes jittered time uniform, and leaves it alone if it is so already") {
  Dataset dataset("run1", Role::kIdentification);
  dataset.Add(Sines(kJointPosition, UniformTime(0.0, 1.0, 100.0)));
  const AlignedView same = Align(dataset, {kJointPosition}, Resample(100.0));
  CHECK_FALSE(same.resampled());
  CHECK(&same[0] == &dataset.Get(kJointPosition).samples);

  Eigen::VectorXd jittered = UniformTime(0.0, 1.0, 100.0);
  jittered[50] += 0.004;
  Dataset log("log", Role::kIdentification);
  log.Add(Sines(kJointPosition, jittered));
  AlignmentOptions options = Resample(100.0);
  options.interpolation = Interpolation::kLinear;
  const AlignedView view = Align(log, {kJointPosition}, options);
  CHECK(view.resampled());
  CHECK(view.IsUniform(1e-9));
  // Linear interpolation of a unit sine over 14 ms: at most h²/8.
  CHECK((view[0].col(0).array() - view.time_s().array().sin()).abs().maxCoeff() < 2.5e-5);
}

TEST_CASE("A copy of a view holds the same samples") {
  const Dataset dataset = TwoRates();
  AlignedView copy;
  {
    const AlignedView view = Align(dataset, {kJointPosition, kJointTorque}, Resample());
    copy = view;
    CHECK(copy[1] == view[1]);
    CHECK(&copy[1] != &view[1]);
  }
  CHECK(copy.time_s()[0] == 0.5);
}

TEST_CASE("A missing channel is refused with the names of those that are there") {
  const Dataset dataset = TwoRates();
  const AlignedView view = Align(dataset, {kJointVelocity, kJointTorque, kMotorCurrent});
  CHECK(view.outcome() == AlignmentOutcome::kMissingChannel);
  CHECK(view.reason() ==
        "dataset 'run1' lacks joint_velocity, motor_current; its channels: joint_position, "
        "joint_torque");
  CHECK(Align(Dataset("empty", Role::kTuning), {kJointTorque}).reason() ==
        "dataset 'empty' lacks joint_torque; its channels: none");
}

TEST_CASE("Channels without common time, or too short to interpolate, are refused") {
  Dataset dataset("run1", Role::kIdentification);
  dataset.Add(Sines(kJointPosition, UniformTime(0.0, 1.0, 100.0)));
  dataset.Add(Sines(kJointTorque, UniformTime(2.0, 3.0, 100.0)));
  dataset.Add(Sines(kMotorTorque, UniformTime(0.0, 0.01, 100.0)));
  dataset.Add(Sines(kMotorCurrent, UniformTime(0.0, 0.0, 100.0)));
  const AlignedView apart = Align(dataset, {kJointPosition, kJointTorque}, Resample());
  CHECK(apart.outcome() == AlignmentOutcome::kNoCommonTime);
  CHECK(
      apart.reason() ==
      "dataset 'run1': no stretch of time is covered by all channels: the last begins at 2 s, the "
      "first ends at 1 s");
  CHECK(Align(dataset, {kJointPosition, kMotorTorque}, Resample()).reason() ==
        "dataset 'run1': channel 'motor_torque' has 2 samples in 0 … 0.01 s at 100 Hz, too few to "
        "resample");
  CHECK(Align(dataset, {kJointPosition, kMotorCurrent}, Resample()).reason() ==
        "dataset 'run1': channel 'motor_current' has 1 samples, too few to resample");
}

TEST_CASE("A view tells whether one of its channels is exact") {
  Dataset dataset("run1", Role::kIdentification);
  dataset.Add(Sines(kJointPosition, UniformTime(0.0, 1.0, 100.0)));
  Channel exact = Sines(kJointVelocity, UniformTime(0.0, 1.0, 100.0));
  exact.origin = Origin::kOracle;
  dataset.Add(exact);
  CHECK(Align(dataset, {kJointPosition, kJointVelocity}).uses_oracle());
  CHECK_FALSE(Align(dataset, {kJointPosition}).uses_oracle());
}

TEST_CASE("A view of no channel is the caller's mistake") {
  CHECK_THROWS_WITH_AS(Align(TwoRates(), std::initializer_list<std::string_view>{}),
                       "Align: no channel is asked for", std::invalid_argument);
}

TEST_CASE("Outcomes of an alignment have names") {
  CHECK(ToString(AlignmentOutcome::kOk) == "ok");
  CHECK(ToString(AlignmentOutcome::kMissingChannel) == "missing_channel");
  CHECK(ToString(AlignmentOutcome::kTimesDiffer) == "times_differ");
  CHECK(ToString(AlignmentOutcome::kNoCommonTime) == "no_common_time");
}

TEST_CASE("Alignment options come back from JSON, and a rate that would be ignored is refused") {
  const Json json =
      ParseJson(R"({"policy": "resample", "rate_hz": 250.0, "interpolation": "linear"})", "test");
  AlignmentOptions options;
  std::vector<Issue> issues;
  ReadFields(Visit(options), json, "", issues);
  CHECK(issues.empty());
  CHECK(WriteFields(Visit(options)) == json);

  ReadFields(Visit(options), ParseJson(R"({"policy": "refuse"})", "test"), "/alignment", issues);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].where == "/alignment/rate_hz");
  CHECK(issues[0].what == "is only used by the policy \"resample\", got \"refuse\"");
}

}  // namespace
}  // namespace idbench
