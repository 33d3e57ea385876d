#include "bench/parameter_metrics.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <map>

#include "robots/dynamics/pseudo_inertia.h"

namespace idbench {
namespace {

/// States on which two parameter vectors are compared.
constexpr Eigen::Index kFixedStates = 1000;
/// Poses at which the mass matrix is looked at.
constexpr Eigen::Index kPoses = 200;
/// Half width of a 95 % interval in σ.
constexpr double kNormal95 = 1.959963984540054;
/// A direction counts where the data left at most this part of the prior variance.
constexpr double kLearned = 0.25;
/// A sigmoid is flat beyond this argument: 1.8 % of the range from a bound.
constexpr double kSaturated = 4.0;

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

ParameterMetrics::ParameterMetrics(const CellContext& context)
    : context_(context),
      layout_(context.problem().model.dofs()),
      bodies_(WholeBodies(context.problem().model, context.asked())),
      dynamics_(context.problem().model, context.problem().friction),
      scratch_(dynamics_),
      states_(MakeFixedStates(context.problem().model, kFixedStates, 2)) {
  if (context.true_pi() == nullptr) return;
  true_asked_ = Masked(*context.true_pi(), context.asked());
  truth_ = Predict(true_asked_);
  // A row that nothing moves, such as a planar robot's wrench out of its plane, weighs nothing.
  inverse_scale_ = truth_.colwise().norm() / std::sqrt(double{kFixedStates});
  inverse_scale_ = (inverse_scale_.array() > 0.0).select(inverse_scale_.cwiseInverse(), 0.0);
}

MetricValue ParameterMetrics::Evaluate(const std::string& quantity, const Estimate& estimate) {
  if (quantity == "base_parameter_relative_error") return BaseParameterError(estimate);
  if (quantity == "coverage95") return Coverage(estimate);
  if (quantity == "link_mass_error_fraction" || quantity == "consistent_link_fraction") {
    if (context_.problem().parameters.representative) {
      return FailedMetric("base parameters say nothing of single links");
    }
    return quantity == "link_mass_error_fraction" ? LinkMassError(estimate)
                                                  : ConsistentLinks(estimate);
  }
  if (quantity == "mass_matrix_positive_fraction") return PositiveMassMatrices(estimate);
  if (quantity == "out_of_bounds_count") return OutOfBounds(estimate);
  return Saturated(estimate);
}

Eigen::MatrixXd ParameterMetrics::Predict(const Eigen::VectorXd& pi) {
  const std::vector<Equation> equations = context_.problem().equations();
  Eigen::MatrixXd rows(kFixedStates, 0);
  for (const Equation equation : equations) {
    const Eigen::Index first = rows.cols();
    rows.conservativeResize(Eigen::NoChange,
                            first + (equation == Equation::kTorque ? dynamics_.dofs() : 6));
    if (equation == Equation::kTorque) {
      dynamics_.InverseDynamics(pi, states_.samples(), scratch_, rows.rightCols(dynamics_.dofs()));
    } else {
      dynamics_.BaseWrench(pi, states_.samples(), scratch_, rows.rightCols(6));
    }
  }
  return rows;
}

MetricValue ParameterMetrics::BaseParameterError(const Estimate& estimate) {
  // Φ(β̂ − β): base parameters predict like the π that they stand for.
  const Eigen::MatrixXd difference = Predict(Masked(estimate.pi, context_.asked()) - true_asked_);
  return MetricOf((difference.array().rowwise() * inverse_scale_.array()).matrix().norm() /
                  (truth_.array().rowwise() * inverse_scale_.array()).matrix().norm());
}

MetricValue ParameterMetrics::Coverage(const Estimate& estimate) const {
  if (!estimate.covariance) return FailedMetric("the method states no covariance");
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
      return FailedMetric("the prior covariance is not positive definite");
    }
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> directions(posterior, prior);
    for (Eigen::Index k = 0; k < error.size(); ++k) {
      if (directions.eigenvalues()[k] > kLearned) continue;
      const Eigen::VectorXd v = directions.eigenvectors().col(k);
      covered.Count(v.dot(error), v.dot(posterior * v));
    }
  }
  if (covered.directions == 0) return FailedMetric("the data taught no direction");
  MetricValue metric =
      MetricOf(static_cast<double>(covered.covered) / static_cast<double>(covered.directions));
  metric.count = covered.directions;
  return metric;
}

MetricValue ParameterMetrics::LinkMassError(const Estimate& estimate) const {
  Eigen::VectorXd errors(static_cast<Eigen::Index>(bodies_.size()));
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const int index = layout_.Body(bodies_[k]);
    const double truth = (*context_.true_pi())[index];
    errors[static_cast<Eigen::Index>(k)] = std::abs(estimate.pi[index] - truth) / truth;
  }
  if (!errors.allFinite()) return FailedMetric("not finite: a link's true mass is 0");
  return MetricOf(errors.mean(), errors);
}

MetricValue ParameterMetrics::ConsistentLinks(const Estimate& estimate) const {
  Eigen::VectorXd consistent(static_cast<Eigen::Index>(bodies_.size()));
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const InertialParameters body = estimate.pi.segment<kInertialCount>(layout_.Body(bodies_[k]));
    consistent[static_cast<Eigen::Index>(k)] =
        PhysicalConsistency(body) == Consistency::kConsistent ? 1.0 : 0.0;
  }
  return MetricOf(consistent.mean(), consistent);
}

MetricValue ParameterMetrics::PositiveMassMatrices(const Estimate& estimate) {
  const int n = dynamics_.dofs();
  Eigen::MatrixXd M(n, n);
  Eigen::Index positive = 0;
  for (Eigen::Index k = 0; k < kPoses; ++k) {
    dynamics_.MassMatrix(estimate.pi, states_.q.row(k).transpose(), scratch_, M);
    if (Eigen::LLT<Eigen::MatrixXd>(M).info() == Eigen::Success) ++positive;
  }
  return MetricOf(static_cast<double>(positive) / static_cast<double>(kPoses));
}

MetricValue ParameterMetrics::OutOfBounds(const Estimate& estimate) const {
  const Parametrisation& parameters = context_.problem().parameters;
  return MetricOf(static_cast<double>(((estimate.x.array() < parameters.lower.array()) ||
                                       (estimate.x.array() > parameters.upper.array()))
                                          .count()));
}

MetricValue ParameterMetrics::Saturated(const Estimate& estimate) const {
  // x = l + (u − l)·s(c·ξ), so c·ξ = ln((x − l)/(u − x)); beyond a bound there is no ξ.
  const Parametrisation& parameters = context_.problem().parameters;
  Eigen::Index saturated = 0;
  for (Eigen::Index k = 0; k < estimate.x.size(); ++k) {
    const double above = estimate.x[k] - parameters.lower[k];
    const double below = parameters.upper[k] - estimate.x[k];
    if (!std::isfinite(above) || !std::isfinite(below)) continue;
    if (above <= 0.0 || below <= 0.0 || std::abs(std::log(above / below)) > kSaturated) ++saturated;
  }
  return MetricOf(static_cast<double>(saturated));
}

}  // namespace idbench
