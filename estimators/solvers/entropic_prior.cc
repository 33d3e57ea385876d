#include "estimators/solvers/entropic_prior.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "estimators/solvers/covariance_root.h"
#include "robots/dynamics/parameters/body_metric.h"
#include "robots/dynamics/parameters/consistent_fit.h"

namespace idbench {
namespace {

/// Diagonal of R below this part of its column's norm: the column depends on earlier ones.
constexpr double kDependent = 1e-9;

}  // namespace

EntropicPrior::EntropicPrior(const Problem& problem)
    : names_(problem.parameters.names), x0_(problem.parameters.prior->mean) {
  if (problem.parameters.representative) {
    Refuse(
        fmt::format("the parametrisation '{}' says nothing of single bodies, whose inertia is "
                    "to stay physical; use 'standard'",
                    problem.parameters.type()));
  }
  S_ = Eigen::MatrixXd::Zero(x0_.size(), x0_.size());
  MapBodies(problem);
  MapOthers(problem);
}

void EntropicPrior::MapBodies(const Problem& problem) {
  assert(problem.parameters.affine() != nullptr);
  const AffineMap& map = *problem.parameters.affine();
  const Eigen::VectorXd pi = map.pi0 + map.A * x0_;
  const ParameterLayout layout(problem.model);
  std::vector<bool> inertial(static_cast<std::size_t>(x0_.size()), false);
  for (int body = -1; body < problem.model.body_end(); ++body) {
    const int first = layout.Body(body);
    const Eigen::MatrixXd A = map.A.middleRows(first, kInertialCount);
    if (A.isZero(0.0)) continue;
    const InertialParameters prior = pi.segment<kInertialCount>(first);
    if (PhysicalConsistency(prior) != Consistency::kConsistent) {
      Refuse(
          fmt::format("the prior of {} is not physically consistent, so nothing is near to it; "
                      "give /problem/prior a set that bodies can have",
                      problem.model.BodyName(body)));
    }
    for (Eigen::Index k = 0; k < A.cols(); ++k) {
      if (A.col(k).isZero(0.0)) continue;
      inertial[static_cast<std::size_t>(k)] = true;
      if (!problem.parameters.prior->KnowsNothingOf(k)) continue;
      Refuse(fmt::format(
          "needs a prior of {} to be near to, and /problem/prior/std says that nothing is known of "
          "{} (null)",
          problem.model.BodyName(body), names_[static_cast<std::size_t>(k)]));
    }
    bodies_.push_back(first);
    body_names_.push_back(problem.model.BodyName(body));
    const Eigen::VectorXd& stated = problem.parameters.prior->body_sigma;
    if (stated.size() > 0) {
      body_sigma_.conservativeResize(std::ssize(bodies_));
      body_sigma_[std::ssize(bodies_) - 1] = stated[body + 1];
    }
    M_.conservativeResize(M_.rows() + kInertialCount, x0_.size());
    M_.bottomRows(kInertialCount) = BodyMetricRoot(prior, A);
  }
  for (int k = 0; k < x0_.size(); ++k) {
    if (inertial[static_cast<std::size_t>(k)]) inertial_.push_back(k);
  }
  // Orthonormal columns: M·S = Q for M = Q·R, S = R⁻¹.
  const auto size = static_cast<Eigen::Index>(inertial_.size());
  const Eigen::MatrixXd own = M_(Eigen::all, inertial_);
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(own);
  const Eigen::MatrixXd R = qr.matrixQR().topRows(size).triangularView<Eigen::Upper>();
  for (Eigen::Index k = 0; k < size; ++k) {
    if (std::abs(R(k, k)) > kDependent * own.col(k).norm()) continue;
    Refuse(fmt::format("{} changes bodies as others together do, so no divergence tells them apart",
                       names_[static_cast<std::size_t>(inertial_[static_cast<std::size_t>(k)])]));
  }
  const Eigen::MatrixXd inverse =
      R.triangularView<Eigen::Upper>().solve(Eigen::MatrixXd::Identity(size, size));
  S_(inertial_, inertial_) = inverse;
  M_ = (M_ * S_).eval();
}

void EntropicPrior::MapOthers(const Problem& problem) {
  const auto& covariance = problem.parameters.prior->covariance;
  for (int k = 0; k < x0_.size(); ++k) {
    if (std::ranges::find(inertial_, k) != inertial_.end()) continue;
    const bool known = covariance && !problem.parameters.prior->KnowsNothingOf(k);
    (known ? held_ : free_).push_back(k);
  }
  all_said_ = covariance || free_.empty();
  if (covariance) S_(held_, held_) = CovarianceRoot((*covariance)(held_, held_));
  for (const int k : free_) S_(k, k) = 1.0;
}

double EntropicPrior::Weight(const std::optional<double>& declared) const {
  if (declared) return *declared;
  if (body_sigma_.size() == 0) return 1.0;
  for (Eigen::Index k = 0; k < body_sigma_.size(); ++k) {
    if (body_sigma_[k] == body_sigma_[0]) continue;
    const auto text = [this](Eigen::Index body) {
      return std::isnan(body_sigma_[body])
                 ? fmt::format("none of {}", body_names_[static_cast<std::size_t>(body)])
                 : fmt::format("{:g} of {}", body_sigma_[body],
                               body_names_[static_cast<std::size_t>(body)]);
    };
    Refuse(
        fmt::format("weighs all bodies alike, and the prior states a σ of {}, {}: give them one "
                    "in /problem/prior/std (\"body\"), or \"lambda\"",
                    text(0), text(k)));
  }
  return 1.0 / (body_sigma_[0] * body_sigma_[0]);
}

Eigen::VectorXd EntropicPrior::Precision(double lambda) const {
  Eigen::VectorXd precision = Eigen::VectorXd::Zero(x0_.size());
  for (const int k : inertial_) precision[k] = lambda;
  for (const int k : held_) precision[k] = 1.0;
  return precision;
}

CoordinateBounds EntropicPrior::Bounds(const Eigen::VectorXd& lower,
                                       const Eigen::VectorXd& upper) const {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  CoordinateBounds bounds{Eigen::VectorXd::Constant(x0_.size(), -kNone),
                          Eigen::VectorXd::Constant(x0_.size(), kNone),
                          std::vector<int>(static_cast<std::size_t>(x0_.size()), -1)};
  if (lower.size() == 0) return bounds;
  for (const std::vector<int>* others : {&held_, &free_}) {
    for (const int k : *others) {
      Eigen::Index m = 0;
      const double scale = S_.row(k).cwiseAbs().maxCoeff(&m);
      const bool independent = scale > 0.0 && (S_.row(k).array() != 0.0).count() == 1 &&
                               (S_.col(m).array() != 0.0).count() == 1;
      if (!independent) continue;
      const double at_lower = (lower[k] - x0_[k]) / S_(k, m);
      const double at_upper = (upper[k] - x0_[k]) / S_(k, m);
      bounds.lower[m] = std::min(at_lower, at_upper);
      bounds.upper[m] = std::max(at_lower, at_upper);
      bounds.unknown[static_cast<std::size_t>(m)] = k;
    }
  }
  return bounds;
}

void EntropicPrior::RequireAllSaid() const {
  if (all_said_) return;
  Refuse(
      fmt::format("needs to know how far the prior of {} may be off, which no body's inertia "
                  "tells: declare it in /problem/prior/std, null for nothing known",
                  names_[static_cast<std::size_t>(free_.front())]));
}

std::optional<PriorSpread> EntropicPrior::Spread(double lambda) const {
  if (!all_said_) return std::nullopt;
  Eigen::VectorXd variance = Precision(lambda).cwiseInverse();
  variance(free_).setZero();
  PriorSpread spread = {CovarianceOfX(Eigen::MatrixXd(variance.asDiagonal()))};
  if (!free_.empty()) {
    const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(x0_.size(), x0_.size());
    spread.unknown = one(Eigen::all, free_);
  }
  return spread;
}

Eigen::MatrixXd EntropicPrior::CovarianceOfX(const Eigen::MatrixXd& covariance_of_v) const {
  const Eigen::MatrixXd covariance = S_ * covariance_of_v * S_.transpose();
  return 0.5 * (covariance + covariance.transpose());
}

void AddBodyWeight(std::optional<double>& lambda, FieldTable& table) {
  table.Add("lambda", lambda,
            {.doc = "Weight of the entropic divergence of the bodies from their prior, relative to "
                    "the log-likelihood; null: 1/σ² of the relative σ that the prior states of "
                    "\"body\", or 1",
             .lower = 0.0,
             .lower_open = true});
}

double LeastPseudoInertiaMargin(const Eigen::VectorXd& pi, const std::vector<int>& bodies) {
  double least = std::numeric_limits<double>::infinity();
  for (const int first : bodies) {
    least = std::min(least, PseudoInertiaMargin(pi.segment<kInertialCount>(first)));
  }
  return least;
}

}  // namespace idbench
