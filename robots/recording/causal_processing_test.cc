#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "robots/recording/filter.h"
#include "robots/recording/processing.h"
#include "robots/recording/resample.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr double kLogRate = 200.0;
constexpr double kLogOmega = 2.0 * std::numbers::pi * 0.5;  // the motion, 0.5 Hz

Channel ChannelAt(std::string_view name, const Eigen::VectorXd& time_s, const Eigen::VectorXd& x,
                  Origin origin = Origin::kMeasured) {
  return {.name = std::string(name),
          .unit = "rad",
          .time_s = time_s,
          .samples = x,
          .sigma = Eigen::VectorXd::Constant(1, 0.1),
          .origin = origin};
}

/// Four seconds of sin ωt, its derivatives, and a torque that is the acceleration.
/// @param exact  origin of the derivatives.
Dataset Moving(const Eigen::VectorXd& time_s, Origin exact = Origin::kOracle) {
  const Eigen::ArrayXd phase = kLogOmega * time_s.array();
  Dataset dataset("run1", Role::kIdentification);
  dataset.Add(ChannelAt(kJointPosition, time_s, phase.sin()));
  dataset.Add(ChannelAt(kJointVelocity, time_s, kLogOmega * phase.cos(), exact));
  dataset.Add(ChannelAt(kJointAcceleration, time_s, -kLogOmega * kLogOmega * phase.sin(), exact));
  dataset.Add(ChannelAt(kJointTorque, time_s, -kLogOmega * kLogOmega * phase.sin()));
  return dataset;
}

/// The dataset with other samples after an instant, or without them.
Dataset ChangedAfter(const Dataset& dataset, double t_s, bool cut) {
  Dataset changed = dataset.WithoutChannels();
  for (Channel channel : dataset.channels()) {
    const Eigen::Index kept = std::upper_bound(channel.time_s.begin(), channel.time_s.end(), t_s) -
                              channel.time_s.begin();
    if (cut) {
      channel.time_s = channel.time_s.head(kept).eval();
      channel.samples = channel.samples.topRows(kept).eval();
    } else {
      channel.samples.bottomRows(channel.samples.rows() - kept).array() += 1.0;
    }
    changed.Add(std::move(channel));
  }
  return changed;
}

/// Returns true if all samples up to an instant are the same to the bit.
/// @param fewer  samples that `b` may have less than `a`.
bool SameUntil(const Dataset& a, const Dataset& b, double t_s, Eigen::Index fewer = 0) {
  if (a.channels().size() != b.channels().size()) return false;
  for (const Channel& channel : a.channels()) {
    const Channel& other = b.Get(channel.name);
    const auto until = [t_s](const Channel& of) {
      return std::upper_bound(of.time_s.begin(), of.time_s.end(), t_s) - of.time_s.begin();
    };
    const Eigen::Index size = until(other);
    if (size == 0 || size > until(channel) || size + fewer < until(channel)) return false;
    if (channel.time_s.head(size) != other.time_s.head(size)) return false;
    if (channel.samples.topRows(size) != other.samples.topRows(size)) return false;
  }
  return true;
}

/// Every combination of what processing can do.
std::vector<ProcessingOptions> AllProcessings(bool causal) {
  std::vector<ProcessingOptions> all;
  const std::vector<std::vector<std::string>> derivatives = {
      {},
      {std::string(kJointVelocity)},
      {std::string(kJointVelocity), std::string(kJointAcceleration)},
      {std::string(kJointAcceleration)}};
  for (int k = 0; k < 2 * 5 * 3 * 5 * 2; ++k) {
    ProcessingOptions options;
    options.causal = causal;
    options.skip_samples = k % 2 * 7;
    const int resampling = k / 2 % 5;
    if (resampling > 0) options.resample_rate_hz = resampling < 3 ? kLogRate : 330.0;
    if (resampling % 2 == 1) options.interpolation = Interpolation::kLinear;
    if (const int lowpass = k / 10 % 3; lowpass > 0) {
      options.lowpass.emplace().cutoff_hz = 10.0;
      if (lowpass == 2) options.lowpass->drop_edges_s = 0.0;
    }
    const int differences = k / 30 % 5;
    options.differentiate = derivatives[static_cast<std::size_t>(std::min(differences, 3))];
    if (differences == 4) options.acceleration_from = AccelerationSource::kVelocity;
    options.difference_half_width = 1 + 2 * (k / 150);
    if (k % 3 == 0) options.decimate_to_hz = options.resample_rate_hz.value_or(kLogRate) / 5.0;
    all.push_back(std::move(options));
  }
  return all;
}

