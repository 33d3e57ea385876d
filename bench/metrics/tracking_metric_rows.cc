#include "bench/metrics/tracking_metric_rows.h"

#include <array>

namespace idbench {

std::span<const Metric> TrackingMetricRows() {
  using enum Capability;
  using Scope = MetricInfo::Scope;
  using Components = MetricInfo::Components;
  using Framed = MetricInfo::Framed;
  using Headline = MetricInfo::Headline;
  static constexpr auto kRows = std::to_array<Metric>({
      {{.name = "tracking_rmse",
        .unit = "SI",
        .doc = "Root mean square of x̂ − x over the samples of a window; overall: only if all "
               "unknowns have one unit",
        .better = Better::kLower,
        .scope = Scope::kWindow,
        .components = Components::kUnknowns,
        .needs = {kTruth, kTrueUnknowns},
        .framed = Framed::kByUnknowns,
        .headline = Headline::kAlways},
       [](Judges& judges, const MetricCall& of) {
         return judges.tracking.In(of.part, of.estimate, &TrackingMetrics::Rmse);
       }},
      {{.name = "tracking_rmse_within_bounds",
        .unit = "SI",
        .doc = "Root mean square of x̂ − x over the samples of a window at which the truth is "
               "within the unknown's bounds; overall: only if all unknowns have one unit",
        .better = Better::kLower,
        .scope = Scope::kWindow,
        .components = Components::kUnknowns,
        .needs = {kTruth, kTrueUnknowns, kBounds},
        .framed = Framed::kByUnknowns},
       [](Judges& judges, const MetricCall& of) {
         return judges.tracking.In(of.part, of.estimate, &TrackingMetrics::RmseWithinBounds);
       }},
      {{.name = "tracking_out_of_bounds_fraction",
        .doc = "Fraction of a window's samples at which x̂ is beyond its bounds; overall: the mean",
        .better = Better::kLower,
        .scope = Scope::kWindow,
        .components = Components::kUnknowns,
        .needs = {kBounds},
        .law = ValueLaw::kProportion,
        .framed = Framed::kByUnknowns},
       [](Judges& judges, const MetricCall& of) {
         return judges.tracking.In(of.part, of.estimate, &TrackingMetrics::OutOfBounds);
       }},
      {{.name = "tracking_max_error_fraction",
        .doc = "Greatest |x̂ − x| / |x| in a window; overall: that of the worst unknown",
        .better = Better::kLower,
        .scope = Scope::kWindow,
        .components = Components::kUnknowns,
        .needs = {kTruth, kTrueUnknowns},
        .framed = Framed::kByUnknowns},
       [](Judges& judges, const MetricCall& of) {
         return judges.tracking.In(of.part, of.estimate, &TrackingMetrics::MaxError);
       }},
      {{.name = "tracking_settling_s",
        .unit = "s",
        .doc = "Time from the beginning of a window until |x̂ − x| / |x| stays below the window's "
               "settled_fraction; overall: that of the slowest unknown; fails if it is not below "
               "at the window's end",
        .better = Better::kLower,
        .scope = Scope::kWindow,
        .components = Components::kUnknowns,
        .needs = {kTruth, kTrueUnknowns},
        .framed = Framed::kByUnknowns},
       [](Judges& judges, const MetricCall& of) {
         return judges.tracking.In(of.part, of.estimate, &TrackingMetrics::Settling);
       }},
      {{.name = "tracking_reaching_s",
        .unit = "s",
        .doc =
            "Time from the beginning of a window until |x̂ − x| / |x| is first below the window's "
            "settled_fraction; overall: that of the slowest unknown; fails if it never is",
        .better = Better::kLower,
        .scope = Scope::kWindow,
        .components = Components::kUnknowns,
        .needs = {kTruth, kTrueUnknowns},
        .framed = Framed::kByUnknowns},
       [](Judges& judges, const MetricCall& of) {
         return judges.tracking.In(of.part, of.estimate, &TrackingMetrics::Reaching);
       }},
      {{.name = "tracking_drift",
        .unit = "SI",
        .doc = "Greatest change of x̂ since the first sample of a window; overall: the greatest, if "
               "all unknowns have one unit",
        .scope = Scope::kWindow,
        .components = Components::kUnknowns,
        .framed = Framed::kByUnknowns},
       [](Judges& judges, const MetricCall& of) {
         return judges.tracking.In(of.part, of.estimate, &TrackingMetrics::Drift);
       }},
      {{.name = "tracking_coverage95",
        .doc =
            "Fraction of a window's samples whose 95 % interval holds the truth; overall: the mean",
        .scope = Scope::kWindow,
        .components = Components::kUnknowns,
        .needs = {kTruth, kTrueUnknowns},
        .law = ValueLaw::kProportion,
        .framed = Framed::kByUnknowns},
       [](Judges& judges, const MetricCall& of) {
         return judges.tracking.In(of.part, of.estimate, &TrackingMetrics::Coverage);
       }},
      {{.name = "tracking_locked_in",
        .doc = "1 if the estimate is within 1.8 % of its range from a bound, or beyond it, "
               "throughout a window in which the truth never is; overall: 1 if any unknown is; the "
               "mean is the fraction of the trials",
        .better = Better::kLower,
        .scope = Scope::kWindow,
        .components = Components::kUnknowns,
        .needs = {kTruth, kTrueUnknowns, kBounds},
        .law = ValueLaw::kProportion,
        .framed = Framed::kByUnknowns},
       [](Judges& judges, const MetricCall& of) {
         return judges.tracking.In(of.part, of.estimate, &TrackingMetrics::LockedIn);
       }},
  });
  return kRows;
}

}  // namespace idbench
