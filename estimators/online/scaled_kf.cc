#include "estimators/online/scaled_kf.h"

#include "estimators/solvers/in_coordinates.h"

namespace idbench {

FieldTable Visit(ScaledKfOptions& o) {
  FieldTable table;
  AddBodyWeight(o.lambda, table);
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
  const double lambda = prior_->Weight(options_.lambda);
  own_prior_ = prior_->Covariance(lambda);
  const Eigen::VectorXd variance = prior_->Precision(lambda).cwiseInverse();
  StartFilter(InCoordinates(problem, prior_->x0(), prior_->S()),
              Eigen::VectorXd::Zero(variance.size()), variance.asDiagonal());
}

Estimate ScaledKf::Snapshot() const {
  Estimate estimate;
  estimate.x = prior_->X(filter_->state());
  estimate.covariance = prior_->CovarianceOfX(filter_->covariance());
  estimate.prior_covariance = own_prior_;
  StateDiagnostics(*filter_, estimate);
  return estimate;
}

}  // namespace idbench
