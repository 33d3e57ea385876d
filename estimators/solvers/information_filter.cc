#include "estimators/solvers/information_filter.h"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <utility>

#include "estimators/solvers/least_squares.h"

namespace idbench {
InformationFilter::InformationFilter(RowNoise noise, const Eigen::VectorXd& precision)
    : triangle_(precision.asDiagonal()),
      right_(Eigen::VectorXd::Zero(precision.size())),
      noise_(std::move(noise)),
      row_(Eigen::RowVectorXd::Zero(precision.size())),
      rotated_(row_) {
  if (!noise_.is_white()) sums_ = precision.asDiagonal();
}

void InformationFilter::Forget(double kept) {
  triangle_ *= kept;
  right_ *= kept;
  sums_ *= kept * kept * kept * kept;
  noise_.Forget(kept * kept);
}

void InformationFilter::Correct(const Eigen::Ref<const Eigen::MatrixXd>& H,
                                const Eigen::Ref<const Eigen::VectorXd>& residual) {
  for (Eigen::Index j = 0; j < residual.size(); ++j) {
    if (!std::isfinite(residual[j])) {
      ++rows_left_out_;
      continue;
    }
    const double weight = 1.0 / std::sqrt(noise_.variance()[j]);
    row_ = weight * H.row(j);
    const double coloured = sums_.size() > 0 ? AbsorbColoured(j) : 0.0;
    const Rotated rotated = RotateIn(weight * residual[j]);
    if (rotated.fills) continue;  // nothing was there to predict it with
    // left² = ν²/s and kept² = σ²/s, s the variance of ν under white noise.
    const double left =
        sums_.size() > 0 ? rotated.left / (rotated.kept * std::sqrt(coloured)) : rotated.left;
    innovation_squares_ += left * left;
    ++innovation_rows_;
  }
  noise_.Remember(H, residual);
}

void InformationFilter::SolveTransposed(Eigen::VectorXd& v) const {
  for (Eigen::Index k = 0; k < size(); ++k) {
    v[k] = triangle_(k, k) != 0.0 ? v[k] / triangle_(k, k) : 0.0;
    const Eigen::Index rest = size() - k - 1;
    v.tail(rest) -= v[k] * triangle_.row(k).tail(rest).transpose();
  }
}

void InformationFilter::SolveTriangle(Eigen::VectorXd& v) const {
  for (Eigen::Index k = size() - 1; k >= 0; --k) {
    const Eigen::Index behind = size() - k - 1;
    const double rest = triangle_.row(k).tail(behind).dot(v.tail(behind));
    v[k] = triangle_(k, k) != 0.0 ? (v[k] - rest) / triangle_(k, k) : 0.0;
  }
}

double InformationFilter::AbsorbColoured(Eigen::Index j) {
  // With h = H/σ, g = γ_0/σ², a = P h and the past z of RowNoise, over σ as h is: ĉ − c is P times
  // what has the covariance S, so that s = hᵀ P S P h + g − 2 hᵀ P z and S ← S + g·h hᵀ + h zᵀ + z
  // hᵀ.
  const double ratio = noise_.sample_variance()[j] / noise_.variance()[j];
  noise_.Past(j, past_);
  past_ /= std::sqrt(noise_.variance()[j]);
  gain_ = row_.transpose();
  SolveTransposed(gain_);
  SolveTriangle(gain_);
  half_.noalias() = sums_ * gain_;
  const double variance = gain_.dot(half_) + ratio - 2.0 * gain_.dot(past_);
  half_ = past_ + (0.5 * ratio) * row_.transpose();
  sums_.noalias() += row_.transpose() * half_.transpose();
  sums_.noalias() += half_ * row_;
  return std::max(variance,
                  RowNoise::kLeastInnovation * ratio);  // which blocks of RowNoise must not make 0
}

InformationFilter::Rotated InformationFilter::RotateIn(double y) {
  bool fills = false;
  double kept = 1.0;
  for (Eigen::Index k = 0; k < size(); ++k) {
    if (row_[k] == 0.0) continue;
    const double diagonal = triangle_(k, k);
    if (diagonal == 0.0) fills = true;
    const double norm = std::hypot(diagonal, row_[k]);
    const double c = diagonal / norm, s = row_[k] / norm;
    kept *= c;
    const Eigen::Index rest = size() - k;
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

InformationFilter::Solution InformationFilter::Solve(const Undetermined& undetermined) const {
  const Eigen::VectorXd norms = triangle_.colwise().norm().transpose();
  const Eigen::MatrixXd scaled = triangle_ * norms.cwiseMax(1e-300).cwiseInverse().asDiagonal();
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(scaled, Eigen::ComputeFullV);
  const Eigen::VectorXd& values = svd.singularValues();
  const auto rank = (values.array() > kRankTolerance * values[0]).count();
  if (rank < size()) {
    throw EstimationFailure(
        Outcome::kRankDeficient,
        undetermined(rank, svd.matrixV().rightCols(size() - rank).rowwise().norm()));
  }
  const Eigen::MatrixXd inverse =
      triangle_.triangularView<Eigen::Upper>().solve(Eigen::MatrixXd::Identity(size(), size()));
  Solution solution{inverse * right_, inverse * inverse.transpose(),
                    values[0] / values[size() - 1]};
  if (sums_.size() > 0) solution.covariance = solution.covariance * sums_ * solution.covariance;
  return solution;
}

std::optional<double> InformationFilter::normalised_innovation_squared() const {
  if (innovation_rows_ == 0) return std::nullopt;
  return innovation_squares_ / static_cast<double>(innovation_rows_);
}

void StateDiagnostics(const InformationFilter& filter, Estimate& estimate) {
  if (const auto nis = filter.normalised_innovation_squared()) {
    estimate.diagnostics["normalised_innovation_squared"] = *nis;
  }
  if (filter.rows_left_out() > 0) {
    estimate.diagnostics["rows_left_out"] = static_cast<double>(filter.rows_left_out());
  }
}

}  // namespace idbench
