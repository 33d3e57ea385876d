#pragma once

#include <span>
#include <string>
#include <vector>

#include "bench/cell/cell_context.h"
#include "bench/metrics/metric_value.h"
#include "bench/metrics/parameter_metrics.h"
#include "bench/metrics/simulation_bound.h"
#include "bench/metrics/simulation_metrics.h"
#include "bench/metrics/torque_metrics.h"
#include "bench/metrics/tracking_metrics.h"
#include "estimators/interface/estimate.h"
#include "reports/run/metric_name.h"
#include "scenarios/metric_info.h"

namespace idbench {

/// Returns all metrics that exist, with their definitions.
std::span<const MetricInfo> AllMetrics();

/// Judges estimates of one cell: the only place where truth and estimate meet.
///
/// Holds its own scratch: use one object per thread. `context` must outlive it.
class MetricEvaluator {
 public:
  /// @param metrics  full names, as in the run's manifest.
  MetricEvaluator(const CellContext& context, const std::vector<RunMetric>& metrics);

  /// Evaluates all metrics.
  /// @param estimates  one per checkpoint of the scenario and the final one, which must not have
  ///         failed. Metrics of a checkpoint whose estimate failed fail with its reason.
  /// @param track      estimates after every sample; without it there are no metrics of windows.
  std::vector<MetricValue> Evaluate(std::span<const Estimate> estimates, const TrialData& data,
                                    const EstimateTrack* track = nullptr);

  /// Returns true if some metric belongs to a window.
  bool needs_tracks() const;

 private:
  struct Metric {
    std::string name;  ///< Full name.
    MetricName parts;
    std::size_t estimate;    ///< Index of the estimate of its checkpoint.
    double checkpoint_s;     ///< Infinite for the end [s].
    std::size_t components;  ///< Number of components in the manifest.
    bool per_experiment;
    bool per_window;
  };

  /// Returns a metric of the last estimate that was set, for one experiment.
  MetricValue OfExperiment(const std::string& quantity, const std::string& experiment);
  /// Returns `simulation_sse_angles_crlb_ratio`.
  MetricValue SimulationRatio(const std::string& experiment);

  std::vector<Metric> metrics_;
  TorqueMetrics torques_;
  SimulationMetrics simulations_;
  SimulationBound simulation_bound_;
  ParameterMetrics parameters_;
  TrackingMetrics tracking_;
};

}  // namespace idbench
