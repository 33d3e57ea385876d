#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/cell_context.h"
#include "estimators/estimate.h"
#include "scenarios/metric_info.h"

namespace idbench {

/// All metrics that exist, with their definitions.
std::span<const MetricInfo> AllMetrics();

/// One metric of one estimate.
struct MetricValue {
  std::string name;             ///< With its experiment: `joint_torque_rmse_nm@validation`.
  std::optional<double> value;  ///< Over all components; nothing if the metric failed.
  std::vector<double> components;
  std::optional<std::size_t> count;  ///< What the value counts over.
  std::string failure;               ///< Why it failed.
};

/// Judges estimates of one cell: the only place that sees truth and estimate together.
///
/// Has its own scratch: one per thread. `context` must outlive it.
class MetricEvaluator {
 public:
  /// @param metrics  full names, as the run's manifest lists them.
  MetricEvaluator(const CellContext& context, const std::vector<RunMetric>& metrics);

  /// @param estimate  one that did not fail.
  std::vector<MetricValue> Evaluate(const Estimate& estimate, const TrialData& data);

 private:
  /// The torque errors of one experiment, from which several metrics are taken.
  struct TorqueErrors {
    std::string failure;
    Eigen::VectorXd squared;   ///< Σ (τ − τ̂)², per joint [N²·m²]
    Eigen::VectorXd signal;    ///< Σ τ², per joint
    Eigen::VectorXd variance;  ///< Of τ, unbiased, per joint
    Eigen::Index samples = 0;
  };

  TorqueErrors PredictTorques(const Estimate& estimate, const Dataset& dataset);
  MetricValue TorqueMetric(const std::string& quantity, const TorqueErrors& errors) const;
  MetricValue BaseParameterError(const Estimate& estimate);
  MetricValue Coverage(const Estimate& estimate) const;

  const CellContext& context_;
  std::vector<RunMetric> metrics_;
  Dynamics dynamics_;
  Dynamics::Scratch scratch_;
  FixedStates states_;            ///< On which parameter errors are weighed.
  Eigen::VectorXd true_asked_;    ///< True π, 0 where the problem does not ask.
  Eigen::MatrixXd true_torque_;   ///< Φ β, states × joints.
  Eigen::VectorXd torque_scale_;  ///< RMS of its columns.
};

}  // namespace idbench
