#pragma once

#include <optional>
#include <span>
#include <vector>

#include "estimators/interface/online_estimator.h"

namespace idbench {

/// At what instants [s of identification time, positive, increasing] a run is looked at, beside its
/// end.
struct LookOptions {
  std::span<const double> checkpoints_s;  ///< The scenario's.
  std::span<const double> traced_s = {};  ///< Those of a trace, see TrialTracer.
  bool after_every_sample = false;        ///< Of online estimators.
};

/// What one run of an estimator over the data of a trial gave: all that records, traces, exports
/// and what else judges the trial know of its estimates.
struct EstimatorRun {
  std::vector<Estimate> estimates;  ///< One for each checkpoint, then that of all data.
  std::vector<Estimate> traced;     ///< One for each instant of the trace.
  /// Where it was asked for, the estimator is an online one and its last estimate did not fail.
  std::optional<EstimateTrack> track = std::nullopt;

  const Estimate& last() const { return estimates.back(); }
};

/// Runs the estimator once and looks at all instants on the way. Each estimate has the bits of a
/// run on what had been recorded by then, whatever else is looked at.
EstimatorRun RunOnce(Estimator& estimator, const Problem& problem,
                     std::span<const Dataset> datasets, const LookOptions& look);

}  // namespace idbench
