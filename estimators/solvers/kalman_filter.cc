#include "estimators/solvers/kalman_filter.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <utility>

#include "estimators/interface/per_sample.h"

namespace idbench {
namespace {

/// Part of an initial variance below which a variance is round-off of differences: x̂ is then up to
/// a hundredth of its σ beside the right one, and soon after has nothing to do with it.
constexpr double kLeastPart = 1e-14;

/// Of the largest eigenvalue of a scaled covariance: a direction without variance.
constexpr double kNoVariance = 1e-12;

}  // namespace

double ProcessNoise::At(double t_s, double step_s) const {
  const double fraction = per_s * step_s + per_sample;
  return decay_s ? fraction * std::exp(-t_s / *decay_s) : fraction;
}

void AddFields(ProcessNoise& options, FieldTable& table) {
  table
      .Add(
          "process_noise_per_s", options.per_s,
          {.doc = "Process noise added to the covariance in a second, as a fraction of the initial "
                  "covariance; 0: the unknowns are constant",
           .unit = "1/s",
           .lower = 0.0})
      .Add("process_noise", options.per_sample,
           {.doc = "Process noise added to the covariance at each sample, as a fraction of the "
                   "initial covariance; process_noise_per_s does not depend on the rate",
            .unit = kASample,
            .lower = 0.0})
      .Add("process_noise_decay_s", options.decay_s,
           {.doc = "Time in which the process noise falls to 1/e; null: it stays constant",
            .unit = "s",
            .lower = 0.0,
            .lower_open = true})
      .Check([&options](std::vector<Issue>& issues) {
        if (options.per_s > 0.0 && options.per_sample > 0.0) {
          issues.push_back(
              {"/process_noise_per_s", "is given together with process_noise", {"give one"}});
        }
      });
}

KalmanFilter::KalmanFilter(Eigen::VectorXd state, Eigen::MatrixXd covariance)
    : state_(std::move(state)),
      P_(std::move(covariance)),
      P0_(P_),
      H_row_(state_.size()),
      PHt_(state_.size()),
      step_(state_.size()) {}

void KalmanFilter::Wander(double fraction) {
  // What has decayed to this is far below the round-off of P, and denormal numbers are slow.
  constexpr double kNothing = 1e-40;
  if (fraction <= kNothing) return;
  P_ += fraction * P0_;
  if (coloured_.size() > 0) coloured_ += fraction * P0_;
}

void KalmanFilter::Correct(const Eigen::Ref<const Eigen::MatrixXd>& H,
                           const Eigen::Ref<const Eigen::VectorXd>& residual,
                           const Eigen::Ref<const Eigen::VectorXd>& variance) {
  CorrectRows(H, residual, variance, nullptr);
}

void KalmanFilter::Correct(const Eigen::Ref<const Eigen::MatrixXd>& H,
                           const Eigen::Ref<const Eigen::VectorXd>& residual, RowNoise& noise) {
  if (noise.is_white()) return CorrectRows(H, residual, noise.variance(), nullptr);
  if (coloured_.size() == 0) coloured_ = P_;
  CorrectRows(H, residual, noise.variance(), &noise);
  noise.Remember(H, residual);
}

void KalmanFilter::CorrectRows(const Eigen::Ref<const Eigen::MatrixXd>& H,
                               const Eigen::Ref<const Eigen::VectorXd>& residual,
                               const Eigen::Ref<const Eigen::VectorXd>& variance,
                               const RowNoise* noise) {
  step_.setZero();
  for (Eigen::Index row = 0; row < H.rows(); ++row) {
    if (!std::isfinite(residual[row])) {
      ++rows_left_out_;
      continue;
    }
    H_row_ = H.row(row);
    // A joint's torque does not depend on the links before it, which stand first.
    Eigen::Index first = 0;
    while (first < H_row_.size() && H_row_[first] == 0.0) ++first;
    const Eigen::Index count = H_row_.size() - first;
    PHt_.noalias() = P_.rightCols(count) * H_row_.tail(count);
    // ν = e − H·(x̂ − x̂ before the first row),  s = H P Hᵀ + σ²
    const double innovation = residual[row] - H_row_.tail(count).dot(step_.tail(count));
    const double s = H_row_.tail(count).dot(PHt_.tail(count)) + variance[row];
    const double innovation_variance = noise == nullptr ? s : CorrectColoured(row, s, *noise);
    sum_of_squares_ += innovation * innovation / innovation_variance;
    ++rows_;
    // x̂ ← x̂ + P Hᵀ ν/s
    step_ += (innovation / s) * PHt_;
    // P ← P − (P Hᵀ)(P Hᵀ)ᵀ/s, symmetric to the last bit.
    PHt_ /= std::sqrt(s);
    P_.noalias() -= PHt_ * PHt_.transpose();
  }
  state_ += step_;
}

double KalmanFilter::CorrectColoured(Eigen::Index row, double s, const RowNoise& noise) {
  noise.Past(row, past_);
  beside_.noalias() = P_ * past_;  // C
  const double correlated = H_row_.dot(beside_);
  past_.noalias() = coloured_ * H_row_;
  // The blocks of RowNoise must not make it 0.
  const double sample_variance = noise.sample_variance()[row];
  const double innovation_variance =
      std::max(H_row_.dot(past_) + sample_variance - 2.0 * correlated,
               RowNoise::kLeastInnovation * sample_variance);
  // With d = C − Pᶜ Hᵀ + s_ν·K/2: K dᵀ + d Kᵀ
  beside_ -= past_;
  beside_ += (0.5 * innovation_variance / s) * PHt_;
  coloured_.noalias() += (PHt_ / s) * beside_.transpose();
  coloured_.noalias() += (beside_ / s) * PHt_.transpose();
  return innovation_variance;
}

void KalmanFilter::CheckDigits() const {
  // P₀ = D·V·Λ·Vᵀ·D, so that T = Λ^−½·Vᵀ·D⁻¹ makes it 1.
  if (P0_.diagonal().isZero(0.0)) return;
  const Eigen::VectorXd scale =
      P0_.diagonal().unaryExpr([](double v) { return v > 0.0 ? 1.0 / std::sqrt(v) : 0.0; });
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(
      Eigen::MatrixXd(scale.asDiagonal() * P0_ * scale.asDiagonal()));
  const Eigen::Index count =
      (eigen.eigenvalues().array() > kNoVariance * eigen.eigenvalues().maxCoeff()).count();
  const Eigen::MatrixXd T =
      eigen.eigenvalues().tail(count).cwiseSqrt().cwiseInverse().asDiagonal() *
      eigen.eigenvectors().rightCols(count).transpose() * scale.asDiagonal();
  Eigen::MatrixXd part = T * P_ * T.transpose();
  part.diagonal().array() -= kLeastPart;
  if (Eigen::LLT<Eigen::MatrixXd>(part).info() == Eigen::Success) return;
  throw EstimationFailure(
      Outcome::kDiverged,
      fmt::format("the initial covariance is more than {:.0e} times what the data leave of it, "
                  "beyond double precision: start from σ near to what is known, or null where "
                  "nothing is known (/problem/prior/std)",
                  1.0 / kLeastPart));
}

std::optional<double> KalmanFilter::normalised_innovation_squared() const {
  if (rows_ == 0) return std::nullopt;
  return sum_of_squares_ / static_cast<double>(rows_);
}

void StateDiagnostics(const KalmanFilter& filter, Estimate& estimate) {
  if (!(filter.covariance().diagonal().array() >= 0.0).all()) {
    throw EstimationFailure(Outcome::kDiverged,
                            "the covariance is no longer positive: declared σ are too small beside "
                            "what the prior leaves open, by more than double precision holds");
  }
  if (const auto nis = filter.normalised_innovation_squared()) {
    estimate.diagnostics["normalised_innovation_squared"] = *nis;
  }
  if (filter.rows_left_out() > 0) {
    estimate.diagnostics["rows_left_out"] = static_cast<double>(filter.rows_left_out());
  }
}

}  // namespace idbench
