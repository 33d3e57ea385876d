#include "bench/metrics/torque_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "estimators/interface/recorded_time.h"

namespace idbench {

namespace {

/// Part of a joint's torque below which an error of its prediction is rounding.
constexpr double kRounding = 1e-9;
/// Stamps that differ by less are those of one sample [s].
constexpr double kSameSample = 1e-6;

StateSamples StatesOf(const Signals& signals) {
  return {signals[kJointPosition], signals[kJointVelocity], signals[kJointAcceleration]};
}

}  // namespace

TorqueMetrics::TorqueMetrics(const Problem& problem, Eigen::VectorXd sigma, OverallRatio overall,
                             PayloadChanges changes)
    : problem_(problem),
      sigma_(std::move(sigma)),
      overall_(overall),
      changes_(std::move(changes)),
      model_(problem) {}

void TorqueMetrics::SetTrial(const TrialData& data) {
  data_ = &data;
  model_.SetProblem(data.problem());
  prior_clean_.clear();
}

void TorqueMetrics::SetEstimate(const Estimate& estimate) {
  estimate_ = &estimate;
  measured_.clear();
  processed_.clear();
  clean_.clear();
}

TorqueMetrics::Choice TorqueMetrics::PredictorOf(const std::string& experiment) const {
  const auto change = std::ranges::find(changes_, experiment, &PayloadChanges::value_type::first);
  if (change == changes_.end()) return {{model_.Of(*estimate_), nullptr}, ""};
  const std::string changes = change->second.Describe(experiment);
  if (change->second.role != Role::kIdentification) {
    return {{}, changes + ": no one estimate predicts its torques"};
  }
  const Series* const track = FindNamed(estimate_->series, kParameters);
  if (track == nullptr) {
    return {{},
            changes + ": only an online method, at its end, predicts each sample's torque anew"};
  }
  if (!data_->problem().parameters.prior) {
    return {{}, changes + ": without a prior nothing predicts the first torques"};
  }
  if (track->values.hasNaN()) return {{}, changes + ": the estimate failed at some sample"};
  return {{{}, track}, ""};
}

const TorqueMetrics::Errors& TorqueMetrics::Measured(const std::string& experiment,
                                                     ScoreCutoff cutoff) {
  const auto [at, added] = measured_.try_emplace({experiment, cutoff});
  if (!added) return at->second;
  const Choice choice = PredictorOf(experiment);
  at->second = choice.absent.empty() ? AgainstMeasured(choice.predictor, experiment, cutoff)
                                     : Errors::None(choice.absent);
  return at->second;
}

const TorqueMetrics::Errors& TorqueMetrics::Processed(const std::string& experiment) {
  const auto [at, added] = processed_.try_emplace(experiment);
  if (!added) return at->second;
  const Choice choice = PredictorOf(experiment);
  at->second = choice.absent.empty() ? AgainstProcessed(choice.predictor, experiment)
                                     : Errors::None(choice.absent);
  return at->second;
}

const TorqueMetrics::Errors& TorqueMetrics::Clean(const std::string& experiment) {
  const auto [at, added] = clean_.try_emplace(experiment);
  if (!added) return at->second;
  const Choice choice = PredictorOf(experiment);
  at->second = choice.absent.empty() ? AgainstClean(choice.predictor, experiment)
                                     : Errors::None(choice.absent);
  return at->second;
}

TorqueMetrics::Errors TorqueMetrics::Errors::None(std::string absent) {
  Errors errors;
  errors.failure = std::move(absent);
  return errors;
}

Eigen::VectorXd TorqueMetrics::Errors::Rmse() const {
  return (squared / static_cast<double>(samples)).cwiseSqrt();
}

void TorqueMetrics::Errors::Add(const Errors& other) {
  if (other.samples == 0) return;
  if (samples == 0) {
    *this = other;
    return;
  }
  // Chan, Golub & LeVeque 1983: Σ(τ − τ̄)² of both = those of each + (τ̄₁ − τ̄₂)²·n₁n₂/(n₁ + n₂)
  const auto n1 = static_cast<double>(samples);
  const auto n2 = static_cast<double>(other.samples);
  variance = ((n1 - 1) * variance + (n2 - 1) * other.variance +
              (n1 * n2 / (n1 + n2)) * (mean - other.mean).cwiseAbs2()) /
             (n1 + n2 - 1);
  mean = (n1 * mean + n2 * other.mean) / (n1 + n2);
  squared += other.squared;
  signal += other.signal;
  samples += other.samples;
}

template <class Compared>
TorqueMetrics::Errors TorqueMetrics::OverSegments(const std::string& experiment,
                                                  const Compared& compared) {
  Errors errors;
  errors.failure = data_->WhyNoJointTorques();
  if (!errors.failure.empty()) return errors;
  for (const Dataset& dataset : data_->DatasetsOf(experiment)) {
    Errors segment = compared(dataset);
    if (!segment.failure.empty()) return segment;
    errors.Add(segment);
  }
  return errors;
}

TorqueMetrics::Errors TorqueMetrics::AgainstProcessed(const Predictor& predictor,
                                                      const std::string& experiment) {
  return OverSegments(experiment,
                      [&](const Dataset& dataset) { return Against(predictor, dataset); });
}

TorqueMetrics::Errors TorqueMetrics::AgainstMeasured(const Predictor& predictor,
                                                     const std::string& experiment,
                                                     ScoreCutoff cutoff) {
  return OverSegments(experiment, [&](const Dataset& dataset) {
    if (data_->scores == nullptr) return Against(predictor, dataset);
    const auto index = static_cast<std::size_t>(&dataset - data_->datasets.data());
    const ScoreData& scores = data_->scores->datasets[index];
    const SmoothedScore* smoothed = scores.Smoothed(cutoff);
    if (smoothed == nullptr) {
      return Against(predictor, scores.as_measured ? *scores.as_measured : dataset);
    }
    Errors errors;
    if (smoothed->left_out) return errors;
    errors.failure = smoothed->failure;
    if (errors.failure.empty() && smoothed->dataset.Find(kJointTorque) == nullptr) {
      errors.failure = fmt::format("there is no channel '{}'", kJointTorque);
    }
    errors.absent = false;
    return errors.failure.empty() ? AgainstSmoothed(predictor, *smoothed) : errors;
  });
}

TorqueMetrics::Errors TorqueMetrics::AgainstSmoothed(const Predictor& predictor,
                                                     const SmoothedScore& smoothed) {
  const Dataset& states = smoothed.dataset;
  Predict(predictor, states, states.Get(kJointTorque).time_s,
          {states.Get(kJointPosition).samples, states.Get(kJointVelocity).samples,
           states.Get(kJointAcceleration).samples});
  smoothed.lowpass->ApplyZeroPhase(predicted_);
  return Compare(states.Get(kJointTorque).samples, smoothed.edge_samples());
}

TorqueMetrics::Errors TorqueMetrics::Against(const Predictor& predictor, const Dataset& dataset) {
  const AlignedView view =
      Align(dataset, {kJointPosition, kJointVelocity, kJointAcceleration, kJointTorque},
            problem_.alignment);
  if (!view.ok()) {
    Errors errors;
    errors.failure = view.reason();
    errors.absent = false;
    return errors;
  }
  Predict(predictor, dataset, view.time_s(), {view[0], view[1], view[2]});
  return Compare(view[3]);
}

TorqueMetrics::Errors TorqueMetrics::AgainstClean(const Predictor& predictor,
                                                  const std::string& experiment) {
  if (std::string why = data_->WhyNoJointTorques(); !why.empty())
    return Errors::None(std::move(why));
  const auto [clean, dataset] = CleanOf(experiment);
  Predict(predictor, *dataset, clean->time_s, StatesOf(*clean));
  return Compare((*clean)[kJointTorque]);
}

TorqueMetrics::Errors TorqueMetrics::AgainstTruth(const Predictor& predictor,
                                                  const std::string& experiment) {
  if (std::string why = data_->WhyNoJointTorques(); !why.empty())
    return Errors::None(std::move(why));
  const auto [clean, dataset] = CleanOf(experiment);
  const StateSamples states = StatesOf(*clean);
  Predict({model_.OfRobot(*data_->true_pi()), nullptr}, *dataset, clean->time_s, states);
  const Eigen::MatrixXd tau = predicted_;
  Predict(predictor, *dataset, clean->time_s, states);
  return Compare(tau);
}

std::pair<const Signals*, const Dataset*> TorqueMetrics::CleanOf(
    const std::string& experiment) const {
  const auto dataset = std::ranges::find(data_->datasets, experiment, &Dataset::label);
  return {data_->clean[static_cast<std::size_t>(dataset - data_->datasets.begin())], &*dataset};
}

void TorqueMetrics::Predict(const Predictor& predictor, const Dataset& dataset,
                            const Eigen::VectorXd& time_s, const StateSamples& states) {
  model_.SetConfiguration(problem_.model.ConfigurationIndex(dataset.configuration()));
  predicted_.resize(states.size(), model_.dofs());
  if (predictor.track == nullptr) {
    model_.Torque(predictor.p, states, predicted_);
    return;
  }
  double recorded_s = 0.0;  // before this experiment
  for (const Dataset& each : data_->datasets) {
    if (each.label() == dataset.label()) break;
    if (each.role() == Role::kIdentification) recorded_s += RecordedTimeOf(each).duration_s;
  }
  PredictAhead(*predictor.track, time_s, recorded_s - RecordedTimeOf(dataset).start_s, states);
}

void TorqueMetrics::PredictAhead(const Series& track, const Eigen::VectorXd& time_s, double shift_s,
                                 const StateSamples& states) {
  const Parametrisation& parameters = data_->problem().parameters;
  Eigen::VectorXd p = model_.OfUnknowns(parameters.prior->mean);
  Eigen::Index next = 0;
  for (Eigen::Index k = 0; k < states.size(); ++k) {
    const Eigen::Index first = next;
    while (next < track.time_s.size() && track.time_s[next] < time_s[k] + shift_s - kSameSample) {
      ++next;
    }
    if (next != first) p = model_.OfUnknowns(track.values.row(next - 1).transpose());
    model_.Torque(
        p, {states.q.middleRows(k, 1), states.qd.middleRows(k, 1), states.qdd.middleRows(k, 1)},
        predicted_.middleRows(k, 1));
  }
}

TorqueMetrics::Errors TorqueMetrics::Compare(const Eigen::Ref<const Eigen::MatrixXd>& all_tau,
                                             Eigen::Index edge) const {
  Errors errors;
  errors.samples = all_tau.rows() - 2 * edge;
  const auto tau = all_tau.middleRows(edge, errors.samples);
  const auto predicted = predicted_.middleRows(edge, errors.samples);
  errors.squared = (tau - predicted).colwise().squaredNorm().transpose();
  errors.signal = tau.colwise().squaredNorm().transpose();
  const Eigen::RowVectorXd mean = tau.colwise().mean();
  errors.mean = mean.transpose();
  errors.variance = (tau.rowwise() - mean).colwise().squaredNorm().transpose() /
                    static_cast<double>(errors.samples - 1);
  return errors;
}

namespace {

/// Overall: the root of the mean square over joints.
MetricValue MeanSquareOf(const Eigen::VectorXd& rmse) {
  return MetricOf(std::sqrt(rmse.cwiseAbs2().mean()), rmse);
}

}  // namespace

MetricValue TorqueMetrics::Rmse(const std::string& experiment, ScoreCutoff cutoff) {
  const Errors& errors = Measured(experiment, cutoff);
  if (!errors.failure.empty()) return errors.Failure();
  return MeanSquareOf(errors.Rmse());
}

MetricValue TorqueMetrics::RmseOverSigma(const std::string& experiment) {
  const Errors& errors = Processed(experiment);
  if (!errors.failure.empty()) return errors.Failure();
  if (sigma_.size() == 0) return AbsentMetric("no σ is declared for the joint torques");
  const Eigen::VectorXd over_sigma = errors.Rmse().cwiseQuotient(sigma_);
  if (!over_sigma.allFinite()) return AbsentMetric("not finite: a joint's declared σ is 0");
  return MetricOf(over_sigma.mean(), over_sigma);
}

MetricValue TorqueMetrics::RelativeError(const std::string& experiment, ScoreCutoff cutoff) {
  const Errors& errors = Measured(experiment, cutoff);
  if (!errors.failure.empty()) return errors.Failure();
  const Eigen::VectorXd mean_square = errors.signal / static_cast<double>(errors.samples);
  const Eigen::VectorXd relative = errors.Rmse().cwiseQuotient(mean_square.cwiseSqrt());
  if (!relative.allFinite()) return FailedMetric("not finite: a joint's torque does not vary");
  return MetricOf(std::sqrt(errors.squared.sum() / errors.signal.sum()), relative);
}

MetricValue TorqueMetrics::Nrmse(const std::string& experiment, ScoreCutoff cutoff) {
  const Errors& errors = Measured(experiment, cutoff);
  if (!errors.failure.empty()) return errors.Failure();
  const Eigen::VectorXd nrmse = errors.Rmse().cwiseQuotient(errors.variance.cwiseSqrt());
  if (!nrmse.allFinite()) return FailedMetric("not finite: a joint's torque does not vary");
  return MetricOf(nrmse.mean(), nrmse);
}

MetricValue TorqueMetrics::CleanRmse(const std::string& experiment) {
  const Errors& errors = Clean(experiment);
  if (!errors.failure.empty()) return errors.Failure();
  return MeanSquareOf(errors.Rmse());
}

MetricValue TorqueMetrics::Excess(const std::string& experiment) {
  const Choice choice = PredictorOf(experiment);
  if (!choice.absent.empty()) return AbsentMetric(choice.absent);
  const Errors errors = AgainstTruth(choice.predictor, experiment);
  if (!errors.failure.empty()) return errors.Failure();
  const Eigen::VectorXd rmse = errors.Rmse();
  return MetricOf(rmse.mean(), rmse);
}

MetricValue TorqueMetrics::RatioToPrior(const std::string& experiment) {
  const Errors& errors = Clean(experiment);
  if (!errors.failure.empty()) return errors.Failure();
  if (!data_->problem().parameters.prior) return AbsentMetric("no prior");
  const auto [prior, added] = prior_clean_.try_emplace(experiment);
  if (added) {
    const Eigen::VectorXd& mean = data_->problem().parameters.prior->mean;
    prior->second = AgainstClean({model_.OfUnknowns(mean), nullptr}, experiment);
  }
  return RatioOf(errors, prior->second);
}

MetricValue TorqueMetrics::RatioOf(const Errors& errors, const Errors& prior) const {
  const Eigen::VectorXd rmse = errors.Rmse();
  const Eigen::VectorXd of_prior = prior.Rmse();
  Eigen::VectorXd ratio = rmse.cwiseQuotient(of_prior);
  const Eigen::VectorXd torque = (prior.signal / static_cast<double>(prior.samples)).cwiseSqrt();
  const auto exact = of_prior.array() <= kRounding * torque.array();
  if (overall_ == OverallRatio::kMeanOverJoints) {
    if (exact.any() || !ratio.allFinite()) {
      return FailedMetric("not finite: the prior predicts a joint exactly");
    }
    return MetricOf(ratio.mean(), ratio);
  }
  if (of_prior.norm() <= kRounding * torque.norm()) {
    return AbsentMetric("no ratio: the prior predicts the torques exactly");
  }
  ratio = exact.select(std::numeric_limits<double>::quiet_NaN(), ratio);
  return MetricOf(rmse.norm() / of_prior.norm(), ratio);
}

}  // namespace idbench
