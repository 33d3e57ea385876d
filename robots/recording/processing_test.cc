#include "robots/recording/processing.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "robots/recording/filter.h"
#include "robots/recording/resample.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr double kRate = 200.0;
constexpr double kOmega = 2.0 * std::numbers::pi;  // the motion, 1 Hz

/// sin ωt plus 80 Hz of amplitude `ripple`, with a declared σ.
Channel Wave(std::string_view name, const Eigen::VectorXd& time_s, double ripple = 0.0) {
  Channel channel;
  channel.name = name;
  channel.unit = "rad";
  channel.time_s = time_s;
  channel.samples = ((kOmega * time_s.array()).sin() +
                     ripple * (2.0 * std::numbers::pi * 80.0 * time_s.array()).sin())
                        .matrix();
  channel.sigma = Eigen::VectorXd::Constant(1, 0.1);
  return channel;
}

/// Four seconds of measured position and torque with ripple, and an exact velocity.
Dataset Log(double ripple = 0.1) {
  const Eigen::VectorXd time_s = UniformTime(0.0, 4.0, kRate);
  Dataset dataset("run1", Role::kTuning);
  dataset.Add(Wave(kJointPosition, time_s, ripple));
  dataset.Add(Wave(kJointTorque, time_s, ripple));
  Channel exact = Wave(kJointVelocity, time_s);
  exact.origin = Origin::kOracle;
  dataset.Add(exact);
  return dataset;
}

ProcessingOptions Lowpass(double cutoff_hz) {
  ProcessingOptions options;
  options.lowpass =
      LowpassOptions{.cutoff_hz = cutoff_hz, .order = 5, .channels = {}, .drop_edges_s = {}};
  return options;
}

