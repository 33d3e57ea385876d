#include "estimators/online/entropic_filter.h"

#include <algorithm>
#include <cmath>

#include "estimators/solvers/in_coordinates.h"
#include "estimators/solvers/row_noise.h"

namespace idbench {
namespace {

/// A quarter more information is so near that few Newton steps lead from one solution to the next.
constexpr Eigen::Index kInformationGrowth = 4;
constexpr Eigen::Index kMostBetween = 25;  ///< Samples between two renewals.
constexpr double kRenewed = 1e-6;          ///< δ² that a renewal reaches.

}  // namespace

FieldTable Visit(EntropicFilterOptions& o) {
  FieldTable table;
  AddBodyWeight(o.lambda, table);
  return table;
}

EstimatorNeeds EntropicFilter::needs() const {
  using enum Capability;
  return ArmNeeds({kAffine, kPrior, kSigmaOfBodies, kRowSigma});
}

void EntropicFilter::Start(const Problem& problem) {
  problem_ = problem;
  prior_.emplace(problem);
  prior_->RequireAllSaid();
  regression_.emplace(InCoordinates(problem, prior_->x0(), prior_->S()));
  lambda_ = prior_->Weight(options_.lambda);
  fit_.emplace(*prior_, lambda_);
  white_ = RowNoise(problem, prior_->S().cols()).is_white();
  const Eigen::Index size = prior_->x0().size(), rows = problem.row_count();
  N_ = Eigen::MatrixXd::Zero(size, size);
  b_ = v_ = at_prior_ = row_ = Eigen::VectorXd::Zero(size);
  residual_ = innovation_ = Eigen::VectorXd::Zero(rows);
  whitened_.resize(size, rows);
  innovation_variance_.resize(rows, rows);
  innovation_factor_.compute(Eigen::MatrixXd::Identity(rows, rows));
  samples_ = renewals_ = rows_left_out_ = innovation_rows_ = 0;
  next_renewal_ = 1;
  renewed_ = determined_ = false;
  innovation_squares_ = 0.0;
}

void EntropicFilter::Absorb(const Sample& sample) {
  regression_->Evaluate(sample);
  if (renewed_ && white_) LookAtInnovation(sample);
  renewed_ = false;
  regression_->Residual(sample, at_prior_, residual_);
  AddRows();
  ++samples_;
  if (samples_ >= next_renewal_) Renew();
}

/// e = y − ŷ at the last solution, whose variance is H P Hᵀ + R.
void EntropicFilter::LookAtInnovation(const Sample& sample) {
  regression_->Residual(sample, v_, innovation_);
  // A row that is left out neither has an innovation nor moves with the others.
  const Eigen::Index rows = innovation_.array().isFinite().count();
  if (rows == 0) return;
  whitened_ = regression_->H().transpose();
  for (Eigen::Index j = 0; j < innovation_.size(); ++j) {
    if (std::isfinite(innovation_[j])) continue;
    innovation_[j] = 0.0;
    whitened_.col(j).setZero();
  }
  fit_->curvature().matrixL().solveInPlace(whitened_);
  innovation_variance_.noalias() = whitened_.transpose() * whitened_;
  innovation_variance_.diagonal() += regression_->variance();
  innovation_factor_.compute(innovation_variance_);
  innovation_factor_.matrixL().solveInPlace(innovation_);
  innovation_squares_ += innovation_.squaredNorm();
  innovation_rows_ += rows;
}

void EntropicFilter::AddRows() {
  for (Eigen::Index j = 0; j < residual_.size(); ++j) {
    if (!std::isfinite(residual_[j])) {
      ++rows_left_out_;
      continue;
    }
    row_ = regression_->H().row(j);
    // A joint's torque does not depend on the links before it, which stand first.
    Eigen::Index first = 0;
    while (first < row_.size() && row_[first] == 0.0) ++first;
    const Eigen::Index count = row_.size() - first;
    const double weight = 1.0 / regression_->variance()[j];
    b_.tail(count) += weight * residual_[j] * row_.tail(count);
    for (Eigen::Index k = first; k < row_.size(); ++k) {
      if (row_[k] != 0.0) N_.col(k).tail(count) += weight * row_[k] * row_.tail(count);
    }
  }
}

void EntropicFilter::Renew() {
  if (!determined_) determined_ = !Undetermined(*prior_, N_);
  if (!determined_) {  // there is no solution yet
    next_renewal_ = samples_ + 1;
    return;
  }
  fit_->SetData(N_, b_);
  fit_->SolveFrom(v_, kRenewed);
  renewed_ = fit_->TryCurvature(v_);
  ++renewals_;
  next_renewal_ =
      samples_ + std::clamp(samples_ / kInformationGrowth, Eigen::Index{1}, kMostBetween);
}

Estimate EntropicFilter::Snapshot() const {
  CheckDetermined(*prior_, N_, problem_->parameters.names);
  EntropicFit fit = *fit_;
  fit.SetData(N_, b_);
  Eigen::VectorXd v = v_;
  const NewtonResult result = fit.SolveFrom(v);
  Estimate estimate;
  StateSolution(*problem_, *prior_, lambda_, result, v, estimate);
  fit.TakeCurvature(v);
  estimate.covariance = prior_->CovarianceOfX(fit.Covariance());
  estimate.diagnostics["renewals"] = static_cast<double>(renewals_);
  if (innovation_rows_ > 0) {
    estimate.diagnostics["normalised_innovation_squared"] =
        innovation_squares_ / static_cast<double>(innovation_rows_);
  }
  if (!white_) estimate.notes["innovations"] = "not judged, as processing coloured the noise";
  if (rows_left_out_ > 0) {
    estimate.diagnostics["rows_left_out"] = static_cast<double>(rows_left_out_);
  }
  return estimate;
}

}  // namespace idbench
