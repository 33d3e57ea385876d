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
  return ArmNeeds({kAffine, kPrior, kSigmaOfBodies, kRowSigma});
}

void ScaledKf::Start(const Problem& problem) {
  prior_.emplace(problem);
  prior_->RequireAllSaid();
  const double lambda = prior_->Weight(options_.lambda);
  own_prior_ = prior_->Spread(lambda);
  Eigen::VectorXd variance = prior_->Precision(lambda).cwiseInverse();
  variance(prior_->free()).setZero();
  const Eigen::VectorXd origin = Eigen::VectorXd::Zero(variance.size());
  Problem in_v = InCoordinates(problem, prior_->x0(), prior_->S());
  if (prior_->free().empty()) return StartFilter(in_v, origin, variance.asDiagonal());
  for (const int k : prior_->free()) {  // which is v_k
    in_v.parameters.names[static_cast<std::size_t>(k)] =
        problem.parameters.names[static_cast<std::size_t>(k)];
  }
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(variance.size(), variance.size());
  StartFilter(in_v, CoordinatesOf({.mean = origin,
                                   .covariance = Eigen::MatrixXd(variance.asDiagonal()),
                                   .unknown = one(Eigen::all, prior_->free())}));
}

Estimate ScaledKf::Snapshot() const {
  Estimate estimate;
  State(estimate);
  estimate.x = prior_->X(estimate.x);
  estimate.covariance = prior_->CovarianceOfX(*estimate.covariance);
  estimate.own_prior = own_prior_;
  return estimate;
}

}  // namespace idbench
