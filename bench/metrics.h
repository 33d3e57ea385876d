#pragma once

#include <span>
#include <string>
#include <vector>

#include "bench/cell_context.h"
#include "bench/metric_value.h"
#include "bench/parameter_metrics.h"
#include "bench/simulation_bound.h"
#include "bench/simulation_metrics.h"
#include "bench/torque_metrics.h"
#include "bench/tracking_metrics.h"
#include "estimators/estimate.h"
#include "reports/table_selection.h"
#include "scenarios/metric_info.h"

namespace idbench {

/// All metrics that exist, with their definitions.
std::span<const MetricInfo> AllMetrics();

/// Judges estimates of one cell: the only place that sees truth and estimate together.
///
/// Has its own scratch: one per thread. `context` must outlive it.
class MetricEvaluator {
 public:
  /// @param metrics  full names, as the run's manifest lists them.
  MetricEvaluator(const CellContext& context, const std::vector<RunMetric>& metrics);

  /// @param estimates  one for each checkpoint of the scenario, and the final one, which did not
  ///                   fail. Metrics of a checkpoint whose estimate failed fail with its reason.
  /// @param track      after every sample; without it there are no metrics of windows.
  std::vector<MetricValue> Evaluate(std::span<const Estimate> estimates, const TrialData& data,
                                    const EstimateTrack* track = nullptr);

  /// True if some metric is of a window.
  bool needs_tracks() const;

 private:
  struct Metric {
    std::string name;  ///< In full.
    MetricName parts;
    std::size_t estimate;    ///< Index of its checkpoint's estimate.
    double checkpoint_s;     ///< Infinite for the end.
    std::size_t components;  ///< How many the manifest names.
    bool per_experiment;
    bool per_window;
  };

  /// Of the estimate that was set last, and one experiment.
  MetricValue OfExperiment(const std::string& quantity, const std::string& experiment);
  /// `simulation_sse_angles_crlb_ratio`.
  MetricValue SimulationRatio(const std::string& experiment);

  std::vector<Metric> metrics_;
  TorqueMetrics torques_;
  SimulationMetrics simulations_;
  SimulationBound simulation_bound_;
  ParameterMetrics parameters_;
  TrackingMetrics tracking_;
};

}  // namespace idbench
