#include "bench/notes/data_notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <variant>

#include "bench/trial/labelled_estimators.h"
#include "estimators/interface/online_estimator.h"
#include "estimators/registry.h"
#include "robots/recording/filter.h"

namespace idbench {
namespace {

/// Share by which the step of an adaptive window may miss that of the encoder: of rounded numbers.
constexpr double kCountTolerance = 1e-3;

bool Lists(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// Whether the low-pass, if there is one, filters the channel as measured.
bool IsLowpassed(const ProcessingOptions& processing, std::string_view channel) {
  return IsFiltered(processing, channel, Origin::kMeasured);
}

/// Whether the channel is noisy as it comes: measured, and not filtered by those who recorded it.
bool IsNoisy(const Scenario& scenario, const SensorOptions* sensors, std::string_view channel) {
  if (sensors == nullptr) return !Lists(scenario.recording->derived, channel);
  const ChannelSensorOptions& sensor = (*sensors)[channel];
  const auto some = [](const PerJoint& values) {
    return std::ranges::any_of(values.values, [](double value) { return value != 0.0; });
  };
  return sensor.origin == SensorOrigin::kMeasured &&
         (some(sensor.noise_std) || some(sensor.quantisation));
}

void AddDifferences(const Scenario& scenario, const SensorOptions* sensors,
                    std::vector<std::string>& notes) {
  const ProcessingOptions& processing = scenario.processing;
  if (!Lists(processing.differentiate, kJointAcceleration)) return;
  if (std::holds_alternative<AdaptiveWindowOptions>(processing.difference)) return;
  const bool of_position = processing.acceleration_from == AccelerationSource::kPosition;
  const std::string_view source = of_position ? kJointPosition : kJointVelocity;
  if (IsLowpassed(processing, source) || !IsNoisy(scenario, sensors, source)) return;
  notes.push_back(
      fmt::format("accelerations are differences of {} without a low-pass: their noise biases fits "
                  "and enters every score; set /processing/lowpass above the motion's frequencies",
                  of_position ? "positions" : "velocities"));
}

/// Channels that are measured, and that estimators get derived from another one.
void AddUnusedMeasured(const Scenario& scenario, const SensorOptions* sensors,
                       std::vector<std::string>& notes) {
  for (const std::string& name : scenario.processing.differentiate) {
    const bool measured = sensors != nullptr ? (*sensors)[name].origin == SensorOrigin::kMeasured
                                             : scenario.recording->columns[name].has_value();
    if (!measured) continue;
    notes.push_back(
        fmt::format("estimators do not get the measured {}: /processing/differentiate derives it "
                    "anew; take it off that list to use what was measured",
                    name));
  }
}

/// Adaptive windows of another step than that of the encoder, which their band is made of.
void AddOtherCounts(const ProcessingOptions& processing, const SensorOptions* sensors,
                    std::vector<std::string>& notes) {
  const auto* windows = std::get_if<AdaptiveWindowOptions>(&processing.difference);
  if (windows == nullptr || sensors == nullptr || processing.differentiate.empty()) return;
  const ChannelSensorOptions& position = (*sensors)[kJointPosition];
  if (position.origin != SensorOrigin::kMeasured) return;
  const PerJoint& steps = position.quantisation;
  const std::size_t joints = std::max(steps.values.size(), windows->count_rad.values.size());
  for (std::size_t j = 0; j < joints; ++j) {
    const double step = steps[j];
    const double count = windows->count_rad[j];
    // Without steps noise alone decides the band, and which is right nobody knows.
    if (step == 0.0 || std::abs(count - step) <= kCountTolerance * step) continue;
    notes.push_back(
        fmt::format("adaptive windows take steps of {:.4g} rad for those of the encoder, which are "
                    "{:.4g} rad: their band is {:.3g} times what it says; set "
                    "/processing/difference/count_rad",
                    count, step, count / step));
    return;
  }
}

void AddDecimation(const ProcessingOptions& processing, std::vector<std::string>& notes) {
  if (!processing.decimate_to_hz || processing.lowpass) return;
  notes.push_back(
      fmt::format("decimated to {0:.4g} Hz without a low-pass: all above {1:.4g} Hz, noise too, "
                  "aliases into what is kept; set /processing/lowpass, cutoff_hz {2:.3g} or less",
                  *processing.decimate_to_hz, 0.5 * *processing.decimate_to_hz,
                  0.4 * *processing.decimate_to_hz));
}

/// @param datasets  metrics compare with their torques.
void AddFilteredTorques(const ProcessingOptions& processing, std::span<const Dataset> datasets,
                        std::vector<std::string>& notes) {
  if (!IsLowpassed(processing, kJointTorque)) return;
  const bool filtered = std::ranges::any_of(datasets, [](const Dataset& dataset) {
    const Channel* torque = dataset.Find(kJointTorque);
    return torque != nullptr && torque->origin == Origin::kDerived;
  });
  if (!filtered) return;
  notes.push_back(
      fmt::format("metrics of measured joint torques compare with torques filtered at {:.4g} Hz, "
                  "those of validation too: against torques as measured errors differ, and "
                  "published ones may be of these",
                  processing.lowpass->cutoff_hz));
}

/// What a scenario asks of estimates as they were while data came in; "" if nothing: one that
/// compares what methods find in the end uses online methods as it does batch ones. The series of
/// trial 0 alone is kept without being asked for.
std::string FollowedBy(const Scenario& scenario) {
  if (!scenario.windows.empty()) return "in /windows";
  if (!scenario.evaluate_at_s.empty()) return "at /evaluate_at_s";
  const bool asked =
      !scenario.keep_series.empty() && scenario.keep_series != Scenario().keep_series;
  return asked ? "by /keep_series" : "";
}

/// What lets data tell of what is to come.
std::string AheadBy(const ProcessingOptions& processing) {
  std::vector<std::string> parts;
  if (processing.resample_rate_hz) {
    parts.push_back(
        fmt::format("interpolation {}", processing.interpolation == Interpolation::kCubic
                                            ? "reads two samples ahead"
                                            : "reads one sample ahead"));
  }
  if (const auto& lowpass = processing.lowpass) {
    parts.push_back(
        fmt::format("the low-pass, of zero phase, tells of what comes up to {:.2g} s later",
                    FilterEdge(lowpass->order, lowpass->cutoff_hz)));
  }
  if (const int samples = DifferenceReach(processing); samples > 0) {
    const bool adapts = std::holds_alternative<AdaptiveWindowOptions>(processing.difference);
    parts.push_back(fmt::format("{} {} sample{} ahead",
                                adapts ? "adaptive windows read up to" : "central differences read",
                                samples, samples == 1 ? "" : "s"));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// @param followed  see FollowedBy().
void AddDataAhead(const Scenario& scenario, const std::string& followed,
                  std::vector<std::string>& notes) {
  if (!LooksAhead(scenario.processing)) return;
  std::vector<std::string> online;
  for (const auto& [label, estimator] : MakeEstimators(scenario)) {
    if (dynamic_cast<const OnlineEstimator*>(estimator.get()) != nullptr) online.push_back(label);
  }
  if (online.empty()) return;
  notes.push_back(fmt::format(
      "{} {} followed while data come in ({}), and these data look ahead: {}; a robot has no such "
      "data, and changes are found too early; set /processing/causal",
      ListSome(online), online.size() == 1 ? "is" : "are", followed, AheadBy(scenario.processing)));
}

/// Recursive methods that look ahead by themselves, whatever data they get.
/// @param followed  see FollowedBy().
void AddMethodsAhead(const Scenario& scenario, const std::string& followed,
                     std::vector<std::string>& notes) {
  Labelled<std::vector<std::string>> ahead;  // by what: labels
  for (const auto& [label, options] : scenario.estimators) {
    const std::string by(FindEstimator(options.type)->ahead);
    if (by.empty()) continue;
    auto alike = std::ranges::find(ahead, by, [](const auto& each) { return each.first; });
    if (alike == ahead.end()) alike = ahead.insert(alike, {by, {}});
    alike->second.push_back(label);
  }
  for (const auto& [by, labels] : ahead) {
    const bool one = labels.size() == 1;
    notes.push_back(fmt::format(
        "{} {} recursive and followed while data come in ({}), and {} ahead by {}: {}; no "
        "processing makes {} causal",
        ListSome(labels), one ? "is" : "are", followed, one ? "looks" : "look",
        one ? "itself" : "themselves", by, one ? "it" : "them"));
  }
}

void AddLookingAhead(const Scenario& scenario, std::vector<std::string>& notes) {
  const std::string followed = FollowedBy(scenario);
  if (followed.empty()) return;
  AddDataAhead(scenario, followed, notes);
  AddMethodsAhead(scenario, followed, notes);
}

/// The channel that one is read from, or derived from by the processing.
std::string_view SourceOf(std::string_view channel, const ProcessingOptions& processing) {
  if (!Lists(processing.differentiate, channel)) return channel;
  const bool of_velocity = channel == kJointAcceleration &&
                           processing.acceleration_from == AccelerationSource::kVelocity;
  return of_velocity ? SourceOf(kJointVelocity, processing) : kJointPosition;
}

/// Delays of what a simulation's sensors read, by channel that estimators get [s].
Labelled<double> SensorDelays(const SensorOptions& sensors, const ProcessingOptions& processing) {
  Labelled<double> delays;
  for (const ChannelSensorOptions* sensor : sensors.channels()) {
    const std::string_view name = sensor->channel->name;
    const std::string_view source = SourceOf(name, processing);
    if (source != name) {
      delays.emplace_back(name, sensors[source].delay_s);
    } else if (sensor->origin != SensorOrigin::kAbsent) {
      delays.emplace_back(name, sensor->delay_s);
    }
  }
  return delays;
}

/// "all channels are 0.03 s late", of the processing and of sensors together.
std::string LateText(double processing_s, const Labelled<double>& delays) {
  const auto equal = [&delays](const auto& each) { return each.second == delays[0].second; };
  if (std::ranges::all_of(delays, equal)) {
    const double sensors_s = delays.empty() ? 0.0 : delays[0].second;
    return fmt::format("all channels are {:.3g} s late{}", processing_s + sensors_s,
                       sensors_s > 0.0
                           ? fmt::format(" ({:.3g} s of it by delay_s of the sensors)", sensors_s)
                           : "");
  }
  std::vector<std::string> late;
  for (const auto& [channel, delay_s] : delays) {
    late.push_back(fmt::format("{} {:.3g} s", channel, processing_s + delay_s));
  }
  return fmt::format(
      "channels are late by {:.3g} s of processing and by delay_s of their sensors: "
      "{}",
      processing_s, fmt::join(late, ", "));
}

/// @param sensors  nullptr for recordings, of which each channel has its rate.
void AddCausalDelay(const ProcessingOptions& processing, const SensorOptions* sensors,
                    std::vector<std::string>& notes) {
  ProcessingOptions prompt = processing;
  prompt.causal = false;
  if (!processing.causal || !LooksAhead(prompt)) return;
  notes.push_back(fmt::format("causal processing: {}, and their stamps are not advanced",
                              sensors == nullptr
                                  ? "all channels are late by the same time"
                                  : LateText(CausalDelay(processing, sensors->rate_hz),
                                             SensorDelays(*sensors, processing))));
}

/// Windows that end at each sample tell rates of their middle.
void AddLateRates(const ProcessingOptions& processing, std::vector<std::string>& notes) {
  const auto* windows = std::get_if<AdaptiveWindowOptions>(&processing.difference);
  if (windows == nullptr || windows->window != WindowPlace::kEnding) return;
  std::vector<std::string> late;
  for (const std::string& name : processing.differentiate) {
    const int reach = WindowOf(*windows, DerivativeOfPosition(name)).reach();
    late.push_back(fmt::format("{} by up to {:g} samples", name, 0.5 * reach));
  }
  notes.push_back(
      fmt::format("rates of windows that end at each sample are late by half of each window, and "
                  "other channels are not: {}; the longest are those where the robot is slow; set "
                  "/processing/difference/window to centred",
                  fmt::join(late, ", ")));
}

}  // namespace

std::vector<std::string> ProcessingNotes(const Scenario& scenario, const SensorOptions* sensors,
                                         std::span<const Dataset> datasets) {
  std::vector<std::string> notes;
  AddDifferences(scenario, sensors, notes);
  AddUnusedMeasured(scenario, sensors, notes);
  AddOtherCounts(scenario.processing, sensors, notes);
  AddDecimation(scenario.processing, notes);
  AddLookingAhead(scenario, notes);
  AddCausalDelay(scenario.processing, sensors, notes);
  AddLateRates(scenario.processing, notes);
  // What scores of a declared smoothing compare with, MakeScores() tells.
  if (!scenario.scoring) AddFilteredTorques(scenario.processing, datasets, notes);
  return notes;
}

std::vector<std::string> SharedFileNotes(std::span<const UsedFile> files) {
  std::vector<std::string> notes;
  for (std::size_t b = 0; b < files.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      const UsedFile& first = files[a];
      const UsedFile& second = files[b];
      if (first.role == second.role || first.sha256 != second.sha256) continue;
      if (first.from_s >= second.until_s || second.from_s >= first.until_s) continue;
      std::string note = fmt::format(
          "{} ({}) and {} ({}) have the same data, {}: what was trained on validates nothing",
          first.experiment, ToString(first.role), second.experiment, ToString(second.role),
          first.name == second.name ? first.name
                                    : fmt::format("{} and {}", first.name, second.name));
      if (!Lists(notes, note)) notes.push_back(std::move(note));
    }
  }
  return notes;
}

}  // namespace idbench
