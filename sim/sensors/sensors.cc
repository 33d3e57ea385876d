#include "sim/sensors/sensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sim/sensors/per_joint.h"

namespace idbench {
namespace {

template <class Quantity>
std::string Key(std::string_view name) {
  return fmt::format("{}_{}", name, Quantity::kSuffix);
}

template <class Quantity>
constexpr bool kIsOnAxis = requires { Quantity::kOnAxis; };

template <class Options, class Function>
void ForEachChannel(Options& options, Function function) {
  function(options.joint_position);
  function(options.joint_velocity);
  function(options.joint_acceleration);
  function(options.joint_torque);
  function(options.motor_torque);
  function(options.motor_current);
  function(options.base_wrench);
  function(options.end_effector_wrench);
  function(options.actuator_torque);
  function(options.hall_position);
  function(options.accelerometer);
  function(options.gyroscope);
  function(options.distance);
}

template <class Quantity>
bool HasEffects(const ChannelSensorOptions<Quantity>& channel) {
  return AnyNonZero(channel.sine_error) || AnyNonZero(channel.noise_std) ||
         AnyNonZero(channel.noise_peak_fraction) || AnyNonZero(channel.bias) ||
         AnyNonZero(channel.quantisation) || channel.declared_sigma || channel.delay_s != 0.0 ||
         channel.dropout_fraction != 0.0 || !channel.parts.empty();
}

template <class Quantity>
bool UsesPeak(const ChannelSensorOptions<Quantity>& channel) {
  return AnyNonZero(channel.noise_peak_fraction) ||
         std::ranges::any_of(channel.parts, [](const auto& item) {
           return item.second.noise_peak_fraction.value_or(0.0) != 0.0;
         });
}

/// Names of a channel's columns.
template <class Quantity>
std::vector<std::string> PartNames(const SensedParts& parts) {
  if constexpr (requires { Quantity::kComponents; }) {
    return {Quantity::kComponents.begin(), Quantity::kComponents.end()};
  } else {
    return Quantity::kParts == OfJoints::kParts ? parts.joints : parts.motors;
  }
}

/// The part's own options; those of the channel where they are absent.
template <class Quantity>
PartSensorOptions<Quantity> OfPart(const ChannelSensorOptions<Quantity>& channel,
                                   const std::string& name, std::size_t part) {
  PartSensorOptions<Quantity> merged;
  const auto own =
      std::ranges::find(channel.parts, name, [](const auto& item) { return item.first; });
  if (own != channel.parts.end()) merged = own->second;
  if (!merged.noise_std && !merged.noise_peak_fraction) {
    merged.noise_std = channel.noise_std[part];
    merged.noise_peak_fraction = channel.noise_peak_fraction[part];
  }
  merged.noise_std = merged.noise_std.value_or(0.0);
  merged.noise_peak_fraction = merged.noise_peak_fraction.value_or(0.0);
  if (!merged.sine_error) merged.sine_error = channel.sine_error[part];
  if (!merged.bias) merged.bias = channel.bias[part];
  if (!merged.quantisation) merged.quantisation = channel.quantisation[part];
  if (!merged.declared_sigma && channel.declared_sigma) {
    merged.declared_sigma = (*channel.declared_sigma)[part];
  }
  return merged;
}

/// Lists that have neither one number nor one per part.
template <class Quantity>
void CheckLengths(const ChannelSensorOptions<Quantity>& channel, const std::string& where,
                  const std::vector<std::string>& parts, std::vector<Issue>& issues) {
  const auto check = [&](const std::string& key, const PerJoint& numbers) {
    CheckCount(numbers, PointerTo(where, key), parts, issues);
  };
  if constexpr (kIsOnAxis<Quantity>) check(Key<Quantity>("sine_error"), channel.sine_error);
  check(Key<Quantity>("noise_std"), channel.noise_std);
  check("noise_peak_fraction", channel.noise_peak_fraction);
  check(Key<Quantity>("bias"), channel.bias);
  check(Key<Quantity>("quantisation"), channel.quantisation);
  if (channel.declared_sigma) check(Key<Quantity>("declared_sigma"), *channel.declared_sigma);
}

template <class Quantity>
void CheckChannel(const ChannelSensorOptions<Quantity>& channel, const std::string& where,
                  const std::vector<std::string>& parts, std::vector<Issue>& issues) {
  const std::size_t issues_before = issues.size();
  for (const auto& [name, own] : channel.parts) {
    if (std::ranges::find(parts, name) != parts.end()) continue;
    issues.push_back({PointerTo(fmt::format("{}/{}", where, Quantity::kParts), name),
                      fmt::format("unknown {}", Quantity::kPart), AcceptedNames(name, parts)});
  }
  CheckLengths(channel, where, parts, issues);
  if (issues.size() != issues_before) return;
  for (std::size_t j = 0; j < parts.size(); ++j) {
    const PartSensorOptions<Quantity> part = OfPart(channel, parts[j], j);
    if (*part.noise_std == 0.0 || *part.noise_peak_fraction == 0.0) continue;
    issues.push_back({where,
                      fmt::format("{} '{}' has both {} and noise_peak_fraction", Quantity::kPart,
                                  parts[j], Key<Quantity>("noise_std")),
                      {"give one of them, or 0"}});
  }
}

template <class Quantity>
void ResolveChannel(ChannelSensorOptions<Quantity>& channel, const std::vector<std::string>& parts,
                    const Signals& desired) {
  ChannelSensorOptions<Quantity> resolved;
  resolved.origin = channel.origin;
  resolved.delay_s = channel.delay_s;
  resolved.dropout_fraction = channel.dropout_fraction;
  resolved.dropout = channel.dropout;
  const std::size_t n = parts.size();
  for (PerJoint* numbers :
       {&resolved.sine_error, &resolved.noise_std, &resolved.noise_peak_fraction, &resolved.bias,
        &resolved.quantisation}) {
    numbers->values.assign(n, 0.0);
  }
  std::vector<double> declared(n);
  bool declares = false;
  for (std::size_t j = 0; j < n; ++j) {
    const PartSensorOptions<Quantity> part = OfPart(channel, parts[j], j);
    double sigma = *part.noise_std;
    if (*part.noise_peak_fraction != 0.0) {
      sigma = *part.noise_peak_fraction * (desired.*Quantity::kSignal)
                                              .col(static_cast<Eigen::Index>(j))
                                              .template lpNorm<Eigen::Infinity>();
    }
    resolved.sine_error.values[j] = *part.sine_error;
    resolved.noise_std.values[j] = sigma;
    resolved.bias.values[j] = *part.bias;
    resolved.quantisation.values[j] = *part.quantisation;
    declared[j] = part.declared_sigma.value_or(sigma);
    declares = declares || part.declared_sigma || sigma != 0.0;
  }
  if (declares) resolved.declared_sigma = PerJoint{declared};
  channel = resolved;
}

/// Adds the numbers that a channel and a single part have in common.
template <class Quantity, class Options>
void AddEffects(FieldTable& table, Options& options) {
  const std::string unit(Quantity::kUnit);
  if constexpr (kIsOnAxis<Quantity>) {
    table.Add(Key<Quantity>("sine_error"), options.sine_error,
              {.doc = "Amplitude a of an error a·sin(q), such as that of a magnet beside its axis",
               .unit = unit});
  }
  table
      .Add(Key<Quantity>("noise_std"), options.noise_std,
           {.doc = "Standard deviation of white Gaussian noise", .unit = unit, .lower = 0})
      .Add("noise_peak_fraction", options.noise_peak_fraction,
           {.doc = fmt::format(
                "Standard deviation of the noise as a fraction of the {}'s greatest absolute clean "
                "signal on the desired motion, or in the roll-out of open-loop torque",
                Quantity::kPart),
            .lower = 0})
      .Add(Key<Quantity>("bias"), options.bias, {.doc = "Constant error", .unit = unit})
      .Add(Key<Quantity>("quantisation"), options.quantisation,
           {.doc = "Step of the reading; 0: none", .unit = unit, .lower = 0})
      .Add(Key<Quantity>("declared_sigma"), options.declared_sigma,
           {.doc = fmt::format("Standard deviation that estimators are told; null: the true one of "
                               "the noise, and none if no {} has noise",
                               Quantity::kPart),
            .unit = unit,
            .lower = 0});
}

}  // namespace

template <class Quantity>
FieldTable Visit(PartSensorOptions<Quantity>& options) {
  FieldTable table;
  AddEffects<Quantity>(table, options);
  return table;
}

template <class Quantity>
FieldTable Visit(ChannelSensorOptions<Quantity>& options) {
  FieldTable table;
  table.Add("origin", options.origin,
            {.doc = "Origin of the readings: measured with the effects below (measured), exact and "
                    "marked so in every table (oracle), or no such channel (absent)",
             .choices = {"measured", "oracle", "absent"}});
  AddEffects<Quantity>(table, options);
  table
      .Add("delay_s", options.delay_s,
           {.doc = "Age of the readings, which are interpolated linearly between samples",
            .unit = "s",
            .lower = 0})
      .Add("dropout_fraction", options.dropout_fraction,
           {.doc = "Probability that a sample is lost, with all its numbers at once; the first "
                   "sample is never lost",
            .lower = 0,
            .upper = 1})
      .Add("dropout", options.dropout,
           {.doc = "Lost samples: they read as the last one (hold), or they are missing and the "
                   "channel has a time vector of its own (missing)",
            .choices = {"hold", "missing"}});
  table.Add(std::string(Quantity::kParts), options.parts,
            {.doc = fmt::format("Options of single {}, by name, in place of the channel's",
                                Quantity::kParts)});
  table.Check([&options](std::vector<Issue>& issues) {
    if (options.origin == "measured" || !HasEffects(options)) return;
    issues.push_back({"/origin",
                      fmt::format("the channel is {}, but has noise, bias, quantisation, declared "
                                  "sigma, delay, drop-outs or {} of its own",
                                  options.origin, Quantity::kParts),
                      {"give it the origin \"measured\", or leave those out"}});
  });
  return table;
}

template <class Quantity>
bool DeclaresSigma(const ChannelSensorOptions<Quantity>& channel) {
  return AnyNonZero(channel.noise_std) || AnyNonZero(channel.noise_peak_fraction) ||
         channel.declared_sigma || std::ranges::any_of(channel.parts, [](const auto& item) {
           const PartSensorOptions<Quantity>& joint = item.second;
           return joint.declared_sigma || joint.noise_std.value_or(0.0) != 0.0 ||
                  joint.noise_peak_fraction.value_or(0.0) != 0.0;
         });
}
template bool DeclaresSigma(const ChannelSensorOptions<TorqueQuantity>&);

template FieldTable Visit(PartSensorOptions<PositionQuantity>&);
template FieldTable Visit(PartSensorOptions<VelocityQuantity>&);
template FieldTable Visit(PartSensorOptions<AccelerationQuantity>&);
template FieldTable Visit(PartSensorOptions<TorqueQuantity>&);
template FieldTable Visit(PartSensorOptions<MotorTorqueQuantity>&);
template FieldTable Visit(PartSensorOptions<MotorCurrentQuantity>&);
template FieldTable Visit(PartSensorOptions<BaseWrenchQuantity>&);
template FieldTable Visit(PartSensorOptions<EndEffectorWrenchQuantity>&);
template FieldTable Visit(PartSensorOptions<ActuatorTorqueQuantity>&);
template FieldTable Visit(PartSensorOptions<HallQuantity>&);
template FieldTable Visit(PartSensorOptions<AccelerometerQuantity>&);
template FieldTable Visit(PartSensorOptions<GyroscopeQuantity>&);
template FieldTable Visit(PartSensorOptions<DistanceQuantity>&);
template FieldTable Visit(ChannelSensorOptions<PositionQuantity>&);
template FieldTable Visit(ChannelSensorOptions<VelocityQuantity>&);
template FieldTable Visit(ChannelSensorOptions<AccelerationQuantity>&);
template FieldTable Visit(ChannelSensorOptions<TorqueQuantity>&);
template FieldTable Visit(ChannelSensorOptions<MotorTorqueQuantity>&);
template FieldTable Visit(ChannelSensorOptions<MotorCurrentQuantity>&);
template FieldTable Visit(ChannelSensorOptions<BaseWrenchQuantity>&);
template FieldTable Visit(ChannelSensorOptions<EndEffectorWrenchQuantity>&);
template FieldTable Visit(ChannelSensorOptions<ActuatorTorqueQuantity>&);
template FieldTable Visit(ChannelSensorOptions<HallQuantity>&);
template FieldTable Visit(ChannelSensorOptions<AccelerometerQuantity>&);
template FieldTable Visit(ChannelSensorOptions<GyroscopeQuantity>&);
template FieldTable Visit(ChannelSensorOptions<DistanceQuantity>&);

FieldTable Visit(SensorOptions& options) {
  FieldTable table;
  table
      .Add("rate_hz", options.rate_hz,
           {.doc = "Sample rate; must divide the plant's step rate",
            .unit = "Hz",
            .lower = 0,
            .lower_open = true})
      .Add("joint_position", options.joint_position, {.doc = "Sensors of the joint positions"})
      .Add("joint_velocity", options.joint_velocity, {.doc = "Sensors of the joint velocities"})
      .Add("joint_acceleration", options.joint_acceleration,
           {.doc = "Sensors of the joint accelerations"})
      .Add(
          "joint_torque", options.joint_torque,
          {.doc = "Sensors of the torques on the joints, which include friction and rotor inertia"})
      .Add("motor_torque", options.motor_torque, {.doc = "Sensors of the torques of the motors"})
      .Add("motor_current", options.motor_current, {.doc = "Sensors of the currents of the motors"})
      .Add("base_wrench", options.base_wrench,
           {.doc = "Force and moment of the ground on the base, about the base's origin and in its "
                   "axes; lists have six numbers: three forces, then three moments"})
      .Add("end_effector_wrench", options.end_effector_wrench,
           {.doc = "Force and moment on the end effector that are equivalent to the joint torques, "
                   "about the end effector and in base axes; lists as for base_wrench"})
      .Add("actuator_torque", options.actuator_torque,
           {.doc = "Torques of the robot's motors on the side of their joints, as known from the "
                   "motors' currents"})
      .Add("hall_position", options.hall_position, {.doc = "Joint positions from second sensors"})
      .Add("accelerometer", options.accelerometer,
           {.doc = "Acceleration of the IMU minus that of free fall, in its link's axes"})
      .Add("gyroscope", options.gyroscope,
           {.doc = "Angular velocity of the IMU, in its link's axes"})
      .Add("distance", options.distance, {.doc = "Distance from the distance meter to the ground"});
  return table;
}

SensedParts PartsOf(const RobotModel& model) {
  return {model.joint_names(), model.actuation().names};
}

std::vector<Issue> CheckSensors(const SensorOptions& options, const std::string& where,
                                const SensedParts& parts) {
  std::vector<Issue> issues;
  ForEachChannel(options, [&]<class Quantity>(const ChannelSensorOptions<Quantity>& channel) {
    CheckChannel(channel, PointerTo(where, Quantity::kChannel), PartNames<Quantity>(parts), issues);
  });
  return issues;
}

bool HasPeakFraction(const SensorOptions& options) {
  bool found = false;
  ForEachChannel(options, [&](const auto& channel) { found = found || UsesPeak(channel); });
  return found;
}

ExtraSignals ExtraSignalsOf(const SensorOptions& options) {
  return {
      .base_wrench = options.base_wrench.origin != "absent",
      .end_effector_wrench = options.end_effector_wrench.origin != "absent",
      .motors = options.motor_torque.origin != "absent" || options.motor_current.origin != "absent",
      .actuators = options.actuator_torque.origin != "absent",
      .imu = options.accelerometer.origin != "absent" || options.gyroscope.origin != "absent",
      .distance = options.distance.origin != "absent"};
}

RowNoise NoiseOf(const SensorOptions& options, Equation equation) {
  switch (equation) {
    case Equation::kTorque:
      return {options.joint_torque.noise_std, options.joint_torque.declared_sigma};
    case Equation::kWrench:
      return {options.base_wrench.noise_std, options.base_wrench.declared_sigma};
    case Equation::kEndEffector:
      return {options.end_effector_wrench.noise_std, options.end_effector_wrench.declared_sigma};
    case Equation::kPosition:
      return {options.joint_position.noise_std, options.joint_position.declared_sigma};
    case Equation::kVelocity:
      break;
  }
  return {options.joint_velocity.noise_std, options.joint_velocity.declared_sigma};
}

SensorOptions Resolve(const SensorOptions& options, const SensedParts& parts,
                      const Signals& desired) {
  const std::vector<Issue> issues = CheckSensors(options, "", parts);
  if (!issues.empty()) {
    throw std::invalid_argument(ConfigError("Resolve: sensors", issues).what());
  }
  ForEachChannel(options, [&]<class Quantity>(const ChannelSensorOptions<Quantity>& channel) {
    if (!UsesPeak(channel) || (desired.*Quantity::kSignal).size() > 0) return;
    throw std::invalid_argument(
        "Resolve: noise_peak_fraction needs the signals on the desired motion");
  });
  SensorOptions resolved = options;
  ForEachChannel(resolved, [&]<class Quantity>(ChannelSensorOptions<Quantity>& channel) {
    ResolveChannel(channel, PartNames<Quantity>(parts), desired);
  });
  return resolved;
}

}  // namespace idbench