std::string ProcessingMessage(const Dataset& dataset, const ProcessingOptions& options) {
  try {
    Process(dataset, options);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST_CASE("Without options a dataset stays as it is") {
  Dataset dataset = Log();
  dataset.lowpass_cutoff_hz = 7.0;
  const Dataset same = Process(dataset, {});
  CHECK(same.label() == "run1");
  CHECK(same.role() == Role::kTuning);
  CHECK(same.lowpass_cutoff_hz == 7.0);
  REQUIRE(same.channels().size() == 3);
  for (const Channel& channel : dataset.channels()) {
    const Channel& other = same.Get(channel.name);
    CHECK(other.samples == channel.samples);
    CHECK(other.time_s == channel.time_s);
    CHECK(other.sigma == channel.sigma);
    CHECK(other.origin == channel.origin);
  }
}

TEST_CASE("Skipped samples are gone from every channel, and change nothing else") {
  ProcessingOptions options;
  options.skip_samples = 100;
  const Dataset shorter = Process(Log(), options);
  for (const Channel& channel : shorter.channels()) {
    CHECK(channel.time_s.size() == 701);
    CHECK(channel.time_s[0] == 0.5);
    CHECK(channel.sigma.size() == 1);
  }
  CHECK(shorter.Get(kJointPosition).origin == Origin::kMeasured);
}

TEST_CASE("A low-pass filters the measured channels, drops the edges of all, and says so") {
  const Dataset filtered = Process(Log(), Lowpass(10.0));
  CHECK(filtered.lowpass_cutoff_hz == 10.0);
  const auto edge = ButterworthLowpass(5, 10.0, kRate).EdgeSamples();
  for (const Channel& channel : filtered.channels()) {
    CAPTURE(channel.name);
    CHECK(channel.time_s.size() == 801 - 2 * edge);
    CHECK(IsSameTime(channel.time_s, filtered.channels()[0].time_s));
    // The 1 Hz come through but for 1e-10, the 80 Hz are gone: 1 % of 0.1 is what the edges left.
    CHECK((channel.samples.col(0).array() - (kOmega * channel.time_s.array()).sin())
              .abs()
              .maxCoeff() < 1e-3);
  }
  CHECK(filtered.Get(kJointTorque).origin == Origin::kDerived);
  CHECK(filtered.Get(kJointTorque).sigma.size() == 0);
  CHECK(filtered.Get(kJointVelocity).origin == Origin::kOracle);
  CHECK(filtered.Get(kJointVelocity).sigma.size() == 1);
}

TEST_CASE("Named channels are filtered, others are not, and edges can be given") {
  ProcessingOptions options = Lowpass(10.0);
  options.lowpass->channels = {"joint_torque", "joint_velocity"};
  options.lowpass->drop_edges_s = 0.5;
  const Dataset filtered = Process(Log(), options);
  const Channel& position = filtered.Get(kJointPosition);
  CHECK(position.samples == Log().Get(kJointPosition).samples.middleRows(100, 601));
  CHECK(position.origin == Origin::kMeasured);
  CHECK(filtered.Get(kJointTorque).origin == Origin::kDerived);
  CHECK(filtered.Get(kJointVelocity).origin == Origin::kOracle);  // filtered, but still exact data
  CHECK(filtered.Get(kJointVelocity).sigma.size() == 0);
}

TEST_CASE("Velocity and acceleration are derived from the filtered position and replace others") {
  ProcessingOptions options = Lowpass(20.0);
  options.lowpass->drop_edges_s = 0.5;  // four times the rule: differences amplify what is left
  options.differentiate = {"joint_velocity", "joint_acceleration"};
  const Dataset derived = Process(Log(), options);
  REQUIRE(derived.channels().size() == 4);
  const Channel& velocity = derived.Get(kJointVelocity);
  const Channel& acceleration = derived.Get(kJointAcceleration);
  CHECK(velocity.unit == "rad/s");
  CHECK(acceleration.unit == "rad/s²");
  CHECK(velocity.origin == Origin::kDerived);
  CHECK(velocity.sigma.size() == 0);
  const Eigen::ArrayXd t = velocity.time_s.array();
  // Central differences at ωh = 0.031 miss by (ωh)²/6 and (ωh)²/12; the rest is what is left of
  // 80 Hz of amplitude 0.1: below 2e-7·503 and 2e-7·503².
  CHECK((velocity.samples.col(0).array() - kOmega * (kOmega * t).cos()).abs().maxCoeff() <
        3e-4 * kOmega);
  CHECK((acceleration.samples.col(0).array() + kOmega * kOmega * (kOmega * t).sin())
            .abs()
            .maxCoeff() < 3e-3 * kOmega * kOmega);
}

TEST_CASE("What is derived from an exact position stays an oracle") {
  Dataset dataset("run1", Role::kIdentification);
  Channel exact = Wave(kJointPosition, UniformTime(0.0, 1.0, kRate));
  exact.origin = Origin::kOracle;
  exact.unit = "rad or m";
  dataset.Add(exact);
  ProcessingOptions options;
  options.differentiate = {"joint_velocity", "joint_acceleration"};
  options.difference_half_width = 3;
  const Dataset derived = Process(dataset, options);
  CHECK(derived.Get(kJointVelocity).origin == Origin::kOracle);
  CHECK(derived.Get(kJointVelocity).unit == "rad/s or m/s");
  CHECK(derived.Get(kJointAcceleration).unit == "rad/s² or m/s²");
  CHECK_FALSE(derived.lowpass_cutoff_hz.has_value());
}

TEST_CASE("Resampling puts channels of different, jittered times on one uniform time") {
  Eigen::VectorXd jittered = UniformTime(0.1, 4.0, kRate);
  for (Eigen::Index i = 0; i < jittered.size(); ++i) {
    jittered[i] += 1e-3 * std::sin(2.3 * static_cast<double>(i));
  }
  Dataset dataset("run1", Role::kIdentification);
  dataset.Add(Wave(kJointPosition, jittered));
  dataset.Add(Wave(kJointTorque, UniformTime(0.0, 3.9, 100.0)));
  ProcessingOptions options;
  options.resample_rate_hz = kRate;
  const Dataset uniform = Process(dataset, options);
  const Channel& torque = uniform.Get(kJointTorque);
  CHECK(uniform.Get(kJointPosition).time_s == torque.time_s);
  CHECK(LargestJitter(torque.time_s) < 1e-9);
  CHECK(torque.time_s[0] == jittered[0]);
  CHECK(torque.origin == Origin::kDerived);
  CHECK(torque.sigma.size() == 0);
  // Cubic interpolation of 1 Hz at 100 Hz: (ωh)³/10.
  CHECK((torque.samples.col(0).array() - (kOmega * torque.time_s.array()).sin()).abs().maxCoeff() <
        3e-5);
}

TEST_CASE("A shift of stamps undoes a delay, and puts a held torque in the middle of its step") {
  const Eigen::VectorXd time_s = UniformTime(0.0, 4.0, kRate);
  Dataset dataset("run1", Role::kTuning);
  dataset.Add(Wave(kJointPosition, time_s));
  Channel late = Wave(kJointTorque, time_s);
  late.samples = (kOmega * (time_s.array() - 0.0125)).sin().matrix();
  dataset.Add(late);
  ProcessingOptions options;
  options.shift_s[kJointTorque] = -0.0125;
  options.resample_rate_hz = kRate;
  const Dataset shifted = Process(dataset, options);
  const Channel& torque = shifted.Get(kJointTorque);
  CHECK(torque.time_s == shifted.Get(kJointPosition).time_s);
  CHECK(torque.origin == Origin::kDerived);
  const Eigen::VectorXd expected = (kOmega * torque.time_s.array()).sin();
  // One-sided slopes at the ends err by h²ω³/3, of which cubic Hermite takes up to h·4/27: 1.5e-6.
  CHECK((torque.samples.col(0) - expected).cwiseAbs().maxCoeff() < 3e-6);

  Channel held = Wave(kJointTorque, time_s);
  held.samples = time_s;  // of a ramp, the mean of two held values is the value between them
  Dataset ramp("run2", Role::kTuning);
  ramp.Add(Wave(kJointPosition, time_s));
  ramp.Add(held);
  options.shift_s[kJointTorque] = 0.5 / kRate;
  const Channel middle = Process(ramp, options).Get(kJointTorque);
  CHECK((middle.samples.col(0) - (middle.time_s.array() - 0.5 / kRate).matrix()).norm() < 1e-12);
}

TEST_CASE("Resampling leaves time that is as asked for alone") {
  ProcessingOptions options;
  options.resample_rate_hz = kRate;
  const Dataset same = Process(Log(), options);
  CHECK(same.Get(kJointPosition).origin == Origin::kMeasured);
  CHECK(same.Get(kJointPosition).sigma.size() == 1);
}

TEST_CASE("Decimation comes last and keeps what is not filtered as it was") {
  ProcessingOptions options = Lowpass(10.0);
  options.lowpass->drop_edges_s = 0.5;
  options.decimate_to_hz = 25.0;
  const Dataset decimated = Process(Log(), options);
  const Channel& velocity = decimated.Get(kJointVelocity);
  CHECK(velocity.time_s.size() == 76);
  CHECK(NominalRate(velocity.time_s) == doctest::Approx(25.0).epsilon(1e-9));
  CHECK(velocity.samples(1, 0) == Log().Get(kJointVelocity).samples(108, 0));
  CHECK(velocity.sigma.size() == 1);
}

TEST_CASE("The lower of two cut-offs is the one that counts") {
  const Dataset once = Process(Log(), Lowpass(10.0));
  ProcessingOptions options = Lowpass(20.0);
  options.lowpass->channels = {"joint_torque"};
  CHECK(Process(once, options).lowpass_cutoff_hz == 10.0);
}

TEST_CASE("Accelerations can be first differences of measured velocities") {
  Dataset log("run1", Role::kIdentification);
  const Eigen::VectorXd time = Eigen::VectorXd::LinSpaced(101, 0.0, 1.0);
  const auto add = [&](std::string_view name, const char* unit, const Eigen::VectorXd& samples) {
    Channel channel;
    channel.name = name;
    channel.unit = unit;
    channel.time_s = time;
    channel.samples = samples;
    log.Add(std::move(channel));
  };
  // A parabola, of which central differences are exact; positions say something else.
  add(kJointPosition, "rad or m", Eigen::VectorXd::Zero(101));
  add(kJointVelocity, "rad/s or m/s", time.cwiseAbs2());
  ProcessingOptions options;
  options.differentiate = {"joint_acceleration"};
  CHECK(Process(log, options).Get(kJointAcceleration).samples.isZero());
  options.acceleration_from = AccelerationSource::kVelocity;
  const Dataset derived = Process(log, options);
  const Channel& acceleration = derived.Get(kJointAcceleration);
  CHECK(acceleration.samples.isApprox(2.0 * time, 1e-10));
  CHECK(acceleration.unit == "rad/s² or m/s²");
  CHECK(acceleration.origin == Origin::kDerived);
  CHECK(derived.Get(kJointVelocity).origin == Origin::kMeasured);
}

TEST_CASE("What the data does not allow is refused by the option that asks for it") {
  ProcessingOptions options;
  options.skip_samples = 801;
  CHECK(ProcessingMessage(Log(), options) ==
        "dataset 'run1': /processing/skip_samples: got 801, but 'joint_position' has 801 samples\n"
        "  fewer than it has are accepted");

  options = {};
  options.resample_rate_hz = 50.0;
  CHECK(ProcessingMessage(Log(), options) ==
        "dataset 'run1': /processing/resample_rate_hz: got 50, but 'joint_position' was sampled at "
        "200 Hz: it would alias before the low-pass\n"
        "  resample at the recorded rate, then set lowpass and decimate_to_hz");

  CHECK(
      ProcessingMessage(Log(), Lowpass(120.0)) ==
      "dataset 'run1': /processing/lowpass/cutoff_hz: got 120, but 'joint_position' was sampled at "
      "200 Hz\n  less than half the rate is accepted");

  options = Lowpass(10.0);
  options.lowpass->channels = {"motor_torque"};
  CHECK(ProcessingMessage(Log(), options) ==
        "dataset 'run1': /processing/lowpass/channels: there is no channel 'motor_torque'\n"
        "  its channels: joint_position, joint_torque, joint_velocity");

  options = Lowpass(10.0);
  options.lowpass->drop_edges_s = 2.1;
  CHECK(ProcessingMessage(Log(), options) ==
        "dataset 'run1': /processing/lowpass/drop_edges_s: 2.1 s dropped at each end leave nothing "
        "of the 4 s recorded\n  record longer, raise the cut-off, or set drop_edges_s");

  options = {};
  options.decimate_to_hz = 75.0;
  CHECK(ProcessingMessage(Log(), options) ==
        "dataset 'run1': /processing/decimate_to_hz: got 75, of which the 200 Hz of "
        "'joint_position' are not a multiple\n  near it: 66.67, 100");
  options.decimate_to_hz = 400.0;
  CHECK(ProcessingMessage(Log(), options) ==
        "dataset 'run1': /processing/decimate_to_hz: got 400, of which the 200 Hz of "
        "'joint_position' are not a multiple\n  near it: 200, 200");
}

TEST_CASE("Jittered time is refused by what needs uniform time, with the cure") {
  Eigen::VectorXd jittered = UniformTime(0.0, 1.0, kRate);
  jittered[50] += 0.001;
  Dataset dataset("run1", Role::kIdentification);
  dataset.Add(Wave(kJointPosition, jittered));
  const std::string refusal =
      ": channel 'joint_position' is not sampled uniformly: a step differs by 20 % from the median "
      "step of 0.005 s\n  set resample_rate_hz, for example 200";
  CHECK(ProcessingMessage(dataset, Lowpass(10.0)) ==
        "dataset 'run1': /processing/lowpass" + refusal);
  ProcessingOptions options;
  options.decimate_to_hz = 100.0;
  CHECK(ProcessingMessage(dataset, options) ==
        "dataset 'run1': /processing/decimate_to_hz" + refusal);
}

TEST_CASE("Channels that are too short, apart, or none measured are refused") {
  const auto dataset_of = [](const Eigen::VectorXd& time_s) {
    Dataset dataset("run1", Role::kIdentification);
    dataset.Add(Wave(kJointPosition, time_s));
    return dataset;
  };
  const Dataset one = dataset_of(UniformTime(0.0, 0.0, kRate));
  CHECK(ProcessingMessage(one, Lowpass(10.0)) ==
        "dataset 'run1': /processing/lowpass: channel 'joint_position' has 1 samples, too few");
  CHECK(ProcessingMessage(dataset_of(UniformTime(0.0, 17.0, 1.0)), Lowpass(0.1)) ==
        "dataset 'run1': /processing/lowpass: channel 'joint_position' has 18 samples, a filter of "
        "order 5 needs more than 18");

  ProcessingOptions options;
  options.differentiate = {"joint_velocity"};
  CHECK(ProcessingMessage(one, options) ==
        "dataset 'run1': /processing/differentiate: channel 'joint_position' has 1 samples, a "
        "half-width of 1 needs at least 3");
  options = {};
  options.resample_rate_hz = kRate;
  CHECK(ProcessingMessage(one, options) ==
        "dataset 'run1': /processing/resample_rate_hz: channel 'joint_position' has 1 samples, too "
        "few");
  Dataset apart = dataset_of(UniformTime(0.0, 1.0, kRate));
  apart.Add(Wave(kJointTorque, UniformTime(2.0, 3.0, kRate)));
  CHECK(ProcessingMessage(apart, options) ==
        "dataset 'run1': /processing/resample_rate_hz: no stretch of time is covered by all "
        "channels: the last begins at 2 s, the first ends at 1 s");

  Dataset exact("run1", Role::kIdentification);
  Channel channel = Wave(kJointPosition, UniformTime(0.0, 1.0, kRate));
  channel.origin = Origin::kOracle;
  exact.Add(channel);
  CHECK(ProcessingMessage(exact, Lowpass(10.0)) ==
        "dataset 'run1': /processing/lowpass: there is no measured channel\n"
        "  name those to be filtered: \"channels\": [\"joint_position\"]");
}

TEST_CASE("Processing options come back from JSON") {
  const Json json = ParseJson(R"({"causal": false, "skip_samples": 500, "resample_rate_hz": 200.0,
    "interpolation": "linear",
    "lowpass": {"cutoff_hz": 10.0, "order": 4, "channels": ["joint_torque"], "drop_edges_s": 0.1},
    "differentiate": ["joint_acceleration"], "acceleration_from": "joint_velocity",
    "difference": {"type": "central"}, "difference_half_width": 3, "decimate_to_hz": 25.0})",
                              "test");
  ProcessingOptions options;
  std::vector<Issue> issues;
  ReadFields(Visit(options), json, "", issues);
  CHECK(issues.empty());
  Json written = WriteFields(Visit(options));
  for (const auto& [channel, shift] : written["shift_s"].items()) {
    if (channel != "wrench") CHECK(shift.is_null());
  }
  written.erase("shift_s");
  CHECK(written == json);
  options.shift_s[kJointTorque] = 0.25;
  ProcessingOptions copy;
  ReadFields(Visit(copy), WriteFields(Visit(options)), "", issues);
  CHECK(copy.shift_s[kJointTorque] == 0.25);
}

