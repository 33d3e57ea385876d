#include "bench/metrics/metrics.h"

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
           "Root mean square of τ − τ̂, with τ as measured; overall: over all joints", true,
           Components::kJoints, Info::kNothing},
      Info{"joint_torque_rmse_over_sigma", "1",
           "RMSE of τ − τ̂ over the declared σ of τ, 1 at the noise floor; "
           "overall: the mean over joints",
           true, Components::kJoints, Info::kSigma},
      Info{"joint_torque_relative_error", "1",
           "‖τ − τ̂‖ / ‖τ‖, with τ as measured; overall: dominated by the heavy joints", true,
           Components::kJoints, Info::kNothing},
      Info{"joint_torque_nrmse", "1",
           "RMSE over the standard deviation of τ, per joint; overall: the mean over joints", true,
           Components::kJoints, Info::kNothing},
      Info{"joint_torque_clean_rmse_nm", "N·m",
           "Root mean square of τ − τ̂, with τ before any sensor effect, both at the true state",
           true, Components::kJoints, Info::kTruth},
      Info{"joint_torque_ratio_to_prior", "1",
           "Clean RMSE over that of the prior; overall: the mean over joints", true,
           Components::kJoints, Info::kTruth | Info::kPrior},
      Info{"simulation_sse_angles", "rad²",
           "Σ (q̂ − q)² over samples, with q̂ simulated by the estimate's equations of motion from "
           "the true initial state under the true open-loop torque; fails "
           "if the simulation diverges",
           true, Components::kJoints, Info::kTruth | Info::kTorqueReplay | Info::kRobot},
      Info{"simulation_sse_rates", "rad²/s²",
           "Sum as in simulation_sse_angles, but of the joint velocities", true,
           Components::kJoints, Info::kTruth | Info::kTorqueReplay | Info::kRobot},
      Info{"simulation_sse_states", "SI", "Sum of simulation_sse_angles and simulation_sse_rates",
           true, Components::kNone, Info::kTruth | Info::kTorqueReplay | Info::kRobot},
      Info{"simulation_sse_angles_bound", "rad²",
           "Cramér-Rao prediction of the mean of simulation_sse_angles, tr(S·C·Sᵀ), with C of the "
           "β of a planar Lagrangian from noisy positions of the joints without motors and noisy "
           "motor torques, and S = ∂q/∂β of the simulation; the same for all estimators",
           true, Components::kNone,
           Info::kTruth | Info::kTorqueReplay | Info::kRobot | Info::kLagrangian},
      Info{"simulation_sse_angles_crlb_ratio", "1",
           "Ratio of simulation_sse_angles to simulation_sse_angles_bound; to first order, its "
           "mean is 1 for an efficient estimator",
           true, Components::kNone,
           Info::kTruth | Info::kTorqueReplay | Info::kRobot | Info::kLagrangian},
      Info{"simulation_sse_states_bound", "SI",
           "Cramér-Rao prediction of the mean of simulation_sse_states, as in "
           "simulation_sse_angles_bound",
           true, Components::kNone,
           Info::kTruth | Info::kTorqueReplay | Info::kRobot | Info::kLagrangian},
      Info{"base_parameter_relative_error", "1",
           "‖Φ(β̂ − β)‖ / ‖Φβ‖, with Φ the equations on 1,000 fixed states, rows scaled", false,
           Components::kNone, Info::kTruth | Info::kRobot},
      Info{"base_parameter_error_bound", "1",
           "Cramér-Rao bound on the root mean square of base_parameter_relative_error; the same "
           "for all estimators",
           false, Components::kNone, Info::kTruth | Info::kRobot | Info::kRegression},
      Info{"crlb_ratio", "1",
           "Squared error over the Cramér-Rao bound, (x̂ − x)ᵀJ(x̂ − x)/rank J, with J at the true σ "
           "and states; its mean is 1 for an efficient estimator",
           false, Components::kNone, Info::kTruth | Info::kRobot | Info::kRegression},
      Info{"link_mass_error_fraction", "1",
           "|m̂ − m| / m of each link; overall: the mean over links", false, Components::kLinks,
           Info::kTruth | Info::kSingleLinks | Info::kRobot},
      Info{"link_mass_error_bound", "1",
           "Bayesian Cramér-Rao bound on the root mean square of link_mass_error_fraction; see "
           "parameter_error_bound",
           false, Components::kLinks,
           Info::kTruth | Info::kPriorStd | Info::kSingleLinks | Info::kRobot},
      Info{"parameter_error_fraction", "1",
           "|x̂ − x| / |x| of each unknown, or over the largest |x| of its kind if x is 0; overall: "
           "the mean over unknowns",
           false, Components::kUnknowns, Info::kTruth | Info::kRobot},
      Info{"parameter_error_bound", "1",
           "Bayesian Cramér-Rao bound on the root mean square of parameter_error_fraction: √diag P "
           "over |x|, P = (P₀⁻¹ + J)⁻¹, with P₀ the prior's covariance and J at the true σ and "
           "states; the same for all estimators",
           false, Components::kUnknowns,
           Info::kTruth | Info::kPriorStd | Info::kRobot | Info::kRegression},
      Info{"van_trees_ratio", "1",
           "Squared error over the Bayesian bound, (x̂ − x)ᵀP⁻¹(x̂ − x) over the number of unknowns, "
           "if the prior is drawn per trial as it declares; no estimator's mean is below 1",
           false, Components::kNone,
           Info::kTruth | Info::kPriorStd | Info::kDrawnAsDeclared | Info::kRobot},
      Info{"link_mass_kg", "kg", "Estimated mass of each link; overall: their sum", false,
           Components::kLinks, Info::kSingleLinks | Info::kRobot},
      Info{"consistent_link_fraction", "1",
           "Fraction of the links that are physically consistent, with positive mass and density",
           false, Components::kLinks, Info::kSingleLinks | Info::kRobot},
      Info{"pseudo_inertia_margin", "1",
           "Least eigenvalue of each link's pseudo-inertia (SI units) over the magnitude of its "
           "trace, above 0 for a physically consistent link; overall: the least of all links",
           false, Components::kLinks, Info::kSingleLinks | Info::kRobot},
      Info{"nis", "1",
           "Normalised innovation squared of a filter: the mean of ν²/s over its innovations ν "
           "with stated variance s; near 1 if the model and the declared σ hold",
           false, Components::kNone, Info::kNothing},
      Info{
          "chi_square", "1",
          "Sum of squared residuals over their declared variances that a likelihood method "
          "minimised, near its degrees of freedom (its count) if the model and the declared σ hold",
          false, Components::kNone, Info::kNothing},
      Info{"negative_moment_count", "1",
           "Number of principal moments of inertia about the centres of mass that are not positive",
           false, Components::kNone, Info::kSingleLinks | Info::kRobot},
      Info{"mass_matrix_positive_fraction", "1",
           "Fraction of 200 fixed poses at which M(q) is positive definite", false,
           Components::kNone, Info::kNothing},
      Info{"out_of_bounds_count", "1", "Number of unknowns beyond the problem's bounds", false,
           Components::kNone, Info::kBounds},
      Info{"out_of_bounds_mass_count", "1", "Number of link masses beyond the problem's bounds",
           false, Components::kNone, Info::kBounds | Info::kSingleLinks},
      Info{"saturated_count", "1",
           "Number of unknowns within 1.8 % of their range from a bound, or beyond it: |ln((x − "
           "l)/(u − x))| > 4",
           false, Components::kNone, Info::kBounds},
      Info{"coverage95", "1",
           "Fraction of the directions that the data inform in which the 95 % "
           "interval holds the truth",
           false, Components::kNone, Info::kTruth},
      Info{"nees", "1",
           "Normalised estimation error squared along the directions that the data inform, (x̂ − "
           "x)ᵀP⁻¹(x̂ − x) over their number; its mean is 1 for a credible σ",
           false, Components::kNone, Info::kTruth},
      Info{"tracking_rmse", "SI",
           "Root mean square of x̂ − x over the samples of a window; overall: only if "
           "all unknowns have one unit",
           false, Components::kWindow, Info::kTruth},
      Info{"tracking_rmse_within_bounds", "SI",
           "Root mean square of x̂ − x over the samples of a window at which the truth is within "
           "the unknown's bounds; overall: only if all unknowns have one unit",
           false, Components::kWindow, Info::kTruth | Info::kBounds},
      Info{"tracking_out_of_bounds_fraction", "1",
           "Fraction of a window's samples at which x̂ is beyond its bounds; overall: the mean",
           false, Components::kWindow, Info::kBounds},
      Info{"tracking_max_error_fraction", "1",
           "Greatest |x̂ − x| / |x| in a window; overall: that of the worst unknown", false,
           Components::kWindow, Info::kTruth},
      Info{"tracking_settling_s", "s",
           "Time from the beginning of a window until |x̂ − x| / |x| stays below the window's "
           "settled_fraction; overall: that of the slowest unknown; fails if it is not below at "
           "the window's end",
           false, Components::kWindow, Info::kTruth},
      Info{"tracking_reaching_s", "s",
           "Time from the beginning of a window until |x̂ − x| / |x| is first below the window's "
           "settled_fraction; overall: that of the slowest unknown; fails if it never is",
           false, Components::kWindow, Info::kTruth},
      Info{"tracking_drift", "SI",
           "Greatest change of x̂ since the first sample of a window; overall: the greatest, if all "
           "unknowns have one unit",
           false, Components::kWindow, Info::kNothing},
      Info{"tracking_coverage95", "1",
           "Fraction of a window's samples whose 95 % interval holds the truth; overall: the mean",
           false, Components::kWindow, Info::kTruth},
      Info{"tracking_locked_in", "1",
           "1 if the estimate is within 1.8 % of its range from a bound, or beyond it, throughout "
           "a window in which the truth never is; overall: 1 if any unknown is; the mean is the "
           "fraction of the trials",
           false, Components::kWindow, Info::kTruth | Info::kBounds},
  };
  return kMetrics;
}

