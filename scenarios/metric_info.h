#pragma once

#include <optional>
#include <string_view>

#include "reports/statistics/better.h"

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

  /// What a scenario must have for the metric to have a meaning: a set of bits.
  enum Needs : unsigned {
    kNothing = 0,
    kTruth = 1,             ///< A simulated robot with known parameters and clean signals.
    kPrior = 2,             ///< A prior to compare with.
    kBounds = 4,            ///< Bounds of the unknowns.
    kSingleLinks = 8,       ///< Unknowns that describe single links.
    kSigma = 16,            ///< A declared σ of the joint torques.
    kPriorStd = 32,         ///< A prior with a covariance.
    kDrawnAsDeclared = 64,  ///< See DrawnAsDeclared().
    kRobot = 128,           ///< Unknowns of the robot itself, which are constant.
    kRegression = 256,      ///< Unknowns that are part of π, in equations with a measured state.
    kTorqueReplay = 512,    ///< An experiment whose torque depends on time alone.
    kLagrangian = 1024,     ///< Unknowns that are the β of a PlanarLagrangian.
  };

  std::string_view name;
  std::string_view unit = "1";  ///< SI, "1" for a pure number.
  std::string_view doc = "";    ///< Its definition, one line.
  /// Values that count as better; nothing where neither more nor less is better in itself.
  std::optional<Better> better = std::nullopt;
  Scope scope = Scope::kEstimate;
  Components components = Components::kNone;  ///< Of a window: the unknowns that it lists.
  unsigned needs = kNothing;                  ///< Bits of Needs.
  std::string_view bounds = "";               ///< The metric that it bounds from below, if any.

  bool per_experiment() const { return scope == Scope::kExperiment; }
  bool per_window() const { return scope == Scope::kWindow; }
};

}  // namespace idbench