TEST_CASE("Processing options that contradict themselves are refused by name") {
  const auto issues_of = [](const char* text) {
    ProcessingOptions options;
    std::vector<Issue> issues;
    ReadFields(Visit(options), ParseJson(text, "test"), "/processing", issues);
    std::string joined;
    for (const Issue& issue : issues) joined += issue.where + ": " + issue.what + "\n";
    return joined;
  };
  CHECK(issues_of(R"({"lowpass": {"cutoff_hz": 10}, "decimate_to_hz": 15})") ==
        "/processing/decimate_to_hz: got 15, below twice the low-pass's cut-off of 10 Hz: it would "
        "alias\n");
  CHECK(issues_of(R"({"lowpass": {"cutoff_hz": 10}, "resample_rate_hz": 20})") ==
        "/processing/lowpass/cutoff_hz: got 10, not below half of resample_rate_hz 20\n");
  CHECK(issues_of(R"({"differentiate": ["joint_velocity", "joint_velocity"]})") ==
        "/processing/differentiate/1: \"joint_velocity\" stands in the list twice\n");
  CHECK(
      issues_of(R"({"lowpass": {"cutoff_hz": 9, "channels": ["joint_torque", "joint_torque"]}})") ==
      "/processing/lowpass/channels/1: \"joint_torque\" stands in the list twice\n");
  CHECK(issues_of(R"({"acceleration_from": "joint_velocity"})") ==
        "/processing/acceleration_from: differentiate does not list joint_acceleration\n");
  CHECK(issues_of(R"({"differentiate": ["joint_velocity", "joint_acceleration"],
                      "acceleration_from": "joint_velocity"})") ==
        "/processing/acceleration_from: joint_velocity is itself derived from joint_position, see "
        "differentiate\n");
  CHECK(issues_of(R"({"causal": true,
                      "lowpass": {"cutoff_hz": 9, "channels": ["joint_torque"]}})") ==
        "/processing/lowpass/channels: has no meaning with causal: one filter delays all channels "
        "alike, so that the equations of a row hold between them\n");
  CHECK(issues_of(R"({"lowpass": {}})") == "/processing/lowpass/cutoff_hz: missing\n");
}

