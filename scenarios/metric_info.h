#pragma once

#include <span>
#include <string_view>

namespace idbench {

/// What a metric is, for reading scenarios and labelling results.
struct MetricInfo {
  /// kWindow: the unknowns that a window of the scenario lists. The metric is then addressed
  /// `name@window`, and compares every sample of an online estimator in the window.
  enum class Components { kNone, kJoints, kLinks, kUnknowns, kWindow };

  /// What a scenario must have so that the metric has a meaning: a set of bits.
  enum Needs : unsigned {
    kNothing = 0,
    kTruth = 1,             ///< A simulated robot, whose parameters and clean signals are known.
    kPrior = 2,             ///< A prior to compare with.
    kBounds = 4,            ///< Bounds of the unknowns.
    kSingleLinks = 8,       ///< Unknowns that say something of each link alone.
    kSigma = 16,            ///< A declared σ of the joint torques.
    kPriorStd = 32,         ///< A prior with a covariance.
    kDrawnAsDeclared = 64,  ///< See DrawnAsDeclared().
    kRobot = 128,           ///< Unknowns that are the robot's own, and stay as they are.
    kRegression = 256,      ///< Unknowns of π, in equations of a state that is measured.
    kTorqueReplay = 512,    ///< An experiment whose torque is a function of time alone.
    kLagrangian = 1024,     ///< Unknowns that are the β of a PlanarLagrangian.
  };

  std::string_view name;
  std::string_view unit;  ///< SI, "1" for a pure number.
  std::string_view doc;   ///< Its definition, one line.
  bool per_experiment;    ///< Addressed `name@experiment`; otherwise one value per estimate.
  Components components;
  unsigned needs;  ///< Of Needs.

  bool per_window() const { return components == Components::kWindow; }
};

}  // namespace idbench
