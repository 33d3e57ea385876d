#pragma once

#include <span>
#include <string>
#include <vector>

#include "bench/cell/prepared_cell.h"
#include "bench/metrics/metric_table.h"
#include "bench/metrics/metric_value.h"
#include "bench/metrics/prior_conflict.h"
#include "estimators/interface/estimate.h"
#include "reports/run/run_manifest.h"

namespace idbench {

/// Judges estimates of one cell: the only place where truth and estimate meet.
///
/// Holds its own scratch: use one object per thread. `context` must outlive it.
class MetricEvaluator {
 public:
  /// @param metrics  full names, as in the run's manifest.
  MetricEvaluator(const PreparedCell& context, const std::vector<RunMetric>& metrics);

  /// Evaluates all metrics.
  /// @param estimates  one per checkpoint of the scenario and the final one, which must not have
  ///         failed. Metrics of a checkpoint whose estimate failed fail with its reason. Without
  ///         the series kParameters of the final one there are no metrics of windows, nor of
  ///         torques where what the robot carries changes.
  /// @param staged     made with the final estimate.
  std::vector<MetricValue> Evaluate(std::span<const Estimate> estimates, const TrialData& data,
                                    const StagedExperiments& staged = {});

  /// Returns what FitMetrics::WorseThanPrior() says of an estimate.
  /// @param prior_fit  shared by the estimates of `data`.
  std::string WorseThanPrior(const Estimate& estimate, const TrialData& data,
                             FitMetrics::PriorFit& prior_fit);

  /// Returns what PriorConflict() says of an estimate.
  /// @param use  of the method that it is of.
  std::string ConflictWithPrior(const Estimate& estimate, PriorUse use, const TrialData& data);

  /// Returns true if some metric belongs to a window, or to an experiment in which what the robot
  /// carries changes.
  bool needs_tracks() const;

 private:
  struct Requested {
    const Metric& metric;
    std::string name;                     ///< In full.
    std::string part;                     ///< Its experiment or window, or "".
    std::size_t estimate;                 ///< Index of the estimate of its checkpoint.
    double checkpoint_s;                  ///< Infinite for the end [s].
    std::vector<std::string> components;  ///< Labels of components in the manifest.
    std::string absent;  ///< Why there is none in this cell, as the sweep changes it; else "".
  };

  /// Brings components of a value to those of the manifest, which are of the scenario before its
  /// sweep. A value over all unknowns stays; those that the cell has not are not finite. Other
  /// metrics fail.
  void MatchComponents(const Requested& requested, MetricValue& value) const;

  std::vector<Requested> requested_;
  std::vector<std::string> unknowns_;  ///< Of the cell.
  bool tracks_changes_ = false;        ///< A metric judges an experiment whose truth changes.
  Judges judges_;
};

}  // namespace idbench