TEST_CASE("Adaptive windows derive from positions alone, and have widths of their own") {
  const auto issues_of = [](const std::string& more) {
    ProcessingOptions options;
    std::vector<Issue> issues;
    const std::string text =
        R"({"difference": {"type": "adaptive_window", "count_rad": 1e-4})" + more + "}";
    ReadFields(Visit(options), ParseJson(text, "test"), "/processing", issues);
    return issues.empty() ? std::string() : std::string(ConfigError("s.json", issues).what());
  };
  CHECK(issues_of(R"(, "differentiate": ["joint_velocity", "joint_acceleration"])").empty());
  CHECK(issues_of("") ==
        "s.json: /processing/difference: differentiate is empty, so that nothing is derived\n"
        "  list joint_velocity or joint_acceleration there, or remove this");
  CHECK(issues_of(R"(, "differentiate": ["joint_velocity"], "difference_half_width": 2)") ==
        "s.json: /processing/difference_half_width: has no meaning with adaptive windows, see "
        "difference\n  remove it");
  CHECK(
      issues_of(
          R"(, "differentiate": ["joint_acceleration"], "acceleration_from": "joint_velocity")") ==
      "s.json: /processing/acceleration_from: is joint_velocity, but the counts of adaptive "
      "windows are of positions\n"
      "  remove it, or set difference to {\"type\": \"central\"}");
}

