#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reports/paired.h"
#include "reports/run_manifest.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// The scenario key `gate`: what tells a regression from noise.
struct GateOptions {
  std::string metric = "";          ///< The headline; "": the first metric of the run.
  std::string better = "lower";     ///< "lower" or "higher".
  double tolerance = 0.02;          ///< Relative change of the metric that is no regression.
  double failure_tolerance = 0.02;  ///< Increase of the failure rate that is none.
  double time_tolerance = 0.05;     ///< Relative increase of a duration that is none.
  double alpha = 0.05;              ///< Probability of any false alarm, at most.
  std::optional<std::int64_t> reserve_trials;  ///< Nothing: as many as the scenario has trials.

  Better direction() const { return better == "higher" ? Better::kHigher : Better::kLower; }
};
FieldTable Visit(GateOptions& options);

/// The options of a run's scenario, its `metric` filled in.
/// @throws ConfigError (source: `source`, "/scenario/gate…") if they are damaged, or name a metric
///         that the run has not, or the run has none.
GateOptions GateOptionsOf(const RunManifest& manifest, const std::string& source);

}  // namespace idbench
