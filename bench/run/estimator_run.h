#pragma once

#include <span>
#include <vector>

#include "estimators/interface/online_estimator.h"
#include "robots/plant/metered_plant.h"

namespace idbench {

/// At what instants [s of identification time, positive, increasing] a run is looked at, beside its
/// end.
struct LookOptions {
  std::span<const double> checkpoints_s;  ///< The scenario's.
  std::span<const double> traced_s = {};  ///< Those of a trace, see TrialTracer.
  bool after_every_sample = false;        ///< Series of online estimators.
};

/// What one run of an estimator over the data of a trial gave: all that records, traces, exports
/// and what else judges the trial know of its estimates.
struct EstimatorRun {
  /// One for each checkpoint, then that of all data: with its series, where they were asked for and
  /// the estimator is an online one.
  std::vector<Estimate> estimates;
  std::vector<Estimate> traced;  ///< One for each instant of the trace.

  const Estimate& last() const { return estimates.back(); }
};

/// Runs the estimator once and looks at all instants on the way. Each estimate has the bits of a
/// run on what had been recorded by then, whatever else is looked at. One that makes experiments of
/// its own has a single estimate, at their end.
/// @param plants  for methods that experiment; without it, they fail.
EstimatorRun RunOnce(Estimator& estimator, const Problem& problem,
                     std::span<const Dataset> datasets, const LookOptions& look,
                     const PlantSource& plants = {});

}  // namespace idbench