TEST_CASE("A dataset is differentiated by adaptive windows where that is asked for") {
  ProcessingOptions options;
  options.differentiate = {"joint_velocity", "joint_acceleration"};
  AdaptiveWindowOptions windows{.count_rad = PerJoint{{1e-3}}};
  options.difference = windows;
  const Dataset derived = Process(Log(), options);
  const Channel& position = derived.Get(kJointPosition);
  const auto expected = [&](int derivative) {
    return DifferentiateAdaptively(position.time_s, position.samples, derivative,
                                   BandOf(windows, derivative, position.samples.cols()),
                                   WindowOf(windows, derivative));
  };
  CHECK(derived.Get(kJointVelocity).samples == expected(1));
  CHECK(derived.Get(kJointVelocity).unit == "rad/s");
  CHECK(derived.Get(kJointAcceleration).samples == expected(2));
  CHECK(derived.Get(kJointAcceleration).unit == "rad/s²");
  windows.count_rad = PerJoint{{1e-3, 1e-3, 1e-3}};
  options.difference = windows;
  CHECK(ProcessingMessage(Log(), options) ==
        "dataset 'run1': /processing/difference/count_rad: got a list of 3, but 'joint_position' "
        "has 1 columns\n  accepted here: one number, or a list with one for each joint");
  windows.count_rad = PerJoint{{1e-3}};
  options.difference = windows;
  Dataset brief("run1", Role::kIdentification);
  brief.Add(Wave(kJointPosition, UniformTime(0.0, 0.005, kRate)));
  CHECK(ProcessingMessage(brief, options) ==
        "dataset 'run1': /processing/differentiate: channel 'joint_position' has 2 samples, "
        "adaptive windows need at least 3");
  Dataset longer("run1", Role::kIdentification);
  longer.Add(Wave(kJointPosition, UniformTime(0.0, 0.1, kRate)));
  CHECK(ProcessingMessage(longer, options) == "no error");
  options.causal = true;
  CHECK(ProcessingMessage(longer, options) ==
        "dataset 'run1': /processing/differentiate: channel 'joint_position' has 21 samples, "
        "adaptive windows need at least 25");
}

