#pragma once

#include <span>
#include <string_view>

namespace idbench {

/// Description of a metric, for reading scenarios and labelling results.
struct MetricInfo {
  /// kWindow: the unknowns that a window of the scenario lists. Such a metric has the address
  /// `name@window`, and compares every sample of an online estimator in the window.
  enum class Components { kNone, kJoints, kLinks, kUnknowns, kWindow };

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
  std::string_view unit;  ///< SI, "1" for a pure number.
  std::string_view doc;   ///< Its definition, one line.
  bool per_experiment;    ///< Address `name@experiment`; otherwise one value per estimate.
  Components components;
  unsigned needs;  ///< Bits of Needs.

  bool per_window() const { return components == Components::kWindow; }
};

}  // namespace idbench
