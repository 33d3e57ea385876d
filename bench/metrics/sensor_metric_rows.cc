#include "bench/metrics/sensor_metric_rows.h"

#include <array>

namespace idbench {
namespace {

/// A metric of forces or of moments.
template <auto kMetric, WrenchPart kPart>
MetricValue OfWrenches(Judges& judges, const MetricCall& of) {
  return (judges.wrenches.*kMetric)(of.part, kPart);
}

}  // namespace

std::span<const Metric> SensorMetricRows() {
  using enum Capability;
  using enum WrenchPart;
  using Scope = MetricInfo::Scope;
  using Components = MetricInfo::Components;
  static constexpr auto kMetrics = std::to_array<Metric>({
      {{.name = "ft_force_error_n",
        .unit = "N",
        .doc = "Mean of |F − F̂| over samples, with F the force that a force/torque sensor measured "
               "and F̂ what it reads by the estimate, with its offsets and its calibration, both "
               "smoothed as /scoring says; overall: the mean over sensors",
        .better = Better::kLower,
        .scope = Scope::kExperiment,
        .components = Components::kForceTorqueSensors,
        .needs = {kCutRows}},
       OfWrenches<&WrenchMetrics::Error, kForce>},
      {{.name = "ft_moment_error_nm",
        .unit = "N·m",
        .doc = "Mean of |M − M̂| over samples, as in ft_force_error_n, but of the moment",
        .better = Better::kLower,
        .scope = Scope::kExperiment,
        .components = Components::kForceTorqueSensors,
        .needs = {kCutRows}},
       OfWrenches<&WrenchMetrics::Error, kMoment>},
      {{.name = "ft_force_error_sd_n",
        .unit = "N",
        .doc = "Standard deviation over samples of the |F − F̂| of ft_force_error_n; overall: the "
               "mean over sensors",
        .better = Better::kLower,
        .scope = Scope::kExperiment,
        .components = Components::kForceTorqueSensors,
        .needs = {kCutRows}},
       OfWrenches<&WrenchMetrics::ErrorSd, kForce>},
      {{.name = "ft_moment_error_sd_nm",
        .unit = "N·m",
        .doc = "Standard deviation over samples of the |M − M̂| of ft_moment_error_nm; overall: the "
               "mean over sensors",
        .better = Better::kLower,
        .scope = Scope::kExperiment,
        .components = Components::kForceTorqueSensors,
        .needs = {kCutRows}},
       OfWrenches<&WrenchMetrics::ErrorSd, kMoment>},
      {{.name = "ft_force_ratio_to_cad",
        .doc = "Ratio of ft_force_error_n to that of the CAD model: the mean of the prior, with "
               "offsets that are the mean of what it leaves of the data for identification in "
               "configurations with the same offsets; overall: of the means over sensors",
        .better = Better::kLower,
        .scope = Scope::kExperiment,
        .components = Components::kForceTorqueSensors,
        .needs = {kPrior, kCutRows}},
       OfWrenches<&WrenchMetrics::RatioToCad, kForce>},
      {{.name = "ft_moment_ratio_to_cad",
        .doc = "Ratio of ft_moment_error_nm to that of the CAD model of ft_force_ratio_to_cad; "
               "overall: of the means over sensors",
        .better = Better::kLower,
        .scope = Scope::kExperiment,
        .components = Components::kForceTorqueSensors,
        .needs = {kPrior, kCutRows}},
       OfWrenches<&WrenchMetrics::RatioToCad, kMoment>},
      {{.name = "ft_force_centred_error_n",
        .unit = "N",
        .doc = "Mean of |F − F̂| over samples, with F before any sensor effect, both at the true "
               "state and less their mean over the experiment; overall: the mean over sensors",
        .better = Better::kLower,
        .scope = Scope::kExperiment,
        .components = Components::kForceTorqueSensors,
        .needs = {kTruth, kCutRows}},
       OfWrenches<&WrenchMetrics::CentredError, kForce>},
      {{.name = "ft_moment_centred_error_nm",
        .unit = "N·m",
        .doc = "Mean of |M − M̂| over samples, as in ft_force_centred_error_n, but of the moment",
        .better = Better::kLower,
        .scope = Scope::kExperiment,
        .components = Components::kForceTorqueSensors,
        .needs = {kTruth, kCutRows}},
       OfWrenches<&WrenchMetrics::CentredError, kMoment>},
      {{.name = "ft_force_centred_ratio_to_cad",
        .doc = "Ratio of ft_force_centred_error_n to that of the mean of the prior; overall: of "
               "the means over sensors",
        .better = Better::kLower,
        .scope = Scope::kExperiment,
        .components = Components::kForceTorqueSensors,
        .needs = {kTruth, kPrior, kCutRows}},
       OfWrenches<&WrenchMetrics::CentredRatioToCad, kForce>},
      {{.name = "ft_moment_centred_ratio_to_cad",
        .doc = "Ratio of ft_moment_centred_error_nm to that of the mean of the prior; overall: of "
               "the means over sensors",
        .better = Better::kLower,
        .scope = Scope::kExperiment,
        .components = Components::kForceTorqueSensors,
        .needs = {kTruth, kPrior, kCutRows}},
       OfWrenches<&WrenchMetrics::CentredRatioToCad, kMoment>},
      {{.name = "drive_gain_ratio",
        .doc =
            "Ratio of the estimated gain of each motor's drive to the true one, of gains that "
            "are to be estimated; overall: the ratio furthest from 1, of the largest |ln ratio|, "
            "one that is not positive before all others",
        .components = Components::kUnknownGains,
        .needs = {kTruth, kUnknownGains},
        .doubt = "errors to both sides of 1 cancel in means over trials: look at the standard "
                 "deviation, too"},
       [](Judges& judges, const MetricCall&) { return judges.drives.GainRatio(); }},
      {{.name = "pwm_rmse_over_sd",
        .doc =
            "Root mean square of v − v̂ over the standard deviation of v, for the duty cycle v of "
            "each motor and v̂ = (B⁻¹·τ̂)ᵢ/ĝᵢ of the estimate, both smoothed as /scoring says; "
            "overall: root mean square over motors",
        .better = Better::kLower,
        .scope = Scope::kExperiment,
        .components = Components::kDutyCycleMotors,
        .needs = {kDutyCycleRows}},
       [](Judges& judges, const MetricCall& of) { return judges.drives.DutyCycleError(of.part); }},
  });
  return kMetrics;
}

}  // namespace idbench
