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
  own_prior_ = prior_->Covariance(options_.lambda);
  const Eigen::VectorXd variance = prior_->Precision(options_.lambda).cwiseInverse();
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