MetricEvaluator::MetricEvaluator(const CellContext& context, const std::vector<RunMetric>& metrics)
    : torques_(context),
      simulations_(context),
      simulation_bound_(context),
      parameters_(context),
      tracking_(context) {
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
                        metric.components.size(), info->per_experiment, info->per_window()});
  }
}

bool MetricEvaluator::needs_tracks() const {
  return std::ranges::any_of(metrics_, &Metric::per_window);
}

std::vector<MetricValue> MetricEvaluator::Evaluate(std::span<const Estimate> estimates,
                                                   const TrialData& data,
                                                   const EstimateTrack* track) {
  torques_.SetTrial(data);
  simulations_.SetTrial(data);
  simulation_bound_.SetTrial(data);
  parameters_.SetTrial(data);
  tracking_.SetTrial(data);
  std::vector<MetricValue> values(metrics_.size());
  for (std::size_t e = 0; e < estimates.size(); ++e) {
    const Estimate& estimate = estimates[e];
    torques_.SetEstimate(estimate);
    simulations_.SetEstimate(estimate);
    for (std::size_t k = 0; k < metrics_.size(); ++k) {
      const Metric& metric = metrics_[k];
      if (metric.estimate != e) continue;
      MetricValue& value = values[k];
      if (metric.per_window) {
        if (track == nullptr) continue;
        value = tracking_.Evaluate(metric.parts.quantity, metric.parts.experiment, *track);
      } else if (!estimate.ok()) {
        value = FailedMetric(fmt::format("{}: {}", ToString(estimate.outcome), estimate.reason));
      } else if (metric.per_experiment) {
        value = OfExperiment(metric.parts.quantity, metric.parts.experiment);
      } else {
        value = parameters_.Evaluate(metric.parts.quantity, estimate, metric.checkpoint_s);
      }
      if (value.value && !std::isfinite(*value.value)) value = FailedMetric("not finite");
      if (value.failure.empty() && value.components.size() != metric.components) {
        value = FailedMetric("this cell has other components than the scenario before its sweep");
      }
      value.name = metric.name;
    }
  }
  std::erase_if(values, [](const MetricValue& value) { return value.name.empty(); });
  return values;
}

MetricValue MetricEvaluator::OfExperiment(const std::string& quantity,
                                          const std::string& experiment) {
  if (!quantity.starts_with("simulation_")) return torques_.Evaluate(quantity, experiment);
  if (quantity.ends_with("_crlb_ratio")) return SimulationRatio(experiment);
  return quantity.ends_with("_bound") ? simulation_bound_.Evaluate(quantity, experiment)
                                      : simulations_.Evaluate(quantity, experiment);
}

MetricValue MetricEvaluator::SimulationRatio(const std::string& experiment) {
  MetricValue sse = simulations_.Evaluate("simulation_sse_angles", experiment);
  if (!sse.failure.empty()) return sse;
  MetricValue bound = simulation_bound_.Evaluate("simulation_sse_angles_bound", experiment);
  if (!bound.failure.empty()) return bound;
  return MetricOf(*sse.value / *bound.value);
}

}  // namespace idbench
