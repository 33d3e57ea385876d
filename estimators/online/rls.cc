#include "estimators/online/rls.h"

#include <fmt/format.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "estimators/solvers/covariance_root.h"
#include "estimators/solvers/in_coordinates.h"
#include "estimators/solvers/least_squares.h"
#include "estimators/solvers/seen_directions.h"

namespace idbench {
namespace {

/// Part of a sample's variance that an innovation of coloured noise has at least.
constexpr double kLeastVariance = 1e-4;

}  // namespace

FieldTable Visit(RlsOptions& o) {
  FieldTable table;
  table.Add("forgetting_time_s", o.forgetting_time_s,
            {.doc = "Time after which the weight of a sample has fallen to 1/e; null: "
                    "all samples weigh the same",
             .unit = "s",
             .lower = 0.0,
             .lower_open = true});
  return table;
}

EstimatorNeeds Rls::needs() const { return ArmNeeds({Capability::kAffine}); }

void Rls::Start(const Problem& problem) {
  const Problem weighted = WithSigmaOrOne(problem);
  const auto& prior = problem.parameters.prior;
  const Eigen::Index size = problem.parameters.size();
  declared_ = DeclaresAllSigma(problem);
  has_prior_ = prior && prior->covariance;
  x0_ = prior ? prior->mean : Eigen::VectorXd(Eigen::VectorXd::Zero(size));
  const Eigen::MatrixXd columns = ColumnsOnFixedStates(weighted);
  if (has_prior_) {
    S_ = CovarianceRoot(*prior->covariance);
  } else {
    S_ = InverseColumnNorms(columns).asDiagonal();
  }
  V1_ = SeenDirections(columns * S_, problem.parameters.representative);
  regression_.emplace(InCoordinates(weighted, x0_, S_ * V1_));
  const Eigen::Index seen = V1_.cols();
  noise_.emplace(weighted, seen);
  sums_.resize(0, 0);
  if (!noise_->is_white()) {
    sums_ = Eigen::MatrixXd::Identity(seen, seen) * (has_prior_ ? 1.0 : 0.0);
  }
  triangle_ = RowMajor::Zero(seen, seen);
  if (has_prior_) triangle_.setIdentity();
  right_ = origin_ = Eigen::VectorXd::Zero(seen);
  row_ = rotated_ = Eigen::RowVectorXd::Zero(seen);
  residual_.resize(problem.row_count());
  last_t_s_.reset();
  innovation_squares_ = 0.0;
  innovation_rows_ = rows_left_out_ = 0;
}

void Rls::Absorb(const Sample& sample) {
  Forget(sample.t_s);
  regression_->Evaluate(sample);
  regression_->Residual(sample, origin_, residual_);
  for (Eigen::Index j = 0; j < residual_.size(); ++j) {
    if (!std::isfinite(residual_[j])) {
      ++rows_left_out_;
      continue;
    }
    const double weight = 1.0 / std::sqrt(regression_->variance()[j]);
    row_ = weight * regression_->H().row(j);
    const double coloured = sums_.size() > 0 ? AbsorbColoured(j) : 0.0;
    const Rotated rotated = RotateIn(weight * residual_[j]);
    if (rotated.fills) continue;  // nothing was there to predict it with
    // left² = ν²/s and kept² = σ²/s, s the variance of ν under white noise.
    const double left =
        sums_.size() > 0 ? rotated.left / (rotated.kept * std::sqrt(coloured)) : rotated.left;
    innovation_squares_ += left * left;
    ++innovation_rows_;
  }
  noise_->Remember(regression_->H(), residual_);
}

Eigen::VectorXd Rls::SolveSums(const Eigen::VectorXd& v) const {
  Eigen::VectorXd solution = v;
  const Eigen::Index size = v.size();
  for (Eigen::Index k = 0; k < size; ++k) {  // triangleᵀ
    solution[k] = triangle_(k, k) != 0.0 ? solution[k] / triangle_(k, k) : 0.0;
    solution.tail(size - k - 1) -= solution[k] * triangle_.row(k).tail(size - k - 1).transpose();
  }
  for (Eigen::Index k = size - 1; k >= 0; --k) {
    const double rest = triangle_.row(k).tail(size - k - 1).dot(solution.tail(size - k - 1));
    solution[k] = triangle_(k, k) != 0.0 ? (solution[k] - rest) / triangle_(k, k) : 0.0;
  }
  return solution;
}

double Rls::AbsorbColoured(Eigen::Index j) {
  // With h = H/σ, g = γ_0/σ², a = P h and the past z of RowNoise, over σ as h is: x̂ − x is P times
  // what has the covariance S, so that s = hᵀ P S P h + g − 2 hᵀ P z and S ← S + g·h hᵀ + h zᵀ + z
  // hᵀ.
  const double ratio = noise_->sample_variance()[j] / noise_->variance()[j];
  noise_->Past(j, past_);
  past_ /= std::sqrt(noise_->variance()[j]);
  const Eigen::VectorXd h = row_.transpose();
  const Eigen::VectorXd a = SolveSums(h);
  const double variance = a.dot(sums_ * a) + ratio - 2.0 * a.dot(past_);
  const Eigen::VectorXd half = past_ + (0.5 * ratio) * h;
  sums_.noalias() += h * half.transpose();
  sums_.noalias() += half * h.transpose();
  return std::max(variance, kLeastVariance * ratio);  // which blocks of RowNoise must not make 0
}

void Rls::Forget(double t_s) {
  if (!options_.forgetting_time_s) return;
  if (last_t_s_) {
    const double kept = std::exp(-0.5 * (t_s - *last_t_s_) / *options_.forgetting_time_s);
    triangle_ *= kept;
    right_ *= kept;
    sums_ *= kept * kept * kept * kept;
    noise_->Forget(kept * kept);
  }
  last_t_s_ = t_s;
}

Rls::Rotated Rls::RotateIn(double y) {
  const Eigen::Index size = right_.size();
  bool fills = false;
  double kept = 1.0;
  for (Eigen::Index k = 0; k < size; ++k) {
    if (row_[k] == 0.0) continue;
    const double diagonal = triangle_(k, k);
    if (diagonal == 0.0) fills = true;
    const double norm = std::hypot(diagonal, row_[k]);
    const double c = diagonal / norm, s = row_[k] / norm;
    kept *= c;
    const Eigen::Index rest = size - k;
    rotated_.tail(rest) = c * triangle_.row(k).tail(rest) + s * row_.tail(rest);
    row_.tail(rest) = c * row_.tail(rest) - s * triangle_.row(k).tail(rest);
    triangle_.row(k).tail(rest) = rotated_.tail(rest);
    row_[k] = 0.0;
    const double right = right_[k];
    right_[k] = c * right + s * y;
    y = c * y - s * right;
  }
  return {y, kept, fills};
}

Estimate Rls::Snapshot() const {
  const Eigen::Index size = right_.size();
  const Eigen::VectorXd norms = triangle_.colwise().norm().transpose();
  const Eigen::MatrixXd scaled = triangle_ * norms.cwiseMax(1e-300).cwiseInverse().asDiagonal();
  const Eigen::VectorXd values = Eigen::BDCSVD<Eigen::MatrixXd>(scaled).singularValues();
  const auto rank = (values.array() > kRankTolerance * values[0]).count();
  if (rank < size) {
    throw EstimationFailure(
        Outcome::kRankDeficient,
        fmt::format("the data determine {} of {} base parameters by now; record "
                    "more, or state how far the prior may be off "
                    "(/problem/prior/relative_std)",
                    rank, size));
  }
  const Eigen::MatrixXd inverse =
      triangle_.triangularView<Eigen::Upper>().solve(Eigen::MatrixXd::Identity(size, size));
  Estimate estimate;
  estimate.x = x0_ + S_ * (V1_ * (inverse * right_));
  estimate.knows_hidden = has_prior_;
  estimate.diagnostics["base_parameters"] = static_cast<double>(size);
  estimate.diagnostics["condition"] = values[0] / values[size - 1];
  if (innovation_rows_ > 0 && declared_) {
    estimate.diagnostics["normalised_innovation_squared"] =
        innovation_squares_ / static_cast<double>(innovation_rows_);
  }
  if (rows_left_out_ > 0) {
    estimate.diagnostics["rows_left_out"] = static_cast<double>(rows_left_out_);
  }
  StateCovariance(inverse, estimate);
  return estimate;
}

void Rls::StateCovariance(const Eigen::MatrixXd& inverse, Estimate& estimate) const {
  const Eigen::Index size = right_.size();
  if (options_.forgetting_time_s) {
    estimate.notes["covariance"] = "none stated: what is forgotten is not what is uncertain";
  } else if (!declared_) {
    estimate.notes["covariance"] = "none stated: no σ is declared for all equation rows";
  } else if (!has_prior_ && size < x0_.size()) {
    estimate.notes["covariance"] = "none stated: the equations do not tell all unknowns apart";
  } else {
    // What the equations do not see keeps the covariance of the prior: S (1 + V₁ (P − 1) V₁ᵀ) Sᵀ.
    Eigen::MatrixXd covariance_of_z = inverse * inverse.transpose();
    if (sums_.size() > 0) covariance_of_z = covariance_of_z * sums_ * covariance_of_z;
    const Eigen::MatrixXd learned = covariance_of_z - Eigen::MatrixXd::Identity(size, size);
    const Eigen::MatrixXd in_metric =
        Eigen::MatrixXd::Identity(x0_.size(), x0_.size()) + V1_ * learned * V1_.transpose();
    const Eigen::MatrixXd covariance = S_ * in_metric * S_.transpose();
    estimate.covariance = 0.5 * (covariance + covariance.transpose());
  }
}

}  // namespace idbench
