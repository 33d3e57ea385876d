#pragma once

#include <optional>
#include <string_view>

#include "reports/statistics/better.h"
#include "reports/statistics/value_law.h"
#include "scenarios/options/capability.h"

namespace idbench {

/// Description of a metric, for reading scenarios and labelling results.
struct MetricInfo {
  /// What has one value.
  enum class Scope {
    kEstimate,    ///< `name`
    kExperiment,  ///< `name@experiment`
    /// `name@window`: it compares every sample of an online estimator in a window of the scenario.
    kWindow,
  };

  enum class Components { kNone, kJoints, kLinks, kUnknowns };

  /// Whether other frames of the bodies give the same robot and estimate another value.
  enum class Framed {
    kNever,
    kByUnknowns,  ///< If the unknowns are parameters of bodies in their frames.
    kAlways,
  };

  /// Whether tables show it where a scenario asks for none: on held-out experiments, where there
  /// are some.
  enum class Headline {
    kNever,
    kAlways,
    kWithoutTruth,  ///< In place of one that needs the truth.
  };

  std::string_view name;
  /// SI, "1" for a pure number; "SI" of a window: that of each unknown, and a value over all of
  /// them only if they have one.
  std::string_view unit = "1";
  std::string_view doc = "";  ///< Its definition, one line.
  /// Values that count as better; nothing where neither more nor less is better in itself.
  std::optional<Better> better = std::nullopt;
  Scope scope = Scope::kEstimate;
  Components components = Components::kNone;  ///< Of a window: the unknowns that it lists.
  Capabilities needs = {};       ///< Without them it has no meaning, beside windows for a kWindow.
  std::string_view bounds = "";  ///< The metric that it bounds from below, if any.
  /// The score that it is at another smoothing, if any: it exists where that one is smoothed.
  std::string_view beside = "";
  std::optional<ValueLaw> law = std::nullopt;  ///< What is known of the values' distribution.
  Framed framed = Framed::kNever;
  bool over_prior = false;  ///< A bound on means over truths that are drawn from the prior.
  Headline headline = Headline::kNever;

  bool per_experiment() const { return scope == Scope::kExperiment; }
  bool per_window() const { return scope == Scope::kWindow; }
};

}  // namespace idbench
