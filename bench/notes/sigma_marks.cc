#include "bench/notes/sigma_marks.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>

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
