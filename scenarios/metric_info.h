#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "reports/statistics/better.h"
#include "reports/statistics/statistic.h"
#include "reports/statistics/value_law.h"
#include "scenarios/options/capability.h"

namespace idbench {

/// False positive rates at which a receiver operating characteristic is stated.
inline constexpr auto kRocRates = std::to_array<double>(
    {0.01, 0.02, 0.03, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9});

/// Description of a metric, for reading scenarios and labelling results.
struct MetricInfo {
  /// What has one value.
  enum class Scope {
    kEstimate,    ///< `name`
    kExperiment,  ///< `name@experiment`
    /// `name@window`: it compares every sample of an online estimator in a window of the scenario.
    kWindow,
    kObservation,  ///< `name@experiment` of an observer and its model.
    kMotion,       ///< `name@experiment` of its motion, whatever is estimated.
    kStaged,       ///< `name@experiment` of what is made with an estimate, see IsStaged().
  };

  enum class Components {
    kNone,
    kJoints,
    kLinks,
    kUnknowns,
    kForce,               ///< x, y, z
    kUnknownGains,        ///< Motors whose drive gains are unknown, see MotorOfGain().
    kDutyCycleMotors,     ///< See MotorsOfDutyCycles().
    kForceTorqueSensors,  ///< See CutsOf().
    kFalsePositiveRates,  ///< kRocRates
  };

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
  /// What of that metric over trials it bounds.
  Statistic bounded = Statistic::kRootMeanSquare;
  /// The score that it is at another smoothing, if any: it exists where that one is smoothed.
  std::string_view beside = "";
  std::optional<ValueLaw> law = std::nullopt;  ///< What is known of the values' distribution.
  Framed framed = Framed::kNever;
  std::string_view doubt = "";  ///< What keeps its values from what they are for, always.
  bool over_prior = false;      ///< A bound on means over truths that are drawn from the prior.
  Headline headline = Headline::kNever;
  /// Its 0 is a choice, of units as that of a logarithm: differences of values mean something,
  /// ratios nothing (the interval scale of Stevens, Science 103, 1946).
  bool interval_scale = false;
  bool on_request = false;  ///< A scenario that names no metrics has all but this.

  /// A number that its name may hold, "detection_tpr(fpr=0.06)".
  struct Argument {
    std::string_view name;
    double standard;  ///< Where the name holds none.
    double lower, upper;
  };
  std::optional<Argument> argument = std::nullopt;

  bool per_experiment() const { return scope != Scope::kEstimate && scope != Scope::kWindow; }
  bool per_observation() const { return scope == Scope::kObservation; }
  bool per_motion() const { return scope == Scope::kMotion; }
  bool per_staged() const { return scope == Scope::kStaged; }
  /// True if it has a value at each checkpoint too.
  bool has_checkpoints() const {
    return scope == Scope::kEstimate || scope == Scope::kExperiment || scope == Scope::kWindow;
  }
  bool per_window() const { return scope == Scope::kWindow; }
};

}  // namespace idbench
