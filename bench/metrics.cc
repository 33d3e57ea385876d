#include "bench/metrics.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "reports/table_selection.h"

namespace idbench {
namespace {

/// States on which two parameter vectors are compared.
constexpr Eigen::Index kFixedStates = 1000;
/// Half width of a 95 % interval in σ.
constexpr double kNormal95 = 1.959963984540054;
/// A direction counts where the data left at most this part of the prior variance.
constexpr double kLearned = 0.25;

MetricValue Failed(std::string reason) {
  MetricValue value;
  value.failure = std::move(reason);
  return value;
}

/// π with zeros where the problem does not ask.
Eigen::VectorXd Masked(const Eigen::VectorXd& pi, const std::vector<int>& asked) {
  Eigen::VectorXd masked = Eigen::VectorXd::Zero(pi.size());
  masked(asked) = pi(asked);
  return masked;
}

/// How many of the directions that data taught hold the truth in their 95 % interval.
struct Covered {
  std::size_t directions = 0;
  std::size_t covered = 0;

  void Count(double error, double variance) {
    ++directions;
    if (std::abs(error) <= kNormal95 * std::sqrt(variance)) ++covered;
  }
};

}  // namespace

std::span<const MetricInfo> AllMetrics() {
  using Components = MetricInfo::Components;
  static constexpr std::array kMetrics = {
      MetricInfo{"joint_torque_rmse_nm", "N·m",
                 "root mean square of τ − τ̂, τ as measured; overall over all joints", true,
                 Components::kJoints, false},
      MetricInfo{"joint_torque_relative_error", "1",
                 "‖τ − τ̂‖ / ‖τ‖, τ as measured; overall dominated by the heavy joints", true,
                 Components::kJoints, false},
      MetricInfo{"joint_torque_nrmse", "1",
                 "RMSE / standard deviation of τ, per joint; overall the mean over joints", true,
                 Components::kJoints, false},
      MetricInfo{"base_parameter_relative_error", "1",
                 "‖Φ(β̂ − β)‖ / ‖Φβ‖ on 1,000 fixed states, rows scaled by joint", false,
                 Components::kNone, true},
      MetricInfo{"coverage95", "1",
                 "part of the directions that the data taught whose 95 % interval holds the truth",
                 false, Components::kNone, true},
  };
  return kMetrics;
}

MetricEvaluator::MetricEvaluator(const CellContext& context, const std::vector<RunMetric>& metrics)
    : context_(context),
      metrics_(metrics),
      dynamics_(context.problem().model, context.problem().friction),
      scratch_(dynamics_) {
  if (context.true_pi() == nullptr) return;
  true_asked_ = Masked(*context.true_pi(), context.asked());
  states_ = MakeFixedStates(context.problem().model, kFixedStates, 2);
  true_torque_.resize(kFixedStates, dynamics_.dofs());
  dynamics_.InverseDynamics(true_asked_, states_.samples(), scratch_, true_torque_);
  torque_scale_ = true_torque_.colwise().norm().transpose() / std::sqrt(double{kFixedStates});
}

std::vector<MetricValue> MetricEvaluator::Evaluate(const Estimate& estimate,
                                                   const TrialData& data) {
  std::map<std::string, TorqueErrors> torques;  // by experiment
  std::vector<MetricValue> values;
  for (const RunMetric& metric : metrics_) {
    const MetricName name(metric.name);
    MetricValue value;
    if (name.quantity == "base_parameter_relative_error") {
      value = BaseParameterError(estimate);
    } else if (name.quantity == "coverage95") {
      value = Coverage(estimate);
    } else {
      const auto dataset = std::ranges::find(data.datasets, name.experiment, &Dataset::label);
      auto errors = torques.find(name.experiment);
      if (errors == torques.end()) {
        errors = torques.emplace(name.experiment, PredictTorques(estimate, *dataset)).first;
      }
      value = TorqueMetric(name.quantity, errors->second);
    }
    if (value.value && !std::isfinite(*value.value)) value = Failed("not finite");
    value.name = metric.name;
    values.push_back(std::move(value));
  }
  return values;
}

MetricEvaluator::TorqueErrors MetricEvaluator::PredictTorques(const Estimate& estimate,
                                                              const Dataset& dataset) {
  TorqueErrors errors;
  const AlignedView view =
      Align(dataset, {kJointPosition, kJointVelocity, kJointAcceleration, kJointTorque},
            context_.problem().alignment);
  if (!view.ok()) {
    errors.failure = view.reason();
    return errors;
  }
  const Eigen::MatrixXd& measured = view[3];
  Eigen::MatrixXd predicted(view.size(), dynamics_.dofs());
  dynamics_.InverseDynamics(estimate.pi, {view[0], view[1], view[2]}, scratch_, predicted);
  errors.samples = view.size();
  errors.squared = (measured - predicted).colwise().squaredNorm().transpose();
  errors.signal = measured.colwise().squaredNorm().transpose();
  const Eigen::RowVectorXd mean = measured.colwise().mean();
  errors.variance = (measured.rowwise() - mean).colwise().squaredNorm().transpose() /
                    static_cast<double>(view.size() - 1);
  return errors;
}

MetricValue MetricEvaluator::TorqueMetric(const std::string& quantity,
                                          const TorqueErrors& errors) const {
  if (!errors.failure.empty()) return Failed(errors.failure);
  const auto samples = static_cast<double>(errors.samples);
  const auto joints = static_cast<double>(dynamics_.dofs());
  Eigen::VectorXd components;
  double overall = 0.0;
  if (quantity == "joint_torque_rmse_nm") {
    components = (errors.squared / samples).cwiseSqrt();
    overall = std::sqrt(errors.squared.sum() / (samples * joints));
  } else if (quantity == "joint_torque_relative_error") {
    components = (errors.squared.array() / errors.signal.array()).sqrt();
    overall = std::sqrt(errors.squared.sum() / errors.signal.sum());
  } else {
    components = (errors.squared.array() / samples / errors.variance.array()).sqrt();
    overall = components.mean();
  }
  if (!components.allFinite()) return Failed("not finite: a joint's torque does not vary");
  MetricValue value;
  value.value = overall;
  value.components.assign(components.begin(), components.end());
  return value;
}

MetricValue MetricEvaluator::BaseParameterError(const Estimate& estimate) {
  // Φ(β̂ − β): base parameters predict like the π that they stand for.
  Eigen::MatrixXd difference(kFixedStates, dynamics_.dofs());
  dynamics_.InverseDynamics(Masked(estimate.pi, context_.asked()) - true_asked_, states_.samples(),
                            scratch_, difference);
  const Eigen::RowVectorXd scale = torque_scale_.cwiseInverse().transpose();
  MetricValue value;
  value.value = (difference.array().rowwise() * scale.array()).matrix().norm() /
                (true_torque_.array().rowwise() * scale.array()).matrix().norm();
  return value;
}

MetricValue MetricEvaluator::Coverage(const Estimate& estimate) const {
  if (!estimate.covariance) return Failed("the method states no covariance");
  const Parametrisation& parameters = context_.problem().parameters;
  const Eigen::VectorXd error = estimate.x - parameters.FromPi(*context_.true_pi());
  const Eigen::MatrixXd& posterior = *estimate.covariance;
  Covered covered;
  const bool has_prior = parameters.prior && parameters.prior->covariance;
  if (!has_prior) {
    for (Eigen::Index k = 0; k < error.size(); ++k) covered.Count(error[k], posterior(k, k));
  } else {
    // Directions v with P v = λ P₀ v; only those with λ ≤ 1/4 were taught by the data.
    const Eigen::MatrixXd& prior = *parameters.prior->covariance;
    if (Eigen::LLT<Eigen::MatrixXd>(prior).info() != Eigen::Success) {
      return Failed("the prior covariance is not positive definite");
    }
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> directions(posterior, prior);
    for (Eigen::Index k = 0; k < error.size(); ++k) {
      if (directions.eigenvalues()[k] > kLearned) continue;
      const Eigen::VectorXd v = directions.eigenvectors().col(k);
      covered.Count(v.dot(error), v.dot(posterior * v));
    }
  }
  if (covered.directions == 0) return Failed("the data taught no direction");
  MetricValue value;
  value.value = static_cast<double>(covered.covered) / static_cast<double>(covered.directions);
  value.count = covered.directions;
  return value;
}

}  // namespace idbench
