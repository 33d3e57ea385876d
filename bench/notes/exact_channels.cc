#include "bench/notes/exact_channels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <vector>

#include "bench/trial/labelled_estimators.h"
#include "estimators/registry.h"

namespace idbench {
namespace {

bool IsListed(std::string_view name, const std::vector<std::string>& names) {
  return std::ranges::find(names, name) != names.end();
}

/// What the channel is computed from by the processing; itself if it is not.
std::string_view SourceOfChannel(std::string_view channel, const ProcessingOptions& processing) {
  if (!IsListed(channel, processing.differentiate)) return channel;
  const bool of_velocity = channel == kJointAcceleration &&
                           processing.acceleration_from == AccelerationSource::kVelocity;
  return of_velocity ? kJointVelocity : kJointPosition;
}

/// "joint_position (σ up to 0.001 rad, steps up to 0.002 rad)"; "" if the parts are exact.
/// @param parts  joints that count.
std::string ErrorsOf(std::string_view channel, const std::vector<int>& parts,
                     const SensorOptions& sensors) {
  const ChannelSensorOptions& sensor = sensors[channel];
  if (sensor.origin != SensorOrigin::kMeasured) return "";
  std::vector<std::string> errors;
  const auto add = [&](std::string_view what, const PerJoint& numbers) {
    double largest = 0.0;
    for (const int part : parts) {
      largest = std::max(largest, numbers[static_cast<std::size_t>(part)]);
    }
    if (largest > 0.0) {
      errors.push_back(fmt::format("{} up to {:.3g} {}", what, largest, sensor.channel->unit));
    }
  };
  add("σ", sensor.noise_std);
  add("steps", sensor.quantisation);
  return errors.empty() ? "" : fmt::format("{} ({})", channel, fmt::join(errors, ", "));
}

/// Joints of which methods take positions, velocities and accelerations as exact.
std::vector<int> PartsTakenAsExact(TakenAsExact exact, const RobotModel& model) {
  std::vector<int> parts(static_cast<std::size_t>(model.dofs()));
  std::iota(parts.begin(), parts.end(), 0);
  if (exact == TakenAsExact::kDrivenAngles) {
    std::erase_if(parts, [&](int joint) { return model.actuation().B.row(joint).isZero(0.0); });
  }
  return parts;
}

/// The channels of which a method takes what PartsTakenAsExact() tells as exact.
std::vector<std::string_view> ChannelsTakenAsExact(TakenAsExact exact,
                                                   const EstimatorNeeds& needs) {
  switch (exact) {
    case TakenAsExact::kNothing:
      break;
    case TakenAsExact::kStates:
      return {kJointPosition, kJointVelocity, kJointAcceleration};
    case TakenAsExact::kDrivenAngles: {
      // An encoder of its own gives such a method the angles of all joints.
      const bool hall = std::ranges::find(needs.channels, kHallPosition) != needs.channels.end();
      return {hall ? kHallPosition : kJointPosition};
    }
  }
  return {};
}

std::vector<std::string> ErroneousChannels(TakenAsExact exact, const EstimatorNeeds& needs,
                                           const Scenario& scenario, const Problem& problem,
                                           const SensorOptions* sensors) {
  std::vector<std::string> erroneous;
  const auto fitted = problem.measured_channels();
  const std::vector<int> parts = PartsTakenAsExact(exact, problem.model);
  for (const std::string_view channel : ChannelsTakenAsExact(exact, needs)) {
    if (std::ranges::find(fitted, channel) != fitted.end()) continue;
    const std::string_view source = SourceOfChannel(channel, scenario.processing);
    std::string told;
    if (sensors != nullptr) {
      told = ErrorsOf(source, parts, *sensors);
    } else if (scenario.recording->declared_sigma[source]) {
      told = fmt::format("{} (σ declared)", source);
    }
    if (!told.empty() && !IsListed(told, erroneous)) erroneous.push_back(std::move(told));
  }
  return erroneous;
}

}  // namespace

std::string ExactChannelsNote(const Scenario& scenario, const Problem& problem,
                              const SensorOptions* sensors) {
  std::vector<std::string> labels, channels;
  const LabelledEstimators estimators = MakeEstimators(scenario);
  for (std::size_t k = 0; k < estimators.size(); ++k) {
    const auto& [label, estimator] = estimators[k];
    const TakenAsExact exact = FindEstimator(scenario.estimators[k].second.type)->exact;
    const std::vector<std::string> erroneous =
        ErroneousChannels(exact, estimator->needs(), scenario, problem, sensors);
    if (erroneous.empty()) continue;
    labels.push_back(label);
    for (const std::string& channel : erroneous) {
      if (!IsListed(channel, channels)) channels.push_back(channel);
    }
  }
  if (labels.empty()) return "";
  const bool driven = problem.parameters.lagrangian() != nullptr;
  return fmt::format(
      "{} {} as exact what is not: {}{}; estimates may be biased, no σ of theirs counts it, and "
      "no ratio to a bound tells of efficiency",
      ListSome(labels), labels.size() == 1 ? "takes" : "take", fmt::join(channels, ", "),
      driven ? " of the joints that motors drive" : "");
}

}  // namespace idbench
