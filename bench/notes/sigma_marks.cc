#include "bench/notes/sigma_marks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "sim/sensors/per_joint.h"

namespace idbench {
namespace {

/// The parts of `numbers` that count; all if `chosen` is empty.
std::vector<double> Chosen(const PerJoint& numbers, const std::vector<int>& chosen) {
  if (chosen.empty()) return numbers.values;
  std::vector<double> values;
  for (const int part : chosen) values.push_back(numbers[static_cast<std::size_t>(part)]);
  return values;
}

/// What a reader must know of σ and bounds where readings are rounded; "" if they are not.
std::string OfRounding(const SensorOptions& sensors, const ChannelSensorOptions& channel) {
  if (!sensors.CountsQuantisation(channel)) return "";
  return "; the true one includes step²/12 of their rounding, and bounds from it are those of "
         "linear "
         "estimators: with noise below half a step more can be known, so less than such a bound "
         "raises no alarm";
}

/// What becomes of a declared σ; "" if it stays.
std::string BehindProcessing(const ChannelNoise& noise) {
  if (!noise.is_declared()) return "; of what the processing makes of the channel there is none";
  if (noise.is_white()) return "";
  constexpr double kSame = 5e-4;
  const std::string for_fits =
      std::abs(noise.fit_factor() - 1.0) < kSame
          ? "its σ stays the declared one for fits"
          : fmt::format("its σ becomes {:.4g} times the declared one for fits", noise.fit_factor());
  return fmt::format(
      "; the processing correlates the noise: {} (white noise of the same density), and {:.4g} "
      "times "
      "the declared one for one sample (rms over σ, NIS, χ²)",
      for_fits, noise.sample_factor());
}

/// @param chosen  parts that count; empty: all.
std::string SigmaMark(const DataSource& source, std::string_view name,
                      const std::vector<int>& chosen) {
  const SensorOptions& sensors = *source.sensors();
  const ChannelSensorOptions& channel = sensors[name];
  const std::optional<PerJoint>& declared = channel.declared_sigma;
  if (!declared) return fmt::format("no σ of the {} sensors declared", channel.channel->sensor);
  const bool is_true = Chosen(*declared, chosen) == Chosen(sensors.TrueSigma(channel), chosen);
  return fmt::format("{} σ of the {} sensors declared{}{}", is_true ? "true" : "not the true",
                     channel.channel->sensor, OfRounding(sensors, channel),
                     BehindProcessing(source.NoiseOf(name)));
}

}  // namespace

std::string SensorErrorMark(const SensorOptions& sensors,
                            const std::vector<std::string_view>& with_offset) {
  std::vector<std::string> places;
  bool wanders = false;
  for (const ChannelSensorOptions* channel : sensors.channels()) {
    if (channel->origin != SensorOrigin::kMeasured) continue;
    const std::string_view name = channel->channel->name;
    std::vector<std::string> errors;
    const auto add = [&](const PerJoint& numbers, const char* what, std::string_view unit) {
      double greatest = 0.0;
      for (const double value : numbers.values) greatest = std::max(greatest, std::abs(value));
      if (greatest > 0.0) {
        errors.push_back(fmt::format("{} of up to {:.4g} {}", what, greatest, unit));
      }
    };
    add(channel->sine_error, "an angle off its axis", channel->channel->unit);
    if (std::ranges::find(with_offset, name) == with_offset.end()) {
      add(channel->bias, "a bias", channel->channel->unit);
    }
    const bool once = channel->bias_shift_draw == ShiftDraw::kTrial;
    add(channel->bias_shift_std,
        once ? "a zero of each trial with a σ" : "a shift between experiments with a σ",
        channel->channel->unit);
    add(channel->drift_std, "a drift with a σ", channel->channel->unit);
    wanders = wanders || AnyNonZero(channel->bias_shift_std) || AnyNonZero(channel->drift_std);
    if (channel->calibration_error && channel->calibration_error->relative_std > 0.0) {
      errors.push_back(fmt::format("a calibration error with a σ of {:.3g} %",
                                   100.0 * channel->calibration_error->relative_std));
    }
    if (channel->dropout_fraction > 0.0) {
      errors.push_back(
          fmt::format("{:.3g} % of the readings lost{}", 100.0 * channel->dropout_fraction,
                      channel->dropout == Dropout::Kind::kHold ? ", the last held" : ""));
    }
    if (!errors.empty()) places.push_back(fmt::format("{} ({})", name, fmt::join(errors, ", ")));
  }
  if (places.empty()) return "";
  // True offsets may include a bias, but nothing that comes and goes.
  return "errors of sensors beside noise, in no true σ: " + ListSome(places) +
         (wanders ? "; shifts and drifts are in no true offset" : "");
}

std::vector<std::string> SigmaMarks(const Problem& problem, const DataSource& source) {
  std::vector<std::string> marks;
  const auto add_measured = [&](std::string_view name) {
    if ((*source.sensors())[name].origin != SensorOrigin::kMeasured) return;
    marks.push_back(SigmaMark(source, name, {}));
  };
  if (problem.parameters.lagrangian() != nullptr) {  // Its estimators read these, not equations.
    add_measured(kJointPosition);
    add_measured(kActuatorTorque);
    return marks;
  }
  for (const EquationRows& rows : problem.rows) {
    if (rows.of_drives()) {  // their parts are motors
      add_measured(rows.measured());
    } else {
      marks.push_back(SigmaMark(source, rows.measured(), rows.chosen));
    }
  }
  return marks;
}

}  // namespace idbench
