#include "bench/metrics/torque_metric_rows.h"

#include <array>
#include <string_view>

namespace idbench {
namespace {

/// A score of measured torques at a smoothing.
template <auto kScore, ScoreCutoff kCutoff>
MetricValue ScoreAt(Judges& judges, const MetricCall& of) {
  return (judges.torques.*kScore)(of.part, kCutoff);
}

constexpr std::string_view kAtHalf = "Same score at half the cut-off of /scoring";
constexpr std::string_view kAtTwice = "Same score at twice the cut-off of /scoring";
constexpr std::string_view kUnsmoothed = "Same score without smoothing";

/// Describes a score at another smoothing than that of /scoring.
constexpr MetricInfo Beside(MetricInfo score, std::string_view name, std::string_view doc) {
  score.beside = score.name;
  score.name = name;
  score.doc = doc;
  score.headline = MetricInfo::Headline::kNever;
  return score;
}

}  // namespace

std::span<const Metric> TorqueMetricRows() {
  using enum Capability;
  using Scope = MetricInfo::Scope;
  using Components = MetricInfo::Components;
  using Headline = MetricInfo::Headline;
  static constexpr MetricInfo kRmse = {
      .name = "joint_torque_rmse_nm",
      .unit = "N·m",
      .doc =
          "Root mean square of τ − τ̂, with τ as measured, both smoothed as /scoring says; "
          "overall: over all joints",
      .better = Better::kLower,
      .scope = Scope::kExperiment,
      .components = Components::kJoints,
      .needs = {kMeasuredTorque},
      .headline = Headline::kWithoutTruth};
  static constexpr MetricInfo kRelativeError = {
      .name = "joint_torque_relative_error",
      .doc =
          "‖τ − τ̂‖ / ‖τ‖, with τ as measured, both smoothed as /scoring says; overall: dominated "
          "by the heavy joints",
      .better = Better::kLower,
      .scope = Scope::kExperiment,
      .components = Components::kJoints,
      .needs = {kMeasuredTorque},
      .headline = Headline::kAlways};
  static constexpr MetricInfo kNrmse = {
      .name = "joint_torque_nrmse",
      .doc =
          "RMSE over the standard deviation of τ, both smoothed as /scoring says, per joint; "
          "overall: the mean over joints",
      .better = Better::kLower,
      .scope = Scope::kExperiment,
      .components = Components::kJoints,
      .needs = {kMeasuredTorque}};
  static constexpr auto kMetrics = std::to_array<Metric>({
      {kRmse, ScoreAt<&TorqueMetrics::Rmse, ScoreCutoff::kDeclared>},
      {Beside(kRmse, "joint_torque_rmse_nm(cutoff=0.5)", kAtHalf),
       ScoreAt<&TorqueMetrics::Rmse, ScoreCutoff::kHalf>},
      {Beside(kRmse, "joint_torque_rmse_nm(cutoff=2)", kAtTwice),
       ScoreAt<&TorqueMetrics::Rmse, ScoreCutoff::kTwice>},
      {Beside(kRmse, "joint_torque_rmse_nm(cutoff=none)", kUnsmoothed),
       ScoreAt<&TorqueMetrics::Rmse, ScoreCutoff::kNone>},
      {{.name = "joint_torque_rmse_over_sigma",
        .doc = "RMSE of τ − τ̂ over the declared σ of one sample of τ, both as estimators get them, "
               "1 at the noise floor; overall: the mean over joints",
        .better = Better::kLower,
        .scope = Scope::kExperiment,
        .components = Components::kJoints,
        .needs = {kMeasuredTorque, kTorqueSigma}},
       [](Judges& judges, const MetricCall& of) { return judges.torques.RmseOverSigma(of.part); }},
      {kRelativeError, ScoreAt<&TorqueMetrics::RelativeError, ScoreCutoff::kDeclared>},
      {Beside(kRelativeError, "joint_torque_relative_error(cutoff=0.5)", kAtHalf),
       ScoreAt<&TorqueMetrics::RelativeError, ScoreCutoff::kHalf>},
      {Beside(kRelativeError, "joint_torque_relative_error(cutoff=2)", kAtTwice),
       ScoreAt<&TorqueMetrics::RelativeError, ScoreCutoff::kTwice>},
      {Beside(kRelativeError, "joint_torque_relative_error(cutoff=none)", kUnsmoothed),
       ScoreAt<&TorqueMetrics::RelativeError, ScoreCutoff::kNone>},
      {kNrmse, ScoreAt<&TorqueMetrics::Nrmse, ScoreCutoff::kDeclared>},
      {Beside(kNrmse, "joint_torque_nrmse(cutoff=0.5)", kAtHalf),
       ScoreAt<&TorqueMetrics::Nrmse, ScoreCutoff::kHalf>},
      {Beside(kNrmse, "joint_torque_nrmse(cutoff=2)", kAtTwice),
       ScoreAt<&TorqueMetrics::Nrmse, ScoreCutoff::kTwice>},
      {Beside(kNrmse, "joint_torque_nrmse(cutoff=none)", kUnsmoothed),
       ScoreAt<&TorqueMetrics::Nrmse, ScoreCutoff::kNone>},
      {{.name = "joint_torque_clean_rmse_nm",
        .unit = "N·m",
        .doc = "Root mean square of τ − τ̂, with τ before any sensor effect, both at the true state",
        .better = Better::kLower,
        .scope = Scope::kExperiment,
        .components = Components::kJoints,
        .needs = {kTruth},
        .headline = Headline::kAlways},
       [](Judges& judges, const MetricCall& of) { return judges.torques.CleanRmse(of.part); }},
      {{.name = "prediction_excess_nm",
        .unit = "N·m",
        .doc = "Root mean square of what the torques by the estimate differ from those by the true "
               "parameters, at the true state; where the true robot has effects that the model has "
               "not, the true parameters are not those of the best fit; overall: the mean over "
               "joints",
        .better = Better::kLower,
        .scope = Scope::kExperiment,
        .components = Components::kJoints,
        .needs = {kTruth, kTrueUnknowns, kConstantUnknowns},
        .on_request = true},
       [](Judges& judges, const MetricCall& of) { return judges.torques.Excess(of.part); }},
      {{.name = "prediction_excess_bound_nm",
        .unit = "N·m",
        .doc =
            "Cramér-Rao bound on the root mean square of prediction_excess_nm, from the noise of "
            "the sensors alone; the same for all estimators",
        .scope = Scope::kExperiment,
        .components = Components::kJoints,
        .needs = {kTruth, kTrueUnknowns, kConstantUnknowns, kMeasuredState},
        .bounds = "prediction_excess_nm",
        .on_request = true},
       [](Judges& judges, const MetricCall& of) {
         return judges.parameters.PredictionBound(of.part, of.checkpoint_s);
       }},
      {{.name = "prediction_excess_least_nm",
        .unit = "N·m",
        .doc = "Least overall prediction_excess_bound_nm of any motion with as many samples within "
               "the robot's limits of position, velocity and acceleration, found by search and not "
               "proved; the same for all estimators; takes seconds a trial",
        .scope = Scope::kExperiment,
        .needs = {kTruth, kTrueUnknowns, kConstantUnknowns, kMeasuredState},
        .on_request = true},
       [](Judges& judges, const MetricCall& of) {
         return judges.parameters.LeastPredictionBound(of.part, of.checkpoint_s);
       }},
      {{.name = "joint_torque_ratio_to_prior",
        .doc = "Clean RMSE over that of the prior; overall: of the norms over joints, so that no "
               "light joint decides it, or, as overall_ratio_to_prior says, the mean over joints",
        .better = Better::kLower,
        .scope = Scope::kExperiment,
        .components = Components::kJoints,
        .needs = {kTruth, kPrior}},
       [](Judges& judges, const MetricCall& of) { return judges.torques.RatioToPrior(of.part); }},
  });
  return kMetrics;
}

}  // namespace idbench