TEST_CASE("A shift needs resampling, and causal data are not had before they were there") {
  const auto issues_of = [](const std::string& text) {
    ProcessingOptions options;
    std::vector<Issue> issues;
    ReadFields(Visit(options), ParseJson(text, "test"), "/processing", issues);
    std::string joined;
    for (const Issue& issue : issues) joined += issue.where + ": " + issue.what + "\n";
    return joined;
  };
  CHECK(issues_of(R"({"shift_s": {"joint_torque": 0.001}})") ==
        "/processing/shift_s: moves channels on their clocks, so that they no longer share their "
        "stamps\n");
  CHECK(issues_of(R"({"shift_s": {"joint_torque": 0.001}, "resample_rate_hz": 200})").empty());
  CHECK(issues_of(R"({"shift_s": {"joint_torque": 0}})").empty());
  CHECK(issues_of(R"({"causal": true, "shift_s": {"joint_position": 0.1, "joint_torque": -0.1},
                      "resample_rate_hz": 200})") ==
        "/processing/shift_s/joint_torque: is negative, so that causal data would be had before "
        "they were there\n");
}

TEST_CASE("Whatever is dropped, the clock of the dataset stays") {
  const RecordedTime before = RecordedTimeOf(Log());
  CHECK(before == RecordedTime{0.0, 4.0});
  ProcessingOptions options = Lowpass(5.0);
  options.skip_samples = 50;
  options.decimate_to_hz = 20.0;
  const Dataset processed = Process(Log(), options);
  CHECK(processed.channels().front().time_s[0] > 0.25);
  CHECK(RecordedTimeOf(processed) == before);
  ProcessingOptions skip;
  skip.skip_samples = 3;
  CHECK(RecordedTimeOf(Process(processed, skip)) == before);
  ProcessingOptions resample;
  resample.skip_samples = 1;
  resample.resample_rate_hz = 190.0;
  CHECK(RecordedTimeOf(Process(Log(), resample)) == before);
}

}  // namespace
}  // namespace idbench
