#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/cell/prepared_cell.h"
#include "bench/metrics/metric_value.h"
#include "reports/run/run_manifest.h"
#include "scenarios/metric_info.h"

namespace idbench {

/// What an experiment's states tell of parameters.
struct MotionInformation {
  /// M = Σ WᵀW of samples at kCriterionRateHz, p × p; p = 0 if there is nothing to show.
  Eigen::MatrixXd M;
  double duration_s = 0.0;
};

/// A metric of a motion: its description and how it is evaluated.
struct MotionMetric {
  MetricInfo info;
  double (*evaluate)(const MotionInformation& information);
};

/// All of them. A further metric is a row and its function.
std::span<const MotionMetric> MotionMetricTable();

/// Evaluates the metrics of motions among those of a run. `cell` must outlive it.
class MotionEvaluator {
 public:
  /// @param metrics  full names, as in the run's manifest.
  MotionEvaluator(const PreparedCell& cell, const std::vector<RunMetric>& metrics);

  /// Returns the metrics of each experiment that has some, in the order of MotionsOf().
  std::vector<std::pair<std::string, std::vector<MetricValue>>> Evaluate(
      const TrialData& data) const;

  /// Returns the labels of these experiments.
  std::vector<std::string> Experiments() const;

 private:
  struct Requested {
    const MotionMetric& metric;
    std::string name;  ///< In full.
  };

  const PreparedCell& cell_;
  std::vector<std::pair<std::string, std::vector<Requested>>> requested_;  ///< By experiment.
};

}  // namespace idbench
