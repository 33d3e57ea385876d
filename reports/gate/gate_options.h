#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/run/run_manifest.h"
#include "reports/statistics/better.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Key of one metric in `gate.metrics`: what is said of it apart from the others.
struct GateMetricOptions {
  std::optional<Better> better = std::nullopt;     ///< Absent: as the metric's description says.
  std::optional<double> tolerance = std::nullopt;  ///< Absent: that of the gate.
  /// In its unit, of a metric of an interval scale, which has no other; must_find is likewise.
  std::optional<double> absolute_tolerance = std::nullopt;
  std::optional<double> must_find = std::nullopt;  ///< Absent: that of the gate.

  bool operator==(const GateMetricOptions&) const = default;
};
FieldTable Visit(GateMetricOptions& options);

/// Scenario key `gate`: what separates a regression from noise.
struct GateOptions {
  std::string metric = "";  ///< Headline metric; "": the first metric of the run.
  std::optional<Better> better = std::nullopt;  ///< Absent: as the metric's description says.
  Labelled<GateMetricOptions> metrics = {};     ///< Several headline metrics, in place of `metric`.
  double tolerance = 0.02;  ///< Relative change of the metric that is not yet a regression.
  std::optional<double> must_find = std::nullopt;  ///< Absent: twice the tolerance.
  double failure_tolerance = 0.02;  ///< Increase of the failure rate that is not yet a regression.
  double time_tolerance = 0.05;  ///< Relative increase of a duration that is not yet a regression.
  double alpha = 0.05;           ///< Upper limit on the probability of any false alarm.
  std::optional<std::int64_t> reserve_trials;  ///< Absent: as many as the scenario has trials.

  bool operator==(const GateOptions&) const = default;
};
FieldTable Visit(GateOptions& options);

/// What a gate asks of one metric.
struct GateMetric {
  std::string name = "";
  Better better = Better::kLower;
  double tolerance = 0.02;  ///< Relative change for the worse that is no regression.
  double must_find = 0.04;  ///< Relative change for the worse that four of five gates find.
  bool absolute = false;    ///< These are in its unit: it is on an interval scale.

  bool operator==(const GateMetric&) const = default;
};

/// Gate options of a run, with all that they leave open filled in.
struct GateRules {
  std::vector<GateMetric> metrics = {};  ///< At least one.
  double failure_tolerance = 0.02;
  double time_tolerance = 0.05;
  double alpha = 0.05;
  std::optional<std::int64_t> reserve_trials = std::nullopt;  ///< Absent: as the run has trials.
};

/// Greatest tolerance; more would be a wrong unit.
inline constexpr double kMostTolerance = 1000;

/// What a call of the program says in place of a scenario.
struct GateChoices {
  std::optional<std::string> metric = std::nullopt;  ///< In place of all metrics.
  std::optional<Better> better = std::nullopt;       ///< Of that metric, or of the only one.
  std::optional<double> tolerance = std::nullopt;  ///< Of all metrics; must_find becomes twice it.
  std::optional<double> alpha = std::nullopt;
  bool allow_missing = false;  ///< Cells and estimators of the baseline may be gone.
  bool tolerates = true;       ///< Tolerances count: false of a comparison, which has none.
};

/// Returns the rules by which a run is gated.
/// @param root  JSON pointer of the scenario in the source.
/// @throws ConfigError (source: `source`, "/scenario/gate…") if options are damaged, name a metric
///         that the run does not have, one that does not say which values are better, or one whose
///         tolerance is relative where it has no ratios or absolute where it has, or if the run has
///         no metric.
GateRules GateRulesOf(const RunManifest& manifest, const std::string& source,
                      const GateChoices& choices = {}, const std::string& root = "/scenario");

/// Returns how many members a gate of the run has at most: one for each metric, cell, and estimator
/// or observation.
std::size_t MostMembers(const GateRules& rules, const RunManifest& manifest);

/// Returns the metrics that are to be gated and that the run does not have.
/// @throws ConfigError if the options are damaged.
std::vector<std::string> MissingGateMetrics(const RunManifest& manifest, const std::string& source,
                                            const GateChoices& choices = {});

/// Returns why a run is not judged by the rules of its baseline, "" if it is: else a change could
/// choose its own gate. Durations, which have no baseline, and reserve_trials may differ.
/// @param run, baseline  as declared, with the choices of one call.
/// @throws ConfigError as GateRulesOf().
std::string WhyOtherRules(const RunManifest& run, const RunManifest& baseline,
                          const GateChoices& choices);

}  // namespace idbench
