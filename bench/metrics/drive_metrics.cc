#include "bench/metrics/drive_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "bench/metrics/scored_channel.h"

namespace idbench {
namespace {

constexpr const char* kNoGains = "no gain is estimated: all are 0";

/// |ln ratio|, infinite for one that is not positive.
double FromOne(double ratio) {
  return ratio > 0.0 ? std::abs(std::log(ratio)) : std::numeric_limits<double>::infinity();
}

}  // namespace

DriveMetrics::DriveMetrics(const Problem& problem, const std::vector<int>& asked,
                           PayloadChanges changes)
    : problem_(problem),
      asked_gains_(DriveGainsAmong(problem.model, asked)),
      changes_(std::move(changes)),
      motors_(MotorsOfDutyCycles(problem.model, problem.equations())),
      model_(problem) {
  for (const EquationRows& rows : problem.rows) {
    if (rows.equation == Equation::kPwmDrive) channel_ = rows.measured();
  }
}

void DriveMetrics::SetTrial(const TrialData& data) {
  data_ = &data;
  model_.SetProblem(data.problem());
}

void DriveMetrics::SetEstimate(const Estimate& estimate) { estimate_ = &estimate; }

MetricValue DriveMetrics::GainRatio() const {
  if (HasNoGains()) return AbsentMetric(kNoGains);
  Eigen::VectorXd ratios(std::ssize(asked_gains_));
  double furthest = 1.0;
  for (Eigen::Index k = 0; k < ratios.size(); ++k) {
    const int gain = asked_gains_[static_cast<std::size_t>(k)];
    ratios[k] = estimate_->pi[gain] / (*data_->true_pi())[gain];
    if (FromOne(ratios[k]) > FromOne(furthest)) furthest = ratios[k];
  }
  return MetricOf(furthest, ratios);
}

MetricValue DriveMetrics::DutyCycleError(const std::string& experiment) {
  const auto change = std::ranges::find(changes_, experiment, &PayloadChanges::value_type::first);
  if (change != changes_.end()) {
    return AbsentMetric(change->second.Describe(experiment) +
                        ": no one estimate predicts its duty cycles");
  }
  if (HasNoGains()) return AbsentMetric(kNoGains);
  return DutyCycleErrorIn(experiment);
}

bool DriveMetrics::HasNoGains() const {
  return !asked_gains_.empty() &&
         std::ranges::all_of(asked_gains_, [this](int gain) { return estimate_->pi[gain] == 0.0; });
}

MetricValue DriveMetrics::DutyCycleErrorIn(const std::string& experiment) {
  const auto dataset = std::ranges::find(data_->datasets, experiment, &Dataset::label);
  const int configuration = problem_.model.ConfigurationIndex(dataset->configuration());
  const Eigen::VectorXd& p = model_.Of(*estimate_);
  Eigen::RowVectorXd gains(std::ssize(motors_.motors));
  for (Eigen::Index k = 0; k < gains.size(); ++k) {
    const int gain = GainOf(motors_.motors[static_cast<std::size_t>(k)], configuration);
    gains[k] = p[gain];
    if (!(gains[k] > 0.0)) {
      return FailedMetric(fmt::format("the gain of {} is {:.3g}, and no duty cycle follows from it",
                                      MotorOfGain(problem_.model, gain), gains[k]));
    }
  }
  model_.SetConfiguration(configuration);
  const auto predict = [&](const StateSamples& states) {
    Eigen::MatrixXd tau(states.size(), model_.dofs());
    model_.Torque(p, states, tau);
    // v̂ = (B⁻¹·τ)_i / ĝ_i
    Eigen::MatrixXd duty_cycles = tau * motors_.from_joints.transpose();
    duty_cycles.array().rowwise() /= gains.array();
    return duty_cycles;
  };
  const ScoredChannel scored =
      ScoreChannel(*data_, problem_.alignment, experiment, channel_, predict);
  if (!scored.failure.empty()) return FailedMetric(scored.failure);
  const Eigen::MatrixXd v = scored.measured(Eigen::all, motors_.motors);
  const auto n = static_cast<double>(v.rows());
  const Eigen::VectorXd rmse =
      ((v - scored.predicted).colwise().squaredNorm() / n).cwiseSqrt().transpose();
  const Eigen::RowVectorXd mean = v.colwise().mean();
  const Eigen::VectorXd sd =
      ((v.rowwise() - mean).colwise().squaredNorm() / (n - 1.0)).cwiseSqrt().transpose();
  const Eigen::VectorXd over_sd = rmse.cwiseQuotient(sd);
  if (!over_sd.allFinite()) return FailedMetric("not finite: a motor's duty cycle does not vary");
  return MetricOf(std::sqrt(over_sd.cwiseAbs2().mean()), over_sd);
}

int DriveMetrics::GainOf(int motor, int configuration) const {
  const std::vector<Term>& terms = problem_.model.terms();
  const int first = ParameterLayout(problem_.model).size() - static_cast<int>(terms.size());
  // AbsentTerms() counts from the first term of joints.
  const int before = kJointParameterCount * problem_.model.dofs();
  const std::vector<int> absent = problem_.model.AbsentTerms(configuration);
  int gain = -1;
  for (int k = 0; k < static_cast<int>(terms.size()); ++k) {
    const Term& term = terms[static_cast<std::size_t>(k)];
    if (term.rows == TermRows::kDrives && term.input == motor &&
        !std::ranges::binary_search(absent, before + k)) {
      gain = first + k;
    }
  }
  return gain;
}

}  // namespace idbench
