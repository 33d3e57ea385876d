#include "estimators/online/scaled_kf.h"

#include "estimators/solvers/in_coordinates.h"

namespace idbench {

FieldTable Visit(ScaledKfOptions& o) {
  FieldTable table;
  table.Add("lambda", o.lambda,
            {.doc = "Weight of the bodies' prior: their initial covariance is that of the entropic "
                    "divergence, divided by lambda",
             .lower = 0.0,
             .lower_open = true});
  AddFields(o.process_noise, table);
  return table;
}

EstimatorNeeds ScaledKf::needs() const {
  using enum Capability;
  return ArmNeeds({kAffine, kPrior, kRowSigma});
}

void ScaledKf::Start(const Problem& problem) {
  prior_.emplace(problem);
  prior_->RequireAllHeld();
  regression_.emplace(InCoordinates(problem, prior_->x0(), prior_->S()));
  const Eigen::VectorXd variance = prior_->Precision(options_.lambda).cwiseInverse();
  filter_.emplace(Eigen::VectorXd::Zero(variance.size()), Eigen::MatrixXd(variance.asDiagonal()));
  residual_.resize(problem.row_count());
}

void ScaledKf::Absorb(const Sample& sample) {
  filter_->Wander(options_.process_noise.At(sample.t_s));
  regression_->Evaluate(sample);
  regression_->Residual(sample, filter_->state(), residual_);
  filter_->Correct(regression_->H(), residual_, regression_->variance());
}

Estimate ScaledKf::Snapshot() const {
  Estimate estimate;
  estimate.x = prior_->X(filter_->state());
  estimate.covariance = prior_->CovarianceOfX(filter_->covariance());
  StateDiagnostics(*filter_, estimate);
  return estimate;
}

}  // namespace idbench
