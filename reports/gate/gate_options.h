#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reports/run/run_manifest.h"
#include "reports/statistics/paired.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Scenario key `gate`: what separates a regression from noise.
struct GateOptions {
  std::string metric = "";          ///< Headline metric; "": the first metric of the run.
  std::string better = "lower";     ///< "lower" or "higher".
  double tolerance = 0.02;          ///< Relative change of the metric that is not yet a regression.
  double failure_tolerance = 0.02;  ///< Increase of the failure rate that is not yet a regression.
  double time_tolerance = 0.05;  ///< Relative increase of a duration that is not yet a regression.
  double alpha = 0.05;           ///< Upper limit on the probability of any false alarm.
  std::optional<std::int64_t> reserve_trials;  ///< Absent: as many as the scenario has trials.

  Better direction() const { return better == "higher" ? Better::kHigher : Better::kLower; }
};
FieldTable Visit(GateOptions& options);

/// Returns the options of a run's scenario, with `metric` filled in.
/// @throws ConfigError (source: `source`, "/scenario/gate…") if they are damaged or name a metric
///         that the run does not have, or if the run has no metric.
GateOptions GateOptionsOf(const RunManifest& manifest, const std::string& source);

}  // namespace idbench
