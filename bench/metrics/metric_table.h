#pragma once

#include <span>
#include <string>

#include "bench/cell/prepared_cell.h"
#include "bench/metrics/fit_metrics.h"
#include "bench/metrics/metric_value.h"
#include "bench/metrics/parameter_metrics.h"
#include "bench/metrics/simulation_bound.h"
#include "bench/metrics/simulation_metrics.h"
#include "bench/metrics/torque_metrics.h"
#include "bench/metrics/tracking_metrics.h"
#include "estimators/interface/online_estimator.h"
#include "scenarios/metric_info.h"

namespace idbench {

/// What is judged.
struct MetricCall {
  const Estimate& estimate;
  const std::string& part;     ///< Experiment or window; "" for a metric of the estimate.
  double checkpoint_s;         ///< Recorded time of the estimate [s]; infinite for the end.
  const EstimateTrack* track;  ///< For a metric of a window.
};

/// What metrics share within a cell: predictions, replays and bounds are computed once for all that
/// need them. Holds scratch: use one object per thread. `cell` must outlive it.
struct Judges {
  explicit Judges(const PreparedCell& cell);

  /// Select a trial and then an estimate, which must outlive the calls of metrics.
  void SetTrial(const TrialData& data);
  /// @param track  estimates after every sample on the way to it; nullptr if there are none.
  void SetEstimate(const Estimate& estimate, const EstimateTrack* track);

  TorqueMetrics torques;
  FitMetrics fits;
  SimulationMetrics simulations;
  SimulationBound simulation_bound;
  ParameterMetrics parameters;
  TrackingMetrics tracking;
};

/// Experiments of a simulation in which what the robot carries changes; none of recordings.
PayloadChanges ChangesIn(const PreparedCell& cell);

/// A metric: its description and how it is evaluated.
struct Metric {
  MetricInfo info;
  MetricValue (*evaluate)(Judges& judges, const MetricCall& of);
};

/// All metrics, in the order of records and tables. A further metric is a row and its function.
std::span<const Metric> MetricTable();

/// Returns the metric of that name, which must exist.
const Metric& MetricNamed(const std::string& name);

/// Returns the descriptions in MetricTable().
std::span<const MetricInfo> AllMetrics();

}  // namespace idbench
