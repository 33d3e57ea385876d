#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reports/run/run_manifest.h"
#include "reports/statistics/better.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Scenario key `gate`: what separates a regression from noise.
struct GateOptions {
  std::string metric = "";  ///< Headline metric; "": the first metric of the run.
  std::optional<Better> better = std::nullopt;  ///< Absent: as the metric's description says.
  double tolerance = 0.02;          ///< Relative change of the metric that is not yet a regression.
  double failure_tolerance = 0.02;  ///< Increase of the failure rate that is not yet a regression.
  double time_tolerance = 0.05;  ///< Relative increase of a duration that is not yet a regression.
  double alpha = 0.05;           ///< Upper limit on the probability of any false alarm.
  std::optional<std::int64_t> reserve_trials;  ///< Absent: as many as the scenario has trials.
};
FieldTable Visit(GateOptions& options);

/// Returns which values of a metric of the run are better: the lower ones unless it says otherwise.
Better BetterOf(const RunManifest& manifest, const std::string& metric);

/// Returns the options of a run's scenario, with `metric` and `better` filled in: lower values of a
/// metric that does not say which are better.
/// @throws ConfigError (source: `source`, "/scenario/gate…") if they are damaged or name a metric
///         that the run does not have, or if the run has no metric.
GateOptions GateOptionsOf(const RunManifest& manifest, const std::string& source);

}  // namespace idbench
