#include "bench/metrics/sensor_metric_rows.h"

#include <array>

namespace idbench {
std::span<const Metric> SensorMetricRows() {
  using enum Capability;
  using Scope = MetricInfo::Scope;
  using Components = MetricInfo::Components;
  static constexpr auto kMetrics = std::to_array<Metric>({
      {{.name = "drive_gain_ratio",
        .doc =
            "Ratio of the estimated gain of each motor's drive to the true one, of gains that "
            "are to be estimated; overall: the ratio furthest from 1, of the largest |ln ratio|, "
            "one that is not positive before all others",
        .components = Components::kUnknownGains,
        .needs = {kTruth, kUnknownGains}},
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
