#include "bench/metrics/motion_metrics.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "bench/cell/shown_parameters.h"
#include "estimators/interface/aligned_equations.h"
#include "estimators/interface/estimate.h"
#include "reports/run/metric_name.h"
#include "robots/dynamics/rows.h"
#include "scenarios/motion/excitation/exciting_motion.h"

namespace idbench {
namespace {

template <ExcitationCriterion kCriterion>
double Criterion(const MotionInformation& information) {
  return CriterionOf(kCriterion, information.M);
}

/// A criterion −ln that grows by p·ln T with what a longer recording adds, without that.
template <ExcitationCriterion kCriterion>
double WithoutTime(const MotionInformation& information) {
  return Criterion<kCriterion>(information) +
         static_cast<double>(information.M.rows()) * std::log(information.duration_s);
}

/// Of the desired motion.
MotionInformation OfMotion(const Robot& robot, const DataSource::ShowingMotion& showing) {
  const ShownParameters& shown = *showing.shown;
  const Dynamics dynamics(robot.model, shown.friction, showing.configuration);
  const RowRegressor rows(dynamics, shown.equations, shown.columns);
  const Motion& motion = *showing.desired.motion;
  return {InformationOn({robot.model, dynamics, rows, robot.FindSet("")->pi}, motion),
          motion.duration_s()};
}

/// Of what was recorded, as estimators get it. @throws EstimationFailure (refused) without states
/// that are finite.
MotionInformation OfRecording(const PreparedCell& cell, const TrialData& data,
                              const std::string& experiment) {
  const Problem& problem = data.problem();
  MotionInformation sum;
  for (const Dataset& dataset : data.DatasetsOf(experiment)) {
    const int configuration = ConfigurationOf(problem, dataset);
    ShownByMotions shown_by(problem.model, problem, cell.asked());
    const ShownParameters& shown = shown_by.In(configuration);
    const Dynamics dynamics(problem.model, shown.friction, configuration);
    const RowRegressor rows(dynamics, shown.equations, shown.columns);
    const AlignedView view = AlignEquations(problem, dataset, {});
    if (view.size() < 2) Refuse("two samples or more tell of a motion");
    for (std::size_t channel = 0; channel < 3; ++channel) {
      for (Eigen::Index row = 0; row < view.size(); ++row) CheckFinite(dataset, view, channel, row);
    }
    const double rate_hz = view.nominal_rate_hz();
    const Eigen::MatrixXd M =
        (kCriterionRateHz / rate_hz) * InformationOn(dynamics, rows, {view[0], view[1], view[2]});
    if (sum.M.size() == 0) sum.M.setZero(M.rows(), M.cols());
    sum.M += M;
    sum.duration_s += static_cast<double>(view.size()) / rate_hz;
  }
  return sum;
}

MetricValue ValueOf(const MotionMetric& metric, const MotionInformation& information) {
  if (information.M.size() == 0) return AbsentMetric("there is no parameter to show");
  MetricValue value = MetricOf(metric.evaluate(information));
  value.count = static_cast<std::size_t>(information.M.rows());
  if (std::isfinite(*value.value)) return value;
  return FailedMetric("the motion cannot tell the parameters apart that it is to show");
}

}  // namespace

std::span<const MotionMetric> MotionMetricTable() {
  using enum ExcitationCriterion;
  using Scope = MetricInfo::Scope;
  using Headline = MetricInfo::Headline;
  static constexpr auto kMetrics = std::to_array<MotionMetric>({
      {{.name = "excitation_jd",
        .doc = "-ln det W'W of the regressor W on the desired motion at 100 Hz, of recordings on "
               "their samples scaled to that rate: columns are those that the motion is designed "
               "for, else base parameters (SI); count: their number N; comparable only for equal "
               "columns",
        .better = Better::kLower,
        .scope = Scope::kMotion,
        .headline = Headline::kAlways,
        .interval_scale = true},
       Criterion<kLogDet>},
      {{.name = "excitation_jd_timeless",
        .doc =
            "Sum of excitation_jd and N ln T, with T the duration in s: without what more of the "
            "same data would add",
        .better = Better::kLower,
        .scope = Scope::kMotion,
        .interval_scale = true},
       WithoutTime<kLogDet>},
      {{.name = "excitation_jh",
        .doc = "-ln of the product of the diagonal of W'W, as in excitation_jd: at most that, and "
               "equal to it where columns are orthogonal",
        .better = Better::kLower,
        .scope = Scope::kMotion,
        .interval_scale = true},
       Criterion<kHadamard>},
      {{.name = "excitation_jh_timeless",
        .doc = "Sum of excitation_jh and N ln T, as in excitation_jd_timeless",
        .better = Better::kLower,
        .scope = Scope::kMotion,
        .interval_scale = true},
       WithoutTime<kHadamard>},
      {{.name = "excitation_jc",
        .doc = "Condition number of W, as in excitation_jd: it depends on the units of columns "
               "and on which of them make the base",
        .better = Better::kLower,
        .scope = Scope::kMotion},
       Criterion<kCondition>},
      {{.name = "excitation_log_cond",
        .doc = "Natural logarithm of excitation_jc",
        .better = Better::kLower,
        .scope = Scope::kMotion,
        .interval_scale = true},
       Criterion<kLogCondition>},
      {{.name = "excitation_scaled_cond",
        .doc = "Condition number of W with columns of norm 1, which no units change",
        .better = Better::kLower,
        .scope = Scope::kMotion},
       Criterion<kScaledCondition>},
  });
  return kMetrics;
}

MotionEvaluator::MotionEvaluator(const PreparedCell& cell, const std::vector<RunMetric>& metrics)
    : cell_(cell) {
  for (const std::string& experiment : MotionsOf(metrics)) requested_.push_back({experiment, {}});
  for (const RunMetric& metric : metrics) {
    if (metric.subject() != MetricSubject::kMotion) continue;
    const MetricName name(metric.name);
    const auto row = std::ranges::find(MotionMetricTable(), name.quantity,
                                       [](const MotionMetric& each) { return each.info.name; });
    const auto of =
        std::ranges::find(requested_, name.experiment, [](const auto& each) { return each.first; });
    of->second.push_back({*row, metric.name});
  }
}

std::vector<std::string> MotionEvaluator::Experiments() const {
  std::vector<std::string> experiments;
  for (const auto& [experiment, metrics] : requested_) experiments.push_back(experiment);
  return experiments;
}

std::vector<std::pair<std::string, std::vector<MetricValue>>> MotionEvaluator::Evaluate(
    const TrialData& data) const {
  std::vector<std::pair<std::string, std::vector<MetricValue>>> evaluated;
  for (const auto& [experiment, metrics] : requested_) {
    auto& [label, values] = evaluated.emplace_back(experiment, std::vector<MetricValue>());
    MotionInformation information;
    std::string failure;
    try {
      const auto showing = cell_.MotionOf(data, experiment);
      information =
          showing ? OfMotion(cell_.robot(), *showing) : OfRecording(cell_, data, experiment);
    } catch (const EstimationFailure& error) {
      failure = error.what();
    }
    for (const Requested& requested : metrics) {
      values.push_back(failure.empty() ? ValueOf(requested.metric, information)
                                       : FailedMetric(failure));
      values.back().name = requested.name;
    }
  }
  return evaluated;
}

}  // namespace idbench
