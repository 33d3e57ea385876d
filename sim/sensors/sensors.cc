#include "sim/sensors/sensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sim/sensors/per_joint.h"

namespace idbench {
namespace {

/// Key of a number that has the channel's unit.
std::string Key(const ChannelInfo& channel, std::string_view name) {
  return fmt::format("{}_{}", name, channel.suffix);
}

/// "joints", "motors" or "components".
std::string PartsKey(const ChannelInfo& channel) { return fmt::format("{}s", PartOf(channel)); }

bool HasEffects(const ChannelSensorOptions& channel) {
  return AnyNonZero(channel.sine_error) || AnyNonZero(channel.noise_std) ||
         AnyNonZero(channel.noise_peak_fraction) || AnyNonZero(channel.bias) ||
         AnyNonZero(channel.bias_shift_std) || AnyNonZero(channel.drift_std) ||
         channel.calibration_error || AnyNonZero(channel.quantisation) || channel.declared_sigma ||
         channel.delay_s != 0.0 || channel.dropout_fraction != 0.0 || !channel.parts.values.empty();
}

bool HasBiasShift(const ChannelSensorOptions& channel) {
  return AnyNonZero(channel.bias_shift_std) ||
         std::ranges::any_of(channel.parts.values, [](const auto& item) {
           return item.second.bias_shift_std.value_or(0.0) != 0.0;
         });
}

bool UsesPeak(const ChannelSensorOptions& channel) {
  return AnyNonZero(channel.noise_peak_fraction) ||
         std::ranges::any_of(channel.parts.values, [](const auto& item) {
           return item.second.noise_peak_fraction.value_or(0.0) != 0.0;
         });
}

/// Names of a channel's columns.
std::vector<std::string> PartNames(const ChannelInfo& channel, const SensedParts& parts) {
  if (channel.parts == ChannelParts::kJoints) return parts.joints;
  if (channel.parts == ChannelParts::kMotors) return parts.motors;
  const auto components = ComponentsOf(channel);
  return {components.begin(), components.end()};
}

/// Lists that have neither one number nor one per part.
void CheckLengths(const ChannelSensorOptions& channel, const std::string& where,
                  const std::vector<std::string>& parts, std::vector<Issue>& issues) {
  const auto check = [&](const std::string& key, const PerJoint& numbers) {
    CheckCount(numbers, PointerTo(where, key), parts, issues);
  };
  const ChannelInfo& info = *channel.channel;
  if (info.on_axis) check(Key(info, "sine_error"), channel.sine_error);
  check(Key(info, "noise_std"), channel.noise_std);
  check("noise_peak_fraction", channel.noise_peak_fraction);
  check(Key(info, "bias"), channel.bias);
  check(Key(info, "bias_shift_std"), channel.bias_shift_std);
  check(Key(info, "drift_std"), channel.drift_std);
  check(Key(info, "quantisation"), channel.quantisation);
  if (channel.declared_sigma) check(Key(info, "declared_sigma"), *channel.declared_sigma);
}

void CheckChannel(const ChannelSensorOptions& channel, const std::string& where,
                  const std::vector<std::string>& parts, std::vector<Issue>& issues) {
  const ChannelInfo& info = *channel.channel;
  const std::size_t issues_before = issues.size();
  for (const auto& [name, own] : channel.parts.values) {
    if (std::ranges::find(parts, name) != parts.end()) continue;
    issues.push_back({PointerTo(PointerTo(where, PartsKey(info)), name),
                      fmt::format("unknown {}", PartOf(info)), AcceptedNames(name, parts)});
  }
  CheckLengths(channel, where, parts, issues);
  if (issues.size() != issues_before) return;
  for (std::size_t j = 0; j < parts.size(); ++j) {
    const PartSensorOptions part = OfPart(channel, parts[j], j);
    if (*part.noise_std == 0.0 || *part.noise_peak_fraction == 0.0) continue;
    issues.push_back({where,
                      fmt::format("{} '{}' has both {} and noise_peak_fraction", PartOf(info),
                                  parts[j], Key(info, "noise_std")),
                      {"give one of them, or 0"}});
  }
}

/// σ of a reading with noise of `sigma`, rounded to a step.
double SigmaWithStep(double sigma, double step) {
  return step == 0.0 ? sigma : std::sqrt(sigma * sigma + step * step / 12.0);
}

void ResolveChannel(ChannelSensorOptions& channel, const std::vector<std::string>& parts,
                    const Signals& desired, bool quantisation_in_sigma) {
  const ChannelInfo& info = *channel.channel;
  ChannelSensorOptions resolved = channel;
  resolved.parts = ChannelSensorOptions(info).parts;
  resolved.declared_sigma.reset();
  const std::size_t n = parts.size();
  for (PerJoint* numbers :
       {&resolved.sine_error, &resolved.noise_std, &resolved.noise_peak_fraction, &resolved.bias,
        &resolved.bias_shift_std, &resolved.drift_std, &resolved.quantisation}) {
    numbers->values.assign(n, 0.0);
  }
  std::vector<double> declared(n);
  bool declares = false;
  for (std::size_t j = 0; j < n; ++j) {
    const PartSensorOptions part = OfPart(channel, parts[j], j);
    double sigma = *part.noise_std;
    if (*part.noise_peak_fraction != 0.0) {
      sigma = *part.noise_peak_fraction *
              desired[info.name].col(static_cast<Eigen::Index>(j)).lpNorm<Eigen::Infinity>();
    }
    resolved.sine_error.values[j] = *part.sine_error;
    resolved.noise_std.values[j] = sigma;
    resolved.bias.values[j] = *part.bias;
    resolved.bias_shift_std.values[j] = *part.bias_shift_std;
    resolved.drift_std.values[j] = *part.drift_std;
    resolved.quantisation.values[j] = *part.quantisation;
    if (quantisation_in_sigma) sigma = SigmaWithStep(sigma, *part.quantisation);
    declared[j] = part.declared_sigma.value_or(sigma);
    declares = declares || part.declared_sigma || sigma != 0.0;
  }
  if (declares) resolved.declared_sigma = PerJoint{declared};
  channel = resolved;
}

/// Adds the numbers that a channel and a single part have in common.
template <class Options>
void AddEffects(FieldTable& table, Options& options) {
  const ChannelInfo& info = *options.channel;
  const std::string unit(info.unit);
  if (info.on_axis) {
    table.Add(Key(info, "sine_error"), options.sine_error,
              {.doc = "Amplitude a of an error a·sin(q), such as that of a magnet beside its axis",
               .unit = unit});
  }
  table
      .Add(Key(info, "noise_std"), options.noise_std,
           {.doc = "Standard deviation of white Gaussian noise", .unit = unit, .lower = 0})
      .Add("noise_peak_fraction", options.noise_peak_fraction,
           {.doc = fmt::format(
                "Standard deviation of the noise as a fraction of the {}'s greatest absolute clean "
                "signal on the desired motion, over the duration for which it was designed, or in "
                "the "
                "roll-out of open-loop torque",
                PartOf(info)),
            .lower = 0})
      .Add(Key(info, "bias"), options.bias, {.doc = "Constant error", .unit = unit})
      .Add(Key(info, "bias_shift_std"), options.bias_shift_std,
           {.doc = "Standard deviation of a constant error that is drawn, see bias_shift_draw",
            .unit = unit,
            .lower = 0})
      .Add(Key(info, "drift_std"), options.drift_std,
           {.doc = "Standard deviation of an error that drifts during an experiment (a stationary "
                   "Ornstein-Uhlenbeck process)",
            .unit = unit,
            .lower = 0})
      .Add(Key(info, "quantisation"), options.quantisation,
           {.doc = "Step of the reading; 0: none", .unit = unit, .lower = 0})
      .Add(Key(info, "declared_sigma"), options.declared_sigma,
           {.doc = fmt::format("Standard deviation that estimators are told; null: the true one of "
                               "the readings, and none if no {} has noise or a step",
                               PartOf(info)),
            .unit = unit,
            .lower = 0});
}

}  // namespace

PartSensorOptions OfPart(const ChannelSensorOptions& channel, const std::string& name,
                         std::size_t part) {
  PartSensorOptions merged = channel.parts.prototype;
  const auto own =
      std::ranges::find(channel.parts.values, name, [](const auto& item) { return item.first; });
  if (own != channel.parts.values.end()) merged = own->second;
  if (!merged.noise_std && !merged.noise_peak_fraction) {
    merged.noise_std = channel.noise_std[part];
    merged.noise_peak_fraction = channel.noise_peak_fraction[part];
  }
  merged.noise_std = merged.noise_std.value_or(0.0);
  merged.noise_peak_fraction = merged.noise_peak_fraction.value_or(0.0);
  if (!merged.sine_error) merged.sine_error = channel.sine_error[part];
  if (!merged.bias) merged.bias = channel.bias[part];
  if (!merged.bias_shift_std) merged.bias_shift_std = channel.bias_shift_std[part];
  if (!merged.drift_std) merged.drift_std = channel.drift_std[part];
  if (!merged.quantisation) merged.quantisation = channel.quantisation[part];
  if (!merged.declared_sigma && channel.declared_sigma) {
    merged.declared_sigma = (*channel.declared_sigma)[part];
  }
  return merged;
}

ChannelSensorOptions::ChannelSensorOptions(const ChannelInfo& of)
    : channel(&of), origin(of.origin), parts({.channel = &of}) {}

FieldTable Visit(PartSensorOptions& options) {
  FieldTable table;
  AddEffects(table, options);
  return table;
}

FieldTable Visit(ChannelSensorOptions& options) {
  const ChannelInfo& info = *options.channel;
  FieldTable table;
  table.Add("origin", options.origin,
            {.doc = "Origin of the readings: measured with the effects below (measured), exact and "
                    "marked so in every table (oracle), or no such channel (absent)"});
  AddEffects(table, options);
  table.Add("bias_shift_draw", options.bias_shift_draw,
            {.doc = "Draw that error anew in each experiment (experiment), or once for all "
                    "experiments of a trial (trial)"});
  table.Add("drift_time_s", options.drift_time_s,
            {.doc = "Correlation time of the drift", .unit = "s", .lower = 0, .lower_open = true});
  if (info.parts == ChannelParts::kWrench) {
    table.Add("calibration_error", options.calibration_error,
              {.doc = "Error of the sensor's calibration matrix, in no declared σ; null: none"});
  } else {
    table.Refuse("calibration_error", "is for forces and moments alone");
  }
  table
      .Add("delay_s", options.delay_s,
           {.doc =
                "Age of the readings, which are interpolated linearly between samples; data of all "
                "channels begin when the longest age has passed",
            .unit = "s",
            .lower = 0})
      .Add("dropout_fraction", options.dropout_fraction,
           {.doc = "Probability that a sample is lost, with all its numbers at once; the first "
                   "sample is never lost",
            .lower = 0,
            .upper = 1})
      .Add("dropout", options.dropout,
           {.doc = "Lost samples: they read as the last one (hold), or they are missing and the "
                   "channel has a time vector of its own (missing)"});
  table.Add(PartsKey(info), options.parts,
            {.doc = fmt::format("Options of single {}, by name, in place of the channel's",
                                PartsKey(info)),
             .former_key = info.parts == ChannelParts::kMotors ? "joints" : ""});
  table.Check([&options](std::vector<Issue>& issues) {
    if (options.origin == SensorOrigin::kMeasured || !HasEffects(options)) return;
    issues.push_back(
        {"/origin",
         fmt::format("the channel is {}, but has noise, bias, drift, calibration error, "
                     "quantisation, declared sigma, delay, drop-outs or {} of its own",
                     ToString(options.origin), PartsKey(*options.channel)),
         {"give it the origin \"measured\", or leave those out"}});
  });
  table.Check([&options](std::vector<Issue>& issues) {
    if (options.bias_shift_draw != ShiftDraw::kTrial || HasBiasShift(options)) return;
    const std::string std = Key(*options.channel, "bias_shift_std");
    issues.push_back(
        {"/bias_shift_draw",
         fmt::format("is \"trial\", but nothing is drawn: {} is 0", std),
         {fmt::format("give {}, or leave it out; a sweep sets both in the same cells", std)}});
  });
  return table;
}

void Binding<PlacedSensors>::Read(const Json& json, const std::string& pointer,
                                  const FieldInfo& info, PlacedSensors& value,
                                  std::vector<Issue>& issues) {
  Binding<LabelledAlike<ChannelSensorOptions>>::Read(json, pointer, info, value, issues);
  for (auto& [place, sensors] : value.values) {
    sensors.channel = FindChannel(NameAt(value.prototype.channel->name, place));
    if (sensors.channel != nullptr) continue;
    sensors.channel = value.prototype.channel;
    issues.push_back({pointer, "a place has no name", {}});
  }
}

void Binding<PlacedSensors>::Write(const PlacedSensors& value, Json& json) {
  Binding<LabelledAlike<ChannelSensorOptions>>::Write(value, json);
}

void Binding<PlacedSensors>::Schema(const FieldInfo& info, const PlacedSensors& value,
                                    Json& schema) {
  Binding<LabelledAlike<ChannelSensorOptions>>::Schema(info, value, schema);
}

SensorOptions::SensorOptions() {
  for (const ChannelInfo& channel : kChannels) {
    channels_.emplace_back(channel);
    places_.emplace_back(channel);
  }
}

ChannelSensorOptions& SensorOptions::operator[](std::string_view name) {
  const ChannelInfo& channel = ChannelNamed(name);
  if (channel.kind == nullptr) return channels_[IndexOf(channel)];
  Labelled<ChannelSensorOptions>& places = places_[IndexOf(channel)].values;
  for (auto& [place, sensors] : places) {
    if (place == channel.mount) return sensors;
  }
  return places.emplace_back(channel.mount, channel).second;
}

const ChannelSensorOptions& SensorOptions::operator[](std::string_view name) const {
  const ChannelInfo& channel = ChannelNamed(name);
  if (channel.kind == nullptr) return channels_[IndexOf(channel)];
  for (const auto& [place, sensors] : places_[IndexOf(channel)].values) {
    if (place == channel.mount) return sensors;
  }
  static const ChannelSensorOptions kAbsent = [] {
    ChannelSensorOptions absent(ChannelNamed(kWrenchAtCut));
    absent.origin = SensorOrigin::kAbsent;
    return absent;
  }();
  return kAbsent;
}

PerJoint SensorOptions::TrueSigma(const ChannelSensorOptions& channel) const {
  PerJoint sigma = channel.noise_std;
  for (std::size_t k = 0; quantisation_in_sigma && k < sigma.values.size(); ++k) {
    sigma.values[k] = SigmaWithStep(sigma.values[k], channel.quantisation[k]);
  }
  return sigma;
}

bool SensorOptions::CountsQuantisation(const ChannelSensorOptions& channel) const {
  return quantisation_in_sigma && AnyNonZero(channel.quantisation);
}

bool SensorOptions::DeclaresSigma(std::string_view name) const {
  const ChannelSensorOptions& channel = (*this)[name];
  const auto has_step = [this](const std::optional<double>& step) {
    return quantisation_in_sigma && step.value_or(0.0) != 0.0;
  };
  return AnyNonZero(channel.noise_std) || AnyNonZero(channel.noise_peak_fraction) ||
         channel.declared_sigma || CountsQuantisation(channel) ||
         std::ranges::any_of(channel.parts.values, [&](const auto& item) {
           const PartSensorOptions& joint = item.second;
           return joint.declared_sigma || joint.noise_std.value_or(0.0) != 0.0 ||
                  joint.noise_peak_fraction.value_or(0.0) != 0.0 || has_step(joint.quantisation);
         });
}

std::vector<ChannelSensorOptions*> SensorOptions::channels() {
  std::vector<ChannelSensorOptions*> all;
  for (std::size_t k = 0; k < kDataChannels.size(); ++k) {
    if (!kDataChannels[k].several) all.push_back(&channels_[k]);
    for (auto& [place, sensors] : places_[k].values) all.push_back(&sensors);
  }
  return all;
}

std::vector<const ChannelSensorOptions*> SensorOptions::channels() const {
  std::vector<const ChannelSensorOptions*> all;
  for (std::size_t k = 0; k < kDataChannels.size(); ++k) {
    if (!kDataChannels[k].several) all.push_back(&channels_[k]);
    for (const auto& [place, sensors] : places_[k].values) all.push_back(&sensors);
  }
  return all;
}

FieldTable Visit(SensorOptions& options) {
  FieldTable table;
  table.Add("rate_hz", options.rate_hz,
            {.doc = "Sample rate; must divide the plant's step rate",
             .unit = "Hz",
             .lower = 0,
             .lower_open = true});
  table.Add("quantisation_in_sigma", options.quantisation_in_sigma,
            {.doc = "The true σ of readings includes step²/12 of their rounding: what estimators "
                    "are told unless a σ is declared, and what bounds count"});
  for (std::size_t k = 0; k < kDataChannels.size(); ++k) {
    const ChannelInfo& channel = kDataChannels[k];
    if (channel.several) {
      table.Add(channel.name, options.places_[k], {.doc = std::string(channel.doc)});
    } else {
      table.Add(channel.name, options.channels_[k], {.doc = std::string(channel.doc)});
    }
  }
  RefuseTruth(table);
  return table;
}

SensedParts PartsOf(const RobotModel& model) {
  SensedParts parts{model.joint_names(), model.actuation().names};
  for (const Cut& cut : model.cuts()) parts.cuts.push_back(cut.name);
  return parts;
}

std::vector<Issue> CheckSensors(const SensorOptions& options, const std::string& where,
                                const SensedParts& parts) {
  std::vector<Issue> issues;
  for (const ChannelSensorOptions* channel : options.channels()) {
    const ChannelInfo& info = *channel->channel;
    std::string own = PointerTo(where, info.kind == nullptr ? info.name : info.kind->name);
    if (info.kind != nullptr) own = PointerTo(own, info.mount);
    CheckChannel(*channel, own, PartNames(info, parts), issues);
    if (info.kind == nullptr || std::ranges::find(parts.cuts, info.mount) != parts.cuts.end()) {
      continue;
    }
    issues.push_back({own, fmt::format("the robot has no force/torque sensor \"{}\"", info.mount),
                      AcceptedNames(std::string(info.mount), parts.cuts)});
    if (parts.cuts.empty()) {
      issues.back().details = {"declare its place in /robot/force_torque_sensors"};
    }
  }
  return issues;
}

bool HasPeakFraction(const SensorOptions& options) {
  return std::ranges::any_of(options.channels(), [](const auto* each) { return UsesPeak(*each); });
}

SensorOptions Resolve(const SensorOptions& options, const SensedParts& parts,
                      const Signals& desired) {
  const std::vector<Issue> issues = CheckSensors(options, "", parts);
  if (!issues.empty()) {
    throw std::invalid_argument(ConfigError("Resolve: sensors", issues).what());
  }
  SensorOptions resolved = options;
  for (ChannelSensorOptions* channel : resolved.channels()) {
    const ChannelInfo& info = *channel->channel;
    if (UsesPeak(*channel) && desired[info.name].size() == 0) {
      throw std::invalid_argument(
          "Resolve: noise_peak_fraction needs the signals on the desired motion");
    }
    ResolveChannel(*channel, PartNames(info, parts), desired, resolved.quantisation_in_sigma);
  }
  return resolved;
}

}  // namespace idbench