std::string CausalMessage(const Dataset& dataset, const ProcessingOptions& options) {
  try {
    Process(dataset, options);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST_CASE("Behind causal processing later samples change no earlier bit, whatever it does") {
  constexpr double kNow = 2.5025;
  // Times of their own where resampling puts them together; else the same.
  Dataset apart = Moving(UniformTime(0.0, 4.0, kLogRate));
  Eigen::VectorXd late = UniformTime(0.0013, 4.0, 170.0);
  for (Eigen::Index i = 0; i < late.size(); ++i) {
    late[i] += 1e-4 * std::sin(2.3 * static_cast<double>(i));
  }
  apart.Add(ChannelAt(kMotorPosition, late, (kLogOmega * late.array()).cos()));
  const Dataset together = Moving(UniformTime(0.0, 4.0, kLogRate));
  for (ProcessingOptions options : AllProcessings(true)) {
    CAPTURE(WriteFields(Visit(options)).dump());
    const Dataset& dataset = options.resample_rate_hz ? apart : together;
    const Dataset processed = Process(dataset, options);
    CHECK_FALSE(LooksAhead(options));
    CHECK(SameUntil(processed, Process(ChangedAfter(dataset, kNow, false), options), kNow));
    // A recording that ends now ends with the channel whose next sample would come last.
    const Eigen::Index fewer = options.resample_rate_hz ? 2 : 0;
    CHECK(SameUntil(processed, Process(ChangedAfter(dataset, kNow, true), options), kNow, fewer));
  }
}

/// Processings by adaptive windows of both places, of a motion without noise.
std::vector<ProcessingOptions> AdaptiveProcessings(bool causal) {
  std::vector<ProcessingOptions> all;
  for (const WindowPlace place : {WindowPlace::kCentred, WindowPlace::kEnding}) {
    for (int k = 0; k < 12; ++k) {
      ProcessingOptions options;
      options.causal = causal;
      options.difference = AdaptiveWindowOptions{.count_rad = PerJoint{{1e-5}}, .window = place};
      if (k % 3 != 1) options.differentiate.emplace_back(kJointVelocity);
      if (k % 3 != 0) options.differentiate.emplace_back(kJointAcceleration);
      if (k / 3 % 2 == 1) options.resample_rate_hz = 330.0;
      if (k / 6 == 1) {
        options.lowpass.emplace().cutoff_hz = 10.0;
        options.lowpass->drop_edges_s = 0.0;
      }
      all.push_back(std::move(options));
    }
  }
  return all;
}

TEST_CASE("Adaptive windows look ahead where they are said to, and never where they are causal") {
  constexpr double kNow = 2.5052;  // as below
  const Dataset dataset = Moving(UniformTime(0.0, 4.0, 170.0));
  for (const bool causal : {false, true}) {
    for (ProcessingOptions options : AdaptiveProcessings(causal)) {
      CAPTURE(WriteFields(Visit(options)).dump());
      const Dataset processed = Process(dataset, options);
      const bool same =
          SameUntil(processed, Process(ChangedAfter(dataset, kNow, false), options), kNow);
      CHECK(same != LooksAhead(options));
      if (!causal) continue;
      const Eigen::Index fewer = options.resample_rate_hz ? 2 : 0;
      CHECK(SameUntil(processed, Process(ChangedAfter(dataset, kNow, true), options), kNow, fewer));
    }
  }
}

TEST_CASE("Causal adaptive windows that are centred delay all channels, and ending ones none") {
  ProcessingOptions options;
  options.causal = true;
  options.differentiate = {std::string(kJointVelocity), std::string(kJointAcceleration)};
  AdaptiveWindowOptions windows{.count_rad = PerJoint{{1e-4}}};
  options.difference = windows;
  const Dataset dataset = Moving(UniformTime(0.0, 4.0, kLogRate));
  const Dataset centred = Process(dataset, options);
  CHECK(DifferenceReach(options) == 12);
  CHECK(CausalDelay(options, kLogRate) == doctest::Approx(12.0 / kLogRate).epsilon(1e-15));
  ProcessingOptions ahead = options;
  ahead.causal = false;
  const Dataset in_time = Process(dataset, ahead);
  for (const Channel& channel : centred.channels()) {
    REQUIRE(channel.samples.rows() == 801 - 24);
    CHECK(channel.time_s == in_time.Get(channel.name).time_s.tail(777));
    CHECK(channel.samples == in_time.Get(channel.name).samples.middleRows(12, 777));
  }
  options.differentiate.pop_back();  // the windows of velocities are smaller
  CHECK(CausalDelay(options, kLogRate) == doctest::Approx(7.0 / kLogRate).epsilon(1e-15));

  options.differentiate.emplace_back(kJointAcceleration);
  windows.window = WindowPlace::kEnding;
  options.difference = windows;
  CHECK(CausalDelay(options, kLogRate) == 0.0);
  const Dataset ending = Process(dataset, options);
  CHECK(ending.Get(kJointPosition).time_s == dataset.Get(kJointPosition).time_s.tail(799));
  CHECK(ending.Get(kJointPosition).samples == dataset.Get(kJointPosition).samples.bottomRows(799));
  // A window of n samples tells the velocity (n − 1)/2 steps ago; of 4, which hold a parabola of
  // 9.9 rad/s² within 1.5 counts, 7.5 ms.
  const Channel& velocity = ending.Get(kJointVelocity);
  const auto error_at = [&](double late_s) {
    const Eigen::ArrayXd phase = kLogOmega * (velocity.time_s.array() - late_s);
    return (velocity.samples.col(0).array() - kLogOmega * phase.cos()).square().mean();
  };
  CHECK(error_at(0.0075) < 0.2 * error_at(0.0));
}

TEST_CASE("Processing that is not causal looks ahead exactly where it is said to") {
  constexpr double kNow = 2.5052;  // between two samples at 170 Hz, behind one at 200 and 330
  const Dataset dataset = Moving(UniformTime(0.0, 4.0, 170.0));
  for (ProcessingOptions options : AllProcessings(false)) {
    options.decimate_to_hz.reset();  // of which the last one kept may be far from the change
    CAPTURE(WriteFields(Visit(options)).dump());
    const Dataset changed = Process(ChangedAfter(dataset, kNow, false), options);
    const bool causal = SameUntil(Process(dataset, options), changed, kNow);
    CHECK(causal != LooksAhead(options));
  }
}

TEST_CASE("Causal processing delays all channels by the same time, which is told") {
  for (ProcessingOptions options : AllProcessings(true)) {
    CAPTURE(WriteFields(Visit(options)).dump());
    const Dataset delayed = Process(Moving(UniformTime(0.0, 8.0, kLogRate)), options);
    const double delay_s = CausalDelay(options, kLogRate);
    const bool works = options.lowpass || !options.differentiate.empty() ||
                       (options.resample_rate_hz && *options.resample_rate_hz != kLogRate);
    CHECK((delay_s > 0.0) == works);
    const auto error_of = [&](std::string_view name, double amplitude, double shift) {
      const Channel& channel = delayed.Get(name);
      const Eigen::ArrayXd phase = kLogOmega * (channel.time_s.array() - delay_s) + shift;
      // Behind the start, which drop_edges_s of 0 keeps.
      const Eigen::Index from = channel.time_s.size() / 2;
      return (channel.samples.col(0).array() - amplitude * phase.sin())
          .tail(channel.time_s.size() - from)
          .abs()
          .maxCoeff();
    };
    // The filter's delay at 0.5 Hz is that at 0 Hz but for (f/f_c)² = 0.0025 of it, 0.0004 rad;
    // differences over 6 samples miss by (3ωh)²/6 = 0.0004.
    const double quarter = 0.5 * std::numbers::pi;
    CHECK(error_of(kJointPosition, 1.0, 0.0) < 2e-3);
    CHECK(error_of(kJointVelocity, kLogOmega, quarter) < 2e-3 * kLogOmega);
    CHECK(error_of(kJointTorque, -kLogOmega * kLogOmega, 0.0) < 2e-3 * kLogOmega * kLogOmega);
    // Second differences of chords show their corners.
    if (options.interpolation == Interpolation::kLinear) continue;
    CHECK(error_of(kJointAcceleration, -kLogOmega * kLogOmega, 0.0) < 3e-3 * kLogOmega * kLogOmega);
  }
}

TEST_CASE("Causal differences are the central ones, later, and other channels wait for them") {
  ProcessingOptions options;
  options.differentiate = {std::string(kJointVelocity), std::string(kJointAcceleration)};
  options.difference_half_width = 3;
  const Dataset dataset = Moving(UniformTime(0.0, 4.0, kLogRate));
  const Dataset central = Process(dataset, options);
  options.causal = true;
  const Dataset causal = Process(dataset, options);
  for (const Channel& channel : causal.channels()) {
    const Channel& other = central.Get(channel.name);
    REQUIRE(channel.time_s.size() == other.time_s.size() - 6);
    CHECK(channel.time_s == other.time_s.tail(channel.time_s.size()));
    CHECK(channel.samples == other.samples.middleRows(3, channel.time_s.size()));
    CHECK(channel.origin == other.origin);
    CHECK(channel.sigma.size() == other.sigma.size());
  }
}

TEST_CASE("A causal low-pass filters exact channels too, and drops the beginning alone") {
  ProcessingOptions options;
  options.causal = true;
  options.lowpass.emplace().cutoff_hz = 10.0;
  const Dataset dataset = Moving(UniformTime(0.0, 4.0, kLogRate));
  const Dataset filtered = Process(dataset, options);
  CHECK(filtered.lowpass_cutoff_hz == 10.0);
  const ButterworthLowpass filter(5, 10.0, kLogRate);
  for (const Channel& channel : filtered.channels()) {
    CHECK(channel.time_s == dataset.channels()[0].time_s.tail(801 - filter.EdgeSamples()));
    CHECK(channel.sigma.size() == 0);
    CHECK((channel.origin == Origin::kOracle) ==
          (dataset.Get(channel.name).origin == Origin::kOracle));
    Eigen::MatrixXd once = dataset.Get(channel.name).samples;
    filter.ApplyCausal(once);
    CHECK(channel.samples == once.bottomRows(channel.samples.rows()));
  }
}

TEST_CASE("What cannot be processed causally is refused with the cure") {
  ProcessingOptions options;
  options.causal = true;
  Dataset apart("run1", Role::kIdentification);
  const Eigen::VectorXd time_s = UniformTime(0.0, 1.0, kLogRate);
  apart.Add(ChannelAt(kJointPosition, time_s, time_s));
  apart.Add(ChannelAt(kJointTorque, time_s.array() + 0.001, time_s));
  const std::string own =
      ": 'joint_position' and 'joint_torque' have time stamps of their own, and causal processing "
      "delays all channels alike\n  set resample_rate_hz";
  CHECK(CausalMessage(apart, options) == "no error");
  options.differentiate = {std::string(kJointVelocity)};
  CHECK(CausalMessage(apart, options) == "dataset 'run1': /processing/differentiate" + own);
  options.lowpass.emplace().cutoff_hz = 10.0;
  CHECK(CausalMessage(apart, options) == "dataset 'run1': /processing/lowpass" + own);
  options.lowpass->drop_edges_s = 0.0;
  options.resample_rate_hz = kLogRate;
  CHECK(CausalMessage(apart, options) == "no error");
  options.lowpass->drop_edges_s = 2.0;
  CHECK(CausalMessage(apart, options) ==
        "dataset 'run1': /processing/lowpass/drop_edges_s: 2 s dropped at the beginning leave "
        "nothing of the 0.97 s recorded\n  record longer, raise the cut-off, or set drop_edges_s");

  options = {};
  options.causal = true;
  options.resample_rate_hz = kLogRate;
  Eigen::VectorXd gap(150);
  gap << time_s.head(100), time_s.tail(50);
  Dataset lost("run1", Role::kIdentification);
  lost.Add(ChannelAt(kJointPosition, gap, gap));
  CHECK(CausalMessage(lost, options) ==
        "dataset 'run1': /processing/resample_rate_hz: 'joint_position' has steps near 0.49 s that "
        "are more than 10 % longer than usual: causal resampling would have to look ahead\n"
        "  let sensors hold what they lose (dropout \"hold\"), or leave out causal");
  Dataset little("run1", Role::kIdentification);
  const Eigen::VectorXd few = UniformTime(0.0, 0.01, kLogRate);
  little.Add(ChannelAt(kJointPosition, few, few));
  little.Add(ChannelAt(kJointTorque, few.array() + 1e-4, few));
  CHECK(CausalMessage(little, options) ==
        "dataset 'run1': /processing/resample_rate_hz: causal resampling looks back by 3 steps, "
        "and there are 2 instants");
}

}  // namespace
}  // namespace idbench
