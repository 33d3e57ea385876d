#include "sim/sensors/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sim/sensors/bias.h"
#include "sim/sensors/bias_shift.h"
#include "sim/sensors/delay.h"
#include "sim/sensors/drift.h"
#include "sim/sensors/dropout.h"
#include "sim/sensors/gaussian_noise.h"
#include "sim/sensors/quantisation.h"
#include "sim/sensors/sine_error.h"

namespace idbench {
namespace {

Eigen::VectorXd ValuesOf(const PerJoint& numbers) {
  return Eigen::Map<const Eigen::VectorXd>(numbers.values.data(),
                                           static_cast<Eigen::Index>(numbers.values.size()));
}

void RequireResolved(const ChannelSensorOptions& channel, std::size_t parts) {
  bool resolved = channel.parts.values.empty() && ValuesOf(channel.noise_peak_fraction).isZero(0.0);
  for (const PerJoint* numbers :
       {&channel.sine_error, &channel.noise_std, &channel.bias, &channel.bias_shift_std,
        &channel.drift_std, &channel.quantisation}) {
    resolved = resolved && numbers->values.size() == parts;
  }
  if (channel.declared_sigma) {
    resolved = resolved && channel.declared_sigma->values.size() == parts;
  }
  if (resolved) return;
  throw std::invalid_argument(fmt::format("{}: sensor options must be resolved for {} {}s first",
                                          channel.channel->name, parts, PartOf(*channel.channel)));
}

/// What was before the roll-out nobody knows: until a delay has passed there is no reading. Returns
/// the first sample of which a sensor delayed by `delay_s` has one.
Eigen::Index FirstReading(const Eigen::VectorXd& time_s, double delay_s) {
  if (time_s.size() == 0) return 0;
  constexpr double kSameTime = 1e-9;  // [s]: a delay of whole periods gives samples
  return std::lower_bound(time_s.begin(), time_s.end(), time_s[0] + delay_s - kSameTime) -
         time_s.begin();
}

/// Puts the readings of a roll-out, from sample `first` on, into the channel.
void Read(const ChannelSensorOptions& sensor, const SensorKey& key, Eigen::Index first,
          Channel& channel) {
  const Eigen::VectorXd time_s = channel.time_s;
  const Eigen::Index own_first = FirstReading(time_s, sensor.delay_s);
  ChannelSensorOptions undelayed = sensor;
  undelayed.delay_s = 0.0;
  SensorChain chain(undelayed);
  chain.Reset({key.seed, key.trial, key.name + "/" + channel.name});
  Delay delay(sensor.delay_s);
  Eigen::VectorXd sample(channel.samples.cols());
  Eigen::Index kept = 0;
  for (Eigen::Index i = 0; i < time_s.size(); ++i) {
    const auto index = static_cast<std::uint64_t>(i);
    sample = channel.samples.row(i).transpose();
    if (sensor.delay_s != 0.0) delay.Apply(time_s[i], index, sample);
    if (i < own_first) continue;
    const bool read = chain.Apply(time_s[i], index, sample);
    if (!read || i < first) continue;
    channel.time_s[kept] = time_s[i];
    channel.samples.row(kept++) = sample.transpose();
  }
  channel.time_s.conservativeResize(kept);
  channel.samples.conservativeResize(kept, Eigen::NoChange);
}

/// @param first  sample that the channel begins with.
void AddChannel(const Signals& signals, const ChannelSensorOptions& sensor, const SensorKey& key,
                Eigen::Index first, Dataset& dataset) {
  if (sensor.origin == SensorOrigin::kAbsent) return;
  const ChannelInfo& info = *sensor.channel;
  const Eigen::MatrixXd& signal = signals[info.name];
  if (signal.rows() != signals.time_s.size()) {
    throw std::invalid_argument(
        fmt::format("{}: the roll-out was recorded without this signal", info.name));
  }
  Channel channel{.name = std::string(info.name),
                  .unit = std::string(info.unit),
                  .time_s = signals.time_s,
                  .samples = signal,
                  .sigma = {},
                  .origin = Origin::kOracle};
  if (sensor.origin == SensorOrigin::kMeasured) {
    RequireResolved(sensor, static_cast<std::size_t>(channel.samples.cols()));
    channel.origin = Origin::kMeasured;
    if (sensor.declared_sigma) channel.sigma = ValuesOf(*sensor.declared_sigma);
    Read(sensor, key, first, channel);
  } else if (first > 0) {
    const Eigen::Index left = signal.rows() - first;
    channel.time_s = Eigen::VectorXd(signals.time_s.tail(left));
    channel.samples = Eigen::MatrixXd(signal.bottomRows(left));
  }
  dataset.Add(std::move(channel));
}

}  // namespace

SensorChain::SensorChain(const ChannelSensorOptions& channel) {
  RequireResolved(channel, channel.noise_std.values.size());
  const auto add = [this]<class Effect>(std::type_identity<Effect>, const PerJoint& numbers) {
    const Eigen::VectorXd values = ValuesOf(numbers);
    if (!values.isZero(0.0)) effects_.push_back(std::make_unique<Effect>(values));
  };
  if (channel.delay_s != 0.0) effects_.push_back(std::make_unique<Delay>(channel.delay_s));
  add(std::type_identity<SineError>{}, channel.sine_error);
  if (channel.calibration_error) {
    effects_.push_back(std::make_unique<CalibrationError>(*channel.calibration_error,
                                                          std::string(channel.channel->name)));
  }
  add(std::type_identity<Bias>{}, channel.bias);
  const Eigen::VectorXd shift = ValuesOf(channel.bias_shift_std);
  if (!shift.isZero(0.0)) {
    effects_.push_back(std::make_unique<BiasShift>(shift, channel.bias_shift_draw));
  }
  const Eigen::VectorXd drift = ValuesOf(channel.drift_std);
  if (!drift.isZero(0.0)) {
    effects_.push_back(std::make_unique<Drift>(drift, channel.drift_time_s));
  }
  add(std::type_identity<GaussianNoise>{}, channel.noise_std);
  add(std::type_identity<Quantisation>{}, channel.quantisation);
  if (channel.dropout_fraction != 0.0) {
    effects_.push_back(std::make_unique<Dropout>(channel.dropout_fraction, channel.dropout));
  }
}

void SensorChain::Reset(const SensorKey& key) {
  for (const std::unique_ptr<SensorEffect>& effect : effects_) effect->Reset(key);
}

bool SensorChain::Apply(double t, std::uint64_t index, Eigen::VectorXd& sample) {
  bool reading = true;
  for (const std::unique_ptr<SensorEffect>& effect : effects_) {
    reading = effect->Apply(t, index, sample) && reading;
  }
  return reading;
}

Dataset Measure(const Signals& signals, const SensorOptions& sensors, std::uint64_t seed,
                std::int64_t trial, const std::string& label, Role role) {
  Dataset dataset(label, role);
  const Eigen::VectorXd& t = signals.time_s;
  // From t = 0 on: the first sample may be later, where the plant steps or control is held.
  if (t.size() > 0) dataset.recorded = {0.0, t[t.size() - 1]};
  const SensorKey key{seed, trial, label};
  double longest_s = 0.0;
  for (const ChannelSensorOptions* sensor : sensors.channels()) {
    if (sensor->origin == SensorOrigin::kMeasured) longest_s = std::max(longest_s, sensor->delay_s);
  }
  const Eigen::Index first = FirstReading(t, longest_s);
  for (const ChannelSensorOptions* sensor : sensors.channels()) {
    AddChannel(signals, *sensor, key, first, dataset);
  }
  return dataset;
}

}  // namespace idbench
