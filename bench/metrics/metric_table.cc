#include "bench/metrics/metric_table.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <vector>

#include "bench/metrics/motion_metrics.h"
#include "bench/metrics/observation_metrics.h"
#include "bench/metrics/sensor_metric_rows.h"
#include "bench/metrics/torque_metric_rows.h"
#include "bench/metrics/tracking_metric_rows.h"
#include "estimators/active/swing_count.h"

namespace idbench {
namespace {

/// What the method tells of its innovations.
MetricValue InnovationsSquared(const Estimate& estimate) {
  const auto nis = estimate.diagnostics.find("normalised_innovation_squared");
  if (nis == estimate.diagnostics.end()) return AbsentMetric("the method states no innovations");
  return MetricOf(nis->second);
}

/// What the method counted.
MetricValue SwingPeriods(const Estimate& estimate) {
  const auto periods = estimate.diagnostics.find(kSwingPeriods);
  if (periods != estimate.diagnostics.end()) return MetricOf(periods->second);
  const auto why = estimate.notes.find("swing");
  return AbsentMetric(why != estimate.notes.end() ? why->second
                                                  : "the method counts no periods of a swing");
}

/// What the method minimised, or what its estimate leaves; with its degrees of freedom for the
/// count.
MetricValue ChiSquare(Judges& judges, const MetricCall& of) {
  const Estimate& estimate = of.estimate;
  const auto squares = estimate.diagnostics.find("chi_square");
  const auto freedom = estimate.diagnostics.find("degrees_of_freedom");
  if (squares == estimate.diagnostics.end() || freedom == estimate.diagnostics.end()) {
    return judges.fits.ChiSquare(estimate, of.checkpoint_s);
  }
  MetricValue metric = MetricOf(squares->second);
  metric.count = static_cast<std::size_t>(freedom->second);
  return metric;
}

/// What an estimate took of the robot.
MetricValue ExperimentCount(Judges& judges, const MetricCall& of) {
  return MetricOf(static_cast<double>(judges.plant_use.Of(of.estimate).experiments));
}
MetricValue Falls(Judges& judges, const MetricCall& of) {
  return MetricOf(static_cast<double>(judges.plant_use.Of(of.estimate).falls));
}
MetricValue PlantTime(Judges& judges, const MetricCall& of) {
  return MetricOf(judges.plant_use.Of(of.estimate).time_s);
}

MetricValue SimulationRatio(Judges& judges, const MetricCall& of) {
  MetricValue sse = judges.simulations.Angles(of.part);
  if (!sse.failure.empty()) return sse;
  MetricValue bound = judges.simulation_bound.Angles(of.part);
  if (!bound.failure.empty()) return bound;
  return MetricOf(*sse.value / *bound.value);
}

}  // namespace

std::span<const Metric> MetricTable() {
  using enum Capability;
  using Scope = MetricInfo::Scope;
  using Components = MetricInfo::Components;
  using Framed = MetricInfo::Framed;
  using Headline = MetricInfo::Headline;
  static constexpr auto kOthers = std::to_array<Metric>({
      {{.name = "simulation_sse_angles",
        .unit = "rad²",
        .doc = "Σ (q̂ − q)² over samples, with q̂ simulated by the estimate's equations of motion "
               "from the true initial state under the true open-loop torque; fails if the "
               "simulation diverges",
        .better = Better::kLower,
        .scope = Scope::kExperiment,
        .components = Components::kJoints,
        .needs = {kTruth, kTorqueReplay, kConstantUnknowns}},
       [](Judges& judges, const MetricCall& of) { return judges.simulations.Angles(of.part); }},
      {{.name = "simulation_sse_rates",
        .unit = "rad²/s²",
        .doc = "Sum as in simulation_sse_angles, but of the joint velocities",
        .better = Better::kLower,
        .scope = Scope::kExperiment,
        .components = Components::kJoints,
        .needs = {kTruth, kTorqueReplay, kConstantUnknowns}},
       [](Judges& judges, const MetricCall& of) { return judges.simulations.Rates(of.part); }},
      {{.name = "simulation_sse_states",
        .unit = "SI",
        .doc = "Sum of simulation_sse_angles and simulation_sse_rates",
        .better = Better::kLower,
        .scope = Scope::kExperiment,
        .needs = {kTruth, kTorqueReplay, kConstantUnknowns}},
       [](Judges& judges, const MetricCall& of) { return judges.simulations.States(of.part); }},
      {{.name = "simulation_sse_angles_bound",
        .unit = "rad²",
        .doc = "Cramér-Rao prediction of the mean of simulation_sse_angles, tr(S·C·Sᵀ), with C of "
               "the β of a planar Lagrangian from noisy positions of the joints without motors and "
               "noisy motor torques, and S = ∂q/∂β of the simulation; the same for all estimators",
        .scope = Scope::kExperiment,
        .needs = {kTruth, kTorqueReplay, kConstantUnknowns, kLagrangian},
        .bounds = "simulation_sse_angles",
        .bounded = Statistic::kMean},
       [](Judges& judges, const MetricCall& of) {
         return judges.simulation_bound.Angles(of.part);
       }},
      {{.name = "simulation_sse_angles_crlb_ratio",
        .doc = "Ratio of simulation_sse_angles to simulation_sse_angles_bound; to first order, its "
               "mean is 1 for an efficient estimator",
        .scope = Scope::kExperiment,
        .needs = {kTruth, kTorqueReplay, kConstantUnknowns, kLagrangian}},
       SimulationRatio},
      {{.name = "simulation_sse_states_bound",
        .unit = "SI",
        .doc = "Cramér-Rao prediction of the mean of simulation_sse_states, as in "
               "simulation_sse_angles_bound",
        .scope = Scope::kExperiment,
        .needs = {kTruth, kTorqueReplay, kConstantUnknowns, kLagrangian},
        .bounds = "simulation_sse_states",
        .bounded = Statistic::kMean},
       [](Judges& judges, const MetricCall& of) {
         return judges.simulation_bound.States(of.part);
       }},
      {{.name = "base_parameter_relative_error",
        .doc = "‖Φ(β̂ − β)‖ / ‖Φβ‖, with Φ the equations on 1,000 fixed states, rows scaled to the "
               "same size: where a joint has hardly any torque beside its noise, its row decides",
        .better = Better::kLower,
        .needs = {kTruth, kTrueUnknowns, kConstantUnknowns},
        .headline = Headline::kAlways},
       [](Judges& judges, const MetricCall& of) {
         return judges.parameters.BaseParameterError(of.estimate);
       }},
      {{.name = "base_parameter_error_bound",
        .doc = "Cramér-Rao bound on the root mean square of base_parameter_relative_error; the "
               "same for all estimators",
        .needs = {kTruth, kTrueUnknowns, kConstantUnknowns, kMeasuredState},
        .bounds = "base_parameter_relative_error"},
       [](Judges& judges, const MetricCall& of) {
         return judges.parameters.BaseParameterBound(of.checkpoint_s);
       }},
      {{.name = "crlb_ratio",
        .doc = "Squared error over the Cramér-Rao bound, (x̂ − x)ᵀJ(x̂ − x)/rank J, with J at the "
               "true σ and states; its mean is 1 for an efficient estimator",
        .needs = {kTruth, kTrueUnknowns, kConstantUnknowns, kMeasuredState},
        .law = ValueLaw::kUnbiasedBoundRatio},
       [](Judges& judges, const MetricCall& of) {
         return judges.parameters.CrlbRatio(of.estimate, of.checkpoint_s);
       }},
      {{.name = "link_mass_error_fraction",
        .doc = "|m̂ − m| / m of each link; overall: the mean over links",
        .better = Better::kLower,
        .components = Components::kLinks,
        .needs = {kTruth, kTrueUnknowns, kSingleLinks, kConstantUnknowns}},
       [](Judges& judges, const MetricCall& of) {
         return judges.parameters.LinkMassError(of.estimate);
       }},
      {{.name = "link_mass_error_bound",
        .doc = "Bayesian Cramér-Rao bound on the root mean square of link_mass_error_fraction; see "
               "parameter_error_bound",
        .components = Components::kLinks,
        .needs = {kTruth, kTrueUnknowns, kPriorCovariance, kSingleLinks, kConstantUnknowns},
        .bounds = "link_mass_error_fraction",
        .over_prior = true},
       [](Judges& judges, const MetricCall& of) {
         return judges.parameters.LinkMassBound(of.checkpoint_s);
       }},
      {{.name = "parameter_error_fraction",
        .doc = "|x̂ − x| / |x| of each unknown, or over the largest |x| of its kind if x is 0; "
               "overall: the mean over unknowns",
        .better = Better::kLower,
        .components = Components::kUnknowns,
        .needs = {kTruth, kTrueUnknowns, kConstantUnknowns},
        .framed = Framed::kByUnknowns},
       [](Judges& judges, const MetricCall& of) {
         return judges.parameters.UnknownsError(of.estimate);
       }},
      {{.name = "parameter_sigma_fraction",
        .doc = "Stated σ of each unknown over its |x̂|, as papers print it (%σ); overall: the "
               "median over unknowns",
        .components = Components::kUnknowns,
        .needs = {kConstantUnknowns},
        .framed = Framed::kByUnknowns,
        .on_request = true},
       [](Judges& judges, const MetricCall& of) {
         return judges.parameters.UnknownsSigma(of.estimate);
       }},
      {{.name = "largest_parameter_error_fraction",
        .doc = "Largest |x̂ − x| / |x| of the gravity parameters of a planar Lagrangian, G of each "
               "link: how far a compensation of gravity is off where it is worst",
        .better = Better::kLower,
        .needs = {kTruth, kTrueUnknowns, kConstantUnknowns, kLagrangian},
        .headline = Headline::kAlways},
       [](Judges& judges, const MetricCall& of) {
         return judges.parameters.LargestGravityError(of.estimate);
       }},
      {{.name = "experiment_count",
        .doc = "Experiments that an estimate took: those that its method made, or those that were "
               "recorded for identification",
        .better = Better::kLower,
        .needs = {kActiveEstimator},
        .headline = Headline::kAlways},
       ExperimentCount},
      {{.name = "falls",
        .doc = "Experiments of a method in which the robot fell: a position passed a limit of the "
               "experiment, or a joint hit its stop",
        .better = Better::kLower,
        .needs = {kActiveEstimator},
        .headline = Headline::kAlways},
       Falls},
      {{.name = "plant_time_s",
        .unit = "s",
        .doc = "Time for which the robot moved for an estimate: in the experiments of its method, "
               "or in those that were recorded for identification",
        .better = Better::kLower,
        .needs = {kActiveEstimator},
        .headline = Headline::kAlways},
       PlantTime},
      {{.name = "swing_periods",
        .doc = "Periods of the first link in the swing of swing_count; none where the robot fell",
        .needs = {kActiveEstimator}},
       [](Judges&, const MetricCall& of) { return SwingPeriods(of.estimate); }},
      {{.name = "following_error_rad",
        .unit = "rad",
        .doc = "Root mean square of desired minus true joint positions in an experiment that is "
               "controlled with the estimate (m for a prismatic joint)",
        .better = Better::kLower,
        .scope = Scope::kStaged,
        .components = Components::kJoints,
        .needs = {kTruth, kStaged},
        .headline = Headline::kAlways},
       [](Judges& judges, const MetricCall& of) { return judges.following.Error(of.part); }},
      {{.name = "parameter_error_bound",
        .doc = "Bayesian Cramér-Rao bound on the root mean square of parameter_error_fraction: "
               "√diag P over |x|, P = (P₀⁻¹ + J)⁻¹, with P₀ the prior's covariance and J at the "
               "true σ and states; the same for all estimators",
        .components = Components::kUnknowns,
        .needs = {kTruth, kTrueUnknowns, kPriorCovariance, kConstantUnknowns, kMeasuredState},
        .bounds = "parameter_error_fraction",
        .framed = Framed::kByUnknowns,
        .over_prior = true},
       [](Judges& judges, const MetricCall& of) {
         return judges.parameters.UnknownsBound(of.checkpoint_s);
       }},
      {{.name = "link_entropic_divergence",
        .doc = "Entropic divergence of each link from the true one, tr(P⁻¹P̂) − ln det(P⁻¹P̂) − 4 "
               "with P its pseudo-inertia, whatever its frame is; fails where a link of the "
               "estimate is not physically consistent; overall: the sum over links",
        .better = Better::kLower,
        .components = Components::kLinks,
        .needs = {kTruth, kTrueUnknowns, kSingleLinks, kConstantUnknowns}},
       [](Judges& judges, const MetricCall& of) {
         return judges.parameters.LinkDivergence(of.estimate);
       }},
      {{.name = "van_trees_ratio",
        .doc = "Squared error over the Bayesian bound, (x̂ − x)ᵀP⁻¹(x̂ − x) over the number of "
               "unknowns, if the prior is drawn per trial as it declares; no estimator's mean is "
               "below 1",
        .needs = {kTruth, kTrueUnknowns, kPriorCovariance, kDrawnAsDeclared, kConstantUnknowns},
        .law = ValueLaw::kBayesianBoundRatio},
       [](Judges& judges, const MetricCall& of) {
         return judges.parameters.VanTreesRatio(of.estimate, of.checkpoint_s);
       }},
      {{.name = "link_mass_kg",
        .unit = "kg",
        .doc = "Estimated mass of each link; overall: their sum",
        .components = Components::kLinks,
        .needs = {kSingleLinks, kConstantUnknowns}},
       [](Judges& judges, const MetricCall& of) {
         return judges.parameters.LinkMasses(of.estimate);
       }},
      {{.name = "consistent_link_fraction",
        .doc =
            "Fraction of the links that are physically consistent, with positive mass and density",
        .better = Better::kHigher,
        .components = Components::kLinks,
        .needs = {kSingleLinks, kConstantUnknowns},
        .law = ValueLaw::kProportion},
       [](Judges& judges, const MetricCall& of) {
         return judges.parameters.ConsistentLinks(of.estimate);
       }},
      {{.name = "pseudo_inertia_margin",
        .doc =
            "Least eigenvalue of each link's pseudo-inertia (SI units) over the magnitude of its "
            "trace, above 0 for a physically consistent link; overall: the least of all links",
        .components = Components::kLinks,
        .needs = {kSingleLinks, kConstantUnknowns},
        .framed = Framed::kAlways},
       [](Judges& judges, const MetricCall& of) {
         return judges.parameters.PseudoInertiaMargins(of.estimate);
       }},
      {{.name = "nis",
        .doc = "Normalised innovation squared of a filter: the mean of ν²/s over its innovations ν "
               "with stated variance s; near 1 if the model and the declared σ hold",
        .headline = Headline::kAlways},
       [](Judges&, const MetricCall& of) { return InnovationsSquared(of.estimate); }},
      {{.name = "chi_square",
        .doc = "Sum of squared residuals over their declared variances: those that a likelihood "
               "method of a planar Lagrangian minimised, of all others those of the rows for "
               "identification at the estimate; near its degrees of freedom (its count) if the "
               "model and the declared σ hold"},
       ChiSquare},
      {{.name = "negative_moment_count",
        .doc = "Number of principal moments of inertia about the centres of mass that are not "
               "positive",
        .better = Better::kLower,
        .needs = {kSingleLinks, kConstantUnknowns}},
       [](Judges& judges, const MetricCall& of) {
         return judges.parameters.NegativeMoments(of.estimate);
       }},
      {{.name = "mass_matrix_positive_fraction",
        .doc = "Fraction of 200 fixed poses at which M(q) is positive definite",
        .better = Better::kHigher,
        .law = ValueLaw::kProportion},
       [](Judges& judges, const MetricCall& of) {
         return judges.parameters.PositiveMassMatrices(of.estimate);
       }},
      {{.name = "out_of_bounds_count",
        .doc = "Number of unknowns beyond the problem's bounds",
        .better = Better::kLower,
        .needs = {kBounds},
        .framed = Framed::kByUnknowns},
       [](Judges& judges, const MetricCall& of) {
         return judges.parameters.OutOfBounds(of.estimate);
       }},
      {{.name = "out_of_bounds_mass_count",
        .doc = "Number of link masses beyond the problem's bounds",
        .better = Better::kLower,
        .needs = {kBounds, kSingleLinks}},
       [](Judges& judges, const MetricCall& of) {
         return judges.parameters.MassesOutOfBounds(of.estimate);
       }},
      {{.name = "saturated_count",
        .doc = "Number of unknowns within 1.8 % of their range from a bound, or beyond it: |ln((x "
               "− l)/(u − x))| > 4",
        .better = Better::kLower,
        .needs = {kBounds},
        .framed = Framed::kByUnknowns},
       [](Judges& judges, const MetricCall& of) {
         return judges.parameters.Saturated(of.estimate);
       }},
      {{.name = "coverage95",
        .doc = "Fraction of the directions that the data determine (one σ of the Cramér-Rao bound "
               "moves the torques of fixed states by less than 10 %), the same for all methods but "
               "for those that a method's own prior holds alone, in which the 95 % interval holds "
               "the truth",
        .needs = {kTruth, kTrueUnknowns},
        .law = ValueLaw::kProportion,
        .headline = Headline::kAlways},
       [](Judges& judges, const MetricCall& of) {
         return judges.parameters.Coverage(of.estimate, of.checkpoint_s);
       }},
      {{.name = "nees",
        .doc = "Normalised estimation error squared along the directions that the data determine "
               "(as of coverage95), eᵀP⁻¹e over their number; its mean is 1 for a credible σ",
        .needs = {kTruth, kTrueUnknowns}},
       [](Judges& judges, const MetricCall& of) {
         return judges.parameters.Nees(of.estimate, of.checkpoint_s);
       }},
  });
  static const std::vector<Metric> kMetrics = [] {
    const std::span<const Metric> torques = TorqueMetricRows();
    std::vector<Metric> all(torques.begin(), torques.end());
    all.insert(all.end(), kOthers.begin(), kOthers.end());
    const std::span<const Metric> tracking = TrackingMetricRows();
    all.insert(all.end(), tracking.begin(), tracking.end());
    const std::span<const Metric> sensors = SensorMetricRows();
    all.insert(all.end(), sensors.begin(), sensors.end());
    return all;
  }();
  return kMetrics;
}

const Metric& MetricNamed(const std::string& name) {
  const auto found =
      std::ranges::find(MetricTable(), name, [](const Metric& metric) { return metric.info.name; });
  assert(found != MetricTable().end());
  return *found;
}

std::span<const MetricInfo> AllMetrics() {
  static const std::vector<MetricInfo> kInfos = [] {
    std::vector<MetricInfo> infos;
    for (const Metric& metric : MetricTable()) infos.push_back(metric.info);
    for (const ObservationMetric& metric : ObservationMetricTable()) infos.push_back(metric.info);
    for (const MotionMetric& metric : MotionMetricTable()) infos.push_back(metric.info);
    return infos;
  }();
  return kInfos;
}

}  // namespace idbench
