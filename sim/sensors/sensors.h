#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "robots/dynamics/model.h"
#include "robots/recording/channels.h"
#include "scenarios/options/fields.h"
#include "sim/sensors/bias_shift.h"
#include "sim/sensors/calibration_error.h"
#include "sim/sensors/dropout.h"
#include "sim/sensors/signals.h"

namespace idbench {

/// Settings of the sensor of one part (joint, motor or component) that differ from the channel's;
/// absent: as the channel. Either kind of noise replaces both kinds of the channel.
struct PartSensorOptions {
  const ChannelInfo* channel;  ///< Never null.
  std::optional<double> sine_error = {}, noise_std = {}, noise_peak_fraction = {}, bias = {},
                        bias_shift_std = {}, drift_std = {}, quantisation = {}, declared_sigma = {};

  bool operator==(const PartSensorOptions&) const = default;
};
FieldTable Visit(PartSensorOptions& options);

/// Sensors of one channel. The signal is delayed; angles get the error a·sin(q) of a sensor
/// slightly off its axis, wrenches a CalibrationError; then come bias, its shift from experiment to
/// experiment (BiasShift), Drift, white noise and quantisation. Finally some samples are lost: the
/// channel's time vector lacks them, or the last reading fills them.
///
/// σ is `noise_std`, or `noise_peak_fraction` of the greatest |signal| of that part on the desired
/// motion. The σ *declared* to estimators is by default the true one of the readings, see
/// SensorOptions::TrueSigma(), in which calibration errors, biases, their shifts and drift do not
/// count; a channel in which no part has one declares none.
struct ChannelSensorOptions {
  explicit ChannelSensorOptions(const ChannelInfo& channel);

  const ChannelInfo* channel;  ///< Never null.
  SensorOrigin origin;
  PerJoint sine_error;  ///< a, of channels on an axis only.
  PerJoint noise_std, noise_peak_fraction, bias, bias_shift_std, drift_std, quantisation;
  std::optional<PerJoint> declared_sigma;
  double delay_s = 0.0;
  double dropout_fraction = 0.0;
  Dropout::Kind dropout = Dropout::Kind::kHold;
  ShiftDraw bias_shift_draw = ShiftDraw::kExperiment;
  double drift_time_s = 10.0;
  std::optional<CalibrationErrorOptions> calibration_error;  ///< Of wrenches only.
  LabelledAlike<PartSensorOptions> parts;  ///< The key is "joints", "motors" or "components".

  bool operator==(const ChannelSensorOptions&) const = default;
};
/// The table refuses effects on a channel that is not measured.
FieldTable Visit(ChannelSensorOptions& options);

/// Returns the effects of one part: its own where it has some, else those of the channel.
/// @param name  of the part. @param part  its index.
PartSensorOptions OfPart(const ChannelSensorOptions& channel, const std::string& name,
                         std::size_t part);

/// Sensors of a kind that a robot has at several places, by place. A sensor that is declared here
/// measures.
struct PlacedSensors : LabelledAlike<ChannelSensorOptions> {
  explicit PlacedSensors(const ChannelInfo& kind) : LabelledAlike({ChannelSensorOptions(kind)}) {}

  bool operator==(const PlacedSensors&) const = default;
};
template <>
struct Binding<PlacedSensors> {
  static void Read(const Json& json, const std::string& pointer, const FieldInfo& info,
                   PlacedSensors& value, std::vector<Issue>& issues);
  static void Write(const PlacedSensors& value, Json& json);
  static void Schema(const FieldInfo& info, const PlacedSensors& value, Json& schema);
};

/// Sensors of a robot: of each channel of kDataChannels.
class SensorOptions {
 public:
  SensorOptions();

  double rate_hz = 100.0;
  /// The true σ of a reading includes that of rounding it to a step Δ, Δ²/12.
  bool quantisation_in_sigma = true;

  /// Returns the true σ of each part's readings, √(σ² + Δ²/12), or σ alone if quantisation does not
  /// count. With it rounding is taken for white noise. Of noise well above Δ it is; below about
  /// Δ/2, readings tell more than that: a bound from it is one for linear estimators.
  /// Source: Widrow & Kollár, Quantization Noise, 2008.
  /// @param channel  resolved, of these sensors.
  PerJoint TrueSigma(const ChannelSensorOptions& channel) const;
  /// Returns true if the true σ of some part's readings includes that of rounding.
  bool CountsQuantisation(const ChannelSensorOptions& channel) const;
  /// Returns true if estimators get a σ of the channel.
  bool DeclaresSigma(std::string_view channel) const;

  /// Returns the sensors of a channel. At a place that is not there yet they are made.
  /// @throws std::invalid_argument if there is no channel of that name.
  ChannelSensorOptions& operator[](std::string_view channel);
  /// Returns the sensors of a channel; absent ones at a place that is not there.
  /// @throws std::invalid_argument if there is no channel of that name.
  const ChannelSensorOptions& operator[](std::string_view channel) const;

  /// Return the sensors of all channels, in the order of kDataChannels, those of a kind by place.
  std::vector<ChannelSensorOptions*> channels();
  std::vector<const ChannelSensorOptions*> channels() const;

  bool operator==(const SensorOptions&) const = default;

 private:
  friend FieldTable Visit(SensorOptions& options);

  std::vector<ChannelSensorOptions>
      channels_;                       ///< In the order of kChannels; of kinds and truth unused.
  std::vector<PlacedSensors> places_;  ///< Likewise; of kinds at several places.
};
FieldTable Visit(SensorOptions& options);

/// Names of the parts that have sensors.
struct SensedParts {
  std::vector<std::string> joints;
  std::vector<std::string> motors;
  std::vector<std::string> cuts = {};
};
SensedParts PartsOf(const RobotModel& model);

/// Returns the contradictions with the robot: an unknown joint, motor, cut or component, a list of
/// another length, or a part with both kinds of noise.
/// @param where  JSON pointer of the options, e.g. "/sensors".
std::vector<Issue> CheckSensors(const SensorOptions& options, const std::string& where,
                                const SensedParts& parts);

/// Returns true if Resolve() needs the signals on the desired motion.
bool HasPeakFraction(const SensorOptions& options);

/// Returns the same sensors with one number per part everywhere, in SI units: peak fractions
/// converted to σ, `parts` merged, the declared σ filled in. Measure() takes this, and a
/// manifest records it.
///
/// @param desired  clean signals on the desired motion; read only if there is a peak fraction.
/// @throws std::invalid_argument if CheckSensors() finds an issue, or a needed signal of
///         `desired` is empty.
SensorOptions Resolve(const SensorOptions& options, const SensedParts& parts,
                      const Signals& desired);

}  // namespace idbench
