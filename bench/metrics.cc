#include "bench/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

namespace idbench {

std::span<const MetricInfo> AllMetrics() {
  using Components = MetricInfo::Components;
  using Info = MetricInfo;
  static constexpr std::array kMetrics = {
      Info{"joint_torque_rmse_nm", "N·m",
           "root mean square of τ − τ̂, τ as measured; overall over all joints", true,
           Components::kJoints, Info::kNothing},
      Info{"joint_torque_rmse_over_sigma", "1",
           "RMSE of τ − τ̂ over the declared σ of τ: 1 at the noise floor; overall the mean over "
           "joints",
           true, Components::kJoints, Info::kSigma},
      Info{"joint_torque_relative_error", "1",
           "‖τ − τ̂‖ / ‖τ‖, τ as measured; overall dominated by the heavy joints", true,
           Components::kJoints, Info::kNothing},
      Info{"joint_torque_nrmse", "1",
           "RMSE / standard deviation of τ, per joint; overall the mean over joints", true,
           Components::kJoints, Info::kNothing},
      Info{"joint_torque_clean_rmse_nm", "N·m",
           "root mean square of τ − τ̂, τ before any sensor effect, both at the true state", true,
           Components::kJoints, Info::kTruth},
      Info{"joint_torque_ratio_to_prior", "1",
           "clean RMSE over that of the prior; overall the mean over joints", true,
           Components::kJoints, Info::kTruth | Info::kPrior},
      Info{"base_parameter_relative_error", "1",
           "‖Φ(β̂ − β)‖ / ‖Φβ‖, Φ the equations on 1,000 fixed states, rows scaled", false,
           Components::kNone, Info::kTruth},
      Info{
          "base_parameter_error_bound", "1",
          "Cramér-Rao bound on the root mean square of base_parameter_relative_error; the same for "
          "all estimators",
          false, Components::kNone, Info::kTruth},
      Info{"crlb_ratio", "1",
           "squared error over the Cramér-Rao bound, (x̂ − x)ᵀJ(x̂ − x)/rank J, J at the true σ and "
           "states: its mean is 1 for an efficient estimator",
           false, Components::kNone, Info::kTruth},
      Info{"link_mass_error_fraction", "1", "|m̂ − m| / m of each link; overall the mean over links",
           false, Components::kLinks, Info::kTruth | Info::kSingleLinks},
      Info{"link_mass_error_bound", "1",
           "Bayesian Cramér-Rao bound on the root mean square of link_mass_error_fraction, see "
           "parameter_error_bound",
           false, Components::kLinks, Info::kTruth | Info::kPriorStd | Info::kSingleLinks},
      Info{"parameter_error_fraction", "1",
           "|x̂ − x| / |x| of each unknown; of one that is 0, over the largest of its kind; overall "
           "the mean over unknowns",
           false, Components::kUnknowns, Info::kTruth},
      Info{"parameter_error_bound", "1",
           "Bayesian Cramér-Rao bound on the root mean square of parameter_error_fraction: √diag P "
           "over |x|, P = (P₀⁻¹ + J)⁻¹, P₀ the prior's covariance, J at the true σ and states; the "
           "same for all estimators",
           false, Components::kUnknowns, Info::kTruth | Info::kPriorStd},
      Info{"van_trees_ratio", "1",
           "squared error over the Bayesian bound, (x̂ − x)ᵀP⁻¹(x̂ − x) over the number of unknowns, "
           "where the prior is drawn per trial as it declares: no estimator's mean is below 1",
           false, Components::kNone, Info::kTruth | Info::kPriorStd | Info::kDrawnAsDeclared},
      Info{"consistent_link_fraction", "1",
           "part of the links that a body could have: positive mass and density", false,
           Components::kLinks, Info::kSingleLinks},
      Info{"mass_matrix_positive_fraction", "1",
           "part of 200 fixed poses at which M(q) is positive definite", false, Components::kNone,
           Info::kNothing},
      Info{"out_of_bounds_count", "1", "unknowns beyond the problem's bounds", false,
           Components::kNone, Info::kBounds},
      Info{
          "saturated_count", "1",
          "unknowns within 1.8 % of their range from a bound, or beyond: |ln((x − l)/(u − x))| > 4",
          false, Components::kNone, Info::kBounds},
      Info{"coverage95", "1",
           "part of the directions that the data taught whose 95 % interval holds the truth", false,
           Components::kNone, Info::kTruth},
      Info{"nees", "1",
           "normalised estimation error squared along the directions that the data taught, "
           "(x̂ − x)ᵀP⁻¹(x̂ − x) over their number: its mean is 1 for a credible σ",
           false, Components::kNone, Info::kTruth},
  };
  return kMetrics;
}

MetricEvaluator::MetricEvaluator(const CellContext& context, const std::vector<RunMetric>& metrics)
    : torques_(context), parameters_(context) {
  const std::vector<std::string> checkpoints = CheckpointLabels(context.scenario());
  for (const RunMetric& metric : metrics) {
    const MetricName parts(metric.name);
    const auto info = std::ranges::find(AllMetrics(), parts.quantity, &MetricInfo::name);
    // Behind the checkpoints stands the end, which has no label.
    const auto checkpoint = std::ranges::find(checkpoints, parts.checkpoint);
    const auto index = static_cast<std::size_t>(checkpoint - checkpoints.begin());
    metrics_.push_back({metric.name, parts, index,
                        index < checkpoints.size() ? context.scenario().evaluate_at_s[index]
                                                   : std::numeric_limits<double>::infinity(),
                        metric.components.size(), info->per_experiment});
  }
}

std::vector<MetricValue> MetricEvaluator::Evaluate(std::span<const Estimate> estimates,
                                                   const TrialData& data) {
  torques_.SetTrial(data);
  parameters_.SetTrial(data);
  std::vector<MetricValue> values(metrics_.size());
  for (std::size_t e = 0; e < estimates.size(); ++e) {
    const Estimate& estimate = estimates[e];
    torques_.SetEstimate(estimate);
    for (std::size_t k = 0; k < metrics_.size(); ++k) {
      const Metric& metric = metrics_[k];
      if (metric.estimate != e) continue;
      MetricValue& value = values[k];
      if (!estimate.ok()) {
        value = FailedMetric(fmt::format("{}: {}", ToString(estimate.outcome), estimate.reason));
      } else if (metric.per_experiment) {
        value = torques_.Evaluate(metric.parts.quantity, metric.parts.experiment);
      } else {
        value = parameters_.Evaluate(metric.parts.quantity, estimate, metric.checkpoint_s);
      }
      if (value.value && !std::isfinite(*value.value)) value = FailedMetric("not finite");
      if (value.value && value.components.size() != metric.components) {
        value = FailedMetric("this cell has other components than the scenario before its sweep");
      }
      value.name = metric.name;
    }
  }
  return values;
}

}  // namespace idbench
