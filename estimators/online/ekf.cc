#include "estimators/online/ekf.h"

namespace idbench {

FieldTable Visit(EkfOptions& o) {
  FieldTable table;
  table.Add("p0", o.p0,
            {.doc = "Initial covariance: that of the prior, or the identity in SI units",
             .choices = {"prior", "identity"}});
  AddFields(o.process_noise, table);
  return table;
}

EstimatorNeeds Ekf::needs() const {
  using enum Capability;
  return ArmNeeds(Capabilities{kPrior, kRowSigma} |
                  Capabilities::If(options_.p0 == InitialCovariance::kPrior, kPriorCovariance));
}

FrameDependence Ekf::frame_dependence() const {
  if (options_.p0 == InitialCovariance::kPrior) return {.by_prior_sigma = true};
  return {.by = "P₀ = 1"};
}

void Ekf::Start(const Problem& problem) {
  const Parametrisation::Prior& prior = *problem.parameters.prior;
  const Eigen::Index size = prior.mean.size();
  StartFilter(problem, prior.mean,
              options_.p0 == InitialCovariance::kPrior
                  ? *prior.covariance
                  : Eigen::MatrixXd(Eigen::MatrixXd::Identity(size, size)));
}

Estimate Ekf::Snapshot() const {
  Estimate estimate;
  estimate.x = filter_->state();
  estimate.covariance = filter_->covariance();
  if (options_.p0 == InitialCovariance::kIdentity) {
    estimate.prior_covariance = Eigen::MatrixXd::Identity(estimate.x.size(), estimate.x.size());
  }
  StateDiagnostics(*filter_, estimate);
  return estimate;
}

}  // namespace idbench
