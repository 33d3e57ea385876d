#include "bench/metrics/observation_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/run/metric_name.h"
#include "sim/truth/environment.h"
#include "sim/truth/payload.h"

namespace idbench {
namespace {

/// Signals at other instants, on straight lines; constant before the first and behind the last.
Eigen::MatrixXd Interpolated(const Eigen::VectorXd& from_s, const Eigen::MatrixXd& values,
                             const Eigen::VectorXd& to_s) {
  Eigen::MatrixXd at(to_s.size(), values.cols());
  Eigen::Index next = 0;
  for (Eigen::Index k = 0; k < to_s.size(); ++k) {
    while (next < from_s.size() && from_s[next] < to_s[k]) ++next;
    if (next == 0 || next == from_s.size()) {
      at.row(k) = values.row(next == 0 ? 0 : next - 1);
      continue;
    }
    const double part = (to_s[k] - from_s[next - 1]) / (from_s[next] - from_s[next - 1]);
    at.row(k) = (1.0 - part) * values.row(next - 1) + part * values.row(next);
  }
  return at;
}

/// Inertial parameters of what is carried at an instant, a column per link.
Eigen::MatrixXd LoadsAt(const std::vector<Payload>& payloads, int links, double t_s) {
  Eigen::MatrixXd loads = Eigen::MatrixXd::Zero(kInertialCount, links);
  for (const Payload& payload : payloads) {
    loads.col(payload.link) += payload.PartAt(t_s) * ToStandard(payload.inertia);
  }
  return loads;
}

MetricValue ValueOr(const std::optional<double>& value, const std::string& absent) {
  return value ? MetricOf(*value) : AbsentMetric(absent);
}

constexpr const char* kOneClass =
    "all of the experiment is with what is to be detected, or without it";

}  // namespace

Eigen::MatrixXd ObservedTruth::Force(const std::string& experiment,
                                     const Eigen::VectorXd& time_s) const {
  const StagedExperiment* const stage =
      staged_ != nullptr ? FindStaged(*staged_, experiment) : nullptr;
  const auto dataset = std::ranges::find(data_->datasets, experiment, &Dataset::label);
  const Signals& clean =
      stage != nullptr ? stage->clean
                       : *data_->clean[static_cast<std::size_t>(dataset - data_->datasets.begin())];
  const Eigen::MatrixXd& wrench = clean[kExternalWrench];
  if (wrench.rows() == 0) return Eigen::MatrixXd::Zero(time_s.size(), 3);
  return Interpolated(clean.time_s, wrench.leftCols(3), time_s);
}

std::vector<std::optional<ObservedTruth::OneTouch>> ObservedTruth::Touches(
    const std::string& experiment, const Eigen::VectorXd& time_s) const {
  std::vector<std::optional<OneTouch>> touches(static_cast<std::size_t>(time_s.size()));
  const auto dataset = std::ranges::find(data_->datasets, experiment, &Dataset::label);
  if (dataset == data_->datasets.end()) return touches;
  const Environment* const environment =
      data_->environments[static_cast<std::size_t>(dataset - data_->datasets.begin())];
  if (environment == nullptr || !environment->walls.empty()) return touches;
  for (std::size_t k = 0; k < touches.size(); ++k) {
    int acting = 0;
    for (const Touch& touch : environment->touches) {
      const double part = touch.PartAt(time_s[static_cast<Eigen::Index>(k)]);
      if (part == 0.0) continue;
      ++acting;
      touches[k] = {touch.link, touch.p_LT_L, part * touch.force.norm()};
    }
    if (acting != 1) touches[k].reset();
  }
  return touches;
}

int ObservedTruth::LinkOf(const std::string& body) const {
  const RobotModel& model = cell_.robot().model;
  for (int k = 0; k < model.body_end(); ++k) {
    if (model.BodyName(k) == body) return model.CarrierOf(k);
  }
  return -1;
}

double ObservedTruth::ContactFrom(const std::string& experiment) const {
  const ExperimentOptions& options =
      std::ranges::find(cell_.scenario().experiments, experiment,
                        &Labelled<ExperimentOptions>::value_type::first)
          ->second;
  return options.environment ? options.environment->contact_from_n : 0.0;
}

std::vector<bool> ObservedTruth::There(Detects detects, const std::string& experiment,
                                       const Eigen::VectorXd& time_s) const {
  const ExperimentOptions& options =
      std::ranges::find(cell_.scenario().experiments, experiment,
                        &Labelled<ExperimentOptions>::value_type::first)
          ->second;
  std::vector<bool> there(static_cast<std::size_t>(time_s.size()), false);
  if (detects == Detects::kContact) {
    const double from_n = ContactFrom(experiment);
    const Eigen::VectorXd force = Force(experiment, time_s).rowwise().norm();
    for (std::size_t k = 0; k < there.size(); ++k) {
      there[k] = force[static_cast<Eigen::Index>(k)] > from_n;
    }
    return there;
  }
  const std::vector<Payload> own = MakePayloads(options.events, cell_.robot());
  const int links = cell_.robot().model.dofs();
  const Eigen::MatrixXd before = LoadsAt(carried_.throughout, links, 0.0);
  for (std::size_t k = 0; k < there.size(); ++k) {
    const Eigen::MatrixXd change =
        LoadsAt(own, links, time_s[static_cast<Eigen::Index>(k)]) - before;
    there[k] = !change.isZero(0.0);
  }
  return there;
}

void ObservationJudge::Select(const Observed& observed, const std::string& experiment,
                              const Observation& observation) {
  const Detects detects = observed.detects;
  detects_ = detects;
  touched_link_ = truth_.LinkOf(observed.touched_body);
  experiment_ = &experiment;
  observation_ = &observation;
  record_.reset();
  roc_.clear();
  absent_ = kOneClass;
  if (!HasTruth()) {
    absent_ = "what the robot carries changes in the data that the model is from";
    return;
  }
  const Series* const statistic = FindNamed(observation.series, kStatistic);
  if (statistic == nullptr || detects == Detects::kNothing) return;
  record_ = {statistic->time_s, statistic->values.col(0), There(statistic->time_s)};
  roc_ = RocOf(*record_);
}

MetricValue ObservationJudge::ForceError() const {
  const Series& force = *FindNamed(observation_->series, kExternalForce);
  Eigen::MatrixXd found = force.values;
  Eigen::Index without = 0;
  for (Eigen::Index k = 0; k < found.rows(); ++k) {
    if (!found.row(k).hasNaN()) continue;
    found.row(k).setZero();
    ++without;
  }
  if (without == found.rows()) return FailedMetric("no sample has a force");
  const Eigen::MatrixXd error = found - truth_.Force(*experiment_, force.time_s);
  const Eigen::VectorXd squares = error.cwiseAbs2().colwise().mean();
  return MetricOf(std::sqrt(squares.sum()), squares.cwiseSqrt());
}

MetricValue ObservationJudge::PlaceError() const {
  const Series& place = *FindNamed(observation_->series, kTouchPlace);
  const double from_n = truth_.ContactFrom(*experiment_);
  const auto touches = truth_.Touches(*experiment_, place.time_s);
  double sum = 0.0;
  Eigen::Index told = 0, there = 0;
  for (Eigen::Index k = 0; k < place.values.rows(); ++k) {
    const auto& touch = touches[static_cast<std::size_t>(k)];
    if (!touch || touch->link != touched_link_ || !(touch->force_n > from_n)) continue;
    ++there;
    if (!place.values.row(k).allFinite()) continue;
    sum += (place.values.row(k).transpose() - touch->p_LT_L).squaredNorm();
    ++told;
  }
  if (there == 0) {
    return AbsentMetric(
        "no touch of the body that the observer looks at acts alone, at a known "
        "place");
  }
  if (told == 0) return FailedMetric("no sample of a touch has a place");
  return MetricOf(std::sqrt(sum / static_cast<double>(told)));
}

MetricValue ObservationJudge::Auc() const { return ValueOr(AreaUnder(roc_), absent_); }

MetricValue ObservationJudge::TruePositiveRate(double false_positive_rate) const {
  return ValueOr(TruePositiveRateAt(roc_, false_positive_rate), absent_);
}

MetricValue ObservationJudge::Roc() const {
  if (roc_.empty()) return AbsentMetric(absent_);
  MetricValue metric;
  for (const double rate : kRocRates) {
    metric.components.push_back(TruePositiveRateAt(roc_, rate).value());
  }
  return metric;
}

MetricValue ObservationJudge::Delay(double false_episodes_per_minute) const {
  if (roc_.empty()) return AbsentMetric(absent_);
  const std::optional<double> median = MedianDelayAt(*record_, false_episodes_per_minute);
  if (!median) return AbsentMetric(absent_);
  if (!std::isfinite(*median)) {
    return FailedMetric(fmt::format("most episodes are not detected at {:g} false ones a minute",
                                    false_episodes_per_minute));
  }
  return MetricOf(*median);
}

MetricValue ObservationJudge::FalseEpisodes() const {
  const Labels* const labels = FindNamed(observation_->labels, kDetected);
  if (labels == nullptr) return AbsentMetric("the observer has no threshold of its own");
  if (!HasTruth()) return AbsentMetric(absent_);
  DetectionRecord record{labels->time_s, {}, There(labels->time_s)};
  std::vector<bool> alarms(record.there.size());
  for (std::size_t k = 0; k < alarms.size(); ++k) {
    alarms[k] = labels->chosen[static_cast<Eigen::Index>(k)] > 0;
  }
  return ValueOr(FalseEpisodesPerMinute(record, alarms), absent_);
}

MetricValue ObservationJudge::LabelAccuracy() const {
  const Labels* const labels = FindNamed(observation_->labels, kDetected);
  if (labels == nullptr) return AbsentMetric("the observer has no threshold of its own");
  if (!HasTruth()) return AbsentMetric(absent_);
  const std::vector<bool> there = There(labels->time_s);
  if (there.empty()) return FailedMetric("no sample has a label");
  std::size_t right = 0;
  for (std::size_t k = 0; k < there.size(); ++k) {
    const int chosen = labels->chosen[static_cast<Eigen::Index>(k)];
    if (chosen >= 0 && (chosen > 0) == there[k]) ++right;
  }
  return MetricOf(static_cast<double>(right) / static_cast<double>(there.size()));
}

MetricValue ObservationJudge::LabelledAsContact(bool with_contact) const {
  const Labels* const labels = FindNamed(observation_->labels, kDetected);
  if (labels == nullptr) return AbsentMetric("the observer has no threshold of its own");
  if (!HasTruth()) return AbsentMetric(absent_);
  const std::vector<bool> there = There(labels->time_s);
  std::size_t asked = 0, labelled = 0;
  for (std::size_t k = 0; k < there.size(); ++k) {
    const int chosen = labels->chosen[static_cast<Eigen::Index>(k)];
    if (there[k] != with_contact || chosen < 0) continue;
    ++asked;
    if (chosen > 0) ++labelled;
  }
  if (asked == 0) return FailedMetric(with_contact ? "no contact" : "nothing but contact");
  return MetricOf(static_cast<double>(labelled) / static_cast<double>(asked));
}

std::span<const ObservationMetric> ObservationMetricTable() {
  using enum Capability;
  using Scope = MetricInfo::Scope;
  using Headline = MetricInfo::Headline;
  static constexpr auto kMetrics = std::to_array<ObservationMetric>({
      {{.name = "external_force_rmse_n",
        .unit = "N",
        .doc = "Root mean square over samples of the error of an external force: of its components "
               "in axes of the base, overall of its length; where an observer tells none, 0 counts",
        .better = Better::kLower,
        .scope = Scope::kObservation,
        .components = MetricInfo::Components::kForce,
        .needs = {kTruth, kObservedForce},
        .headline = Headline::kAlways},
       kExternalForce,
       [](const ObservationJudge& judge, double) { return judge.ForceError(); }},
      {{.name = "touch_place_rmse_m",
        .unit = "m",
        .doc = "Root mean square distance of the place of a touch from the true one, over the "
               "samples of contact in which an observer tells one and a single touch acts, of the "
               "body that it looks at; what it does not detect does not count",
        .better = Better::kLower,
        .scope = Scope::kObservation,
        .needs = {kTruth, kObservedPlace},
        .headline = Headline::kAlways},
       kTouchPlace,
       [](const ObservationJudge& judge, double) { return judge.PlaceError(); }},
      {{.name = "detection_auc",
        .doc = "Area under the receiver operating characteristic of a statistic: the probability "
               "that a sample with contact (or a changed load) has a greater one than a sample "
               "without; 0.5 by chance",
        .better = Better::kHigher,
        .scope = Scope::kObservation,
        .needs = {kTruth, kDetection},
        .headline = Headline::kAlways},
       kStatistic,
       [](const ObservationJudge& judge, double) { return judge.Auc(); }},
      {{.name = "detection_tpr",
        .doc = "Fraction of the samples with contact that are detected where the threshold takes "
               "the fraction fpr of those without for contact: true positive rate",
        .better = Better::kHigher,
        .scope = Scope::kObservation,
        .needs = {kTruth, kDetection},
        .law = ValueLaw::kProportion,
        .headline = Headline::kAlways,
        .argument = {{"fpr", 0.06, 0.0, 1.0}}},
       kStatistic,
       [](const ObservationJudge& judge, double fpr) { return judge.TruePositiveRate(fpr); }},
      {{.name = "detection_roc",
        .doc = "Fraction of the samples with contact that are detected, at each of several "
               "fractions of those without that are taken for contact: receiver operating "
               "characteristic",
        .better = Better::kHigher,
        .scope = Scope::kObservation,
        .components = MetricInfo::Components::kFalsePositiveRates,
        .needs = {kTruth, kDetection},
        .law = ValueLaw::kProportion},
       kStatistic,
       [](const ObservationJudge& judge, double) { return judge.Roc(); }},
      {{.name = "detection_delay_s",
        .unit = "s",
        .doc = "Median time from the beginning of a contact, where its force exceeds "
               "contact_from_n, to its detection, missed ones as infinite: the shortest of all "
               "thresholds with no more false episodes a minute; an alarm that is on before the "
               "last 0.2 s detects nothing",
        .better = Better::kLower,
        .scope = Scope::kObservation,
        .needs = {kTruth, kDetection},
        .headline = Headline::kAlways,
        .argument = {{"per_minute", 2.0, 0.0, 1e6}}},
       kStatistic,
       [](const ObservationJudge& judge, double rate) { return judge.Delay(rate); }},
      {{.name = "false_episodes_per_minute",
        .unit = "1/min",
        .doc = "Episodes of alarms of the observer's own threshold where nothing is there, per "
               "minute without contact; alarms within 0.2 s are one, and one that is on between "
               "two contacts, or for 1 s after one, counts",
        .better = Better::kLower,
        .scope = Scope::kObservation,
        .needs = {kTruth, kDetection}},
       kStatistic,
       [](const ObservationJudge& judge, double) { return judge.FalseEpisodes(); }},
      {{.name = "label_accuracy",
        .doc = "Fraction of the samples whose label, by the observer's own threshold, is the true "
               "one",
        .better = Better::kHigher,
        .scope = Scope::kObservation,
        .needs = {kTruth, kDetection},
        .law = ValueLaw::kProportion},
       kStatistic,
       [](const ObservationJudge& judge, double) { return judge.LabelAccuracy(); }},
      {{.name = "label_true_positive_rate",
        .doc = "Fraction of the samples with contact that the observer's own threshold detects",
        .better = Better::kHigher,
        .scope = Scope::kObservation,
        .needs = {kTruth, kDetection},
        .law = ValueLaw::kProportion},
       kStatistic,
       [](const ObservationJudge& judge, double) { return judge.LabelledAsContact(true); }},
      {{.name = "label_false_positive_rate",
        .doc = "Fraction of the samples without contact that it takes for contact",
        .better = Better::kLower,
        .scope = Scope::kObservation,
        .needs = {kTruth, kDetection},
        .law = ValueLaw::kProportion},
       kStatistic,
       [](const ObservationJudge& judge, double) { return judge.LabelledAsContact(false); }},
  });
  return kMetrics;
}

ObservationEvaluator::ObservationEvaluator(const PreparedCell& cell,
                                           const std::vector<RunMetric>& metrics)
    : judge_(cell) {
  for (const RunMetric& metric : metrics) {
    const MetricName name(metric.name);
    const auto row =
        std::ranges::find(ObservationMetricTable(), name.base(),
                          [](const ObservationMetric& each) { return each.info.name; });
    if (row == ObservationMetricTable().end()) continue;
    const auto& argument = row->info.argument;
    requested_.push_back({.metric = *row,
                          .name = metric.name,
                          .experiment = name.experiment,
                          .argument = argument ? name.Argument(argument->name).value() : 0.0});
  }
}

std::vector<MetricValue> ObservationEvaluator::Evaluate(const Observed& observed,
                                                        const std::vector<std::string_view>& gives,
                                                        const TrialData& data,
                                                        const StagedExperiments& staged) {
  if (requested_.empty()) return {};  // so of all recordings: nobody knows what acted there
  judge_.SetTrial(data, staged);
  std::vector<MetricValue> values(requested_.size());
  for (const auto& [label, observation] : observed.experiments) {
    if (observation.ok()) judge_.Select(observed, label, observation);
    for (std::size_t k = 0; k < requested_.size(); ++k) {
      const Requested& requested = requested_[k];
      if (requested.experiment != label ||
          std::ranges::find(gives, requested.metric.series) == gives.end()) {
        continue;
      }
      values[k] = observation.ok()
                      ? requested.metric.evaluate(judge_, requested.argument)
                      : FailedMetric(fmt::format("{}: {}", ToString(observation.outcome),
                                                 observation.reason));
      if (values[k].value && !std::isfinite(*values[k].value)) {
        values[k] = FailedMetric("not finite");
      }
      values[k].name = requested.name;
    }
  }
  std::erase_if(values, [](const MetricValue& value) { return value.name.empty(); });
  return values;
}

}  // namespace idbench
