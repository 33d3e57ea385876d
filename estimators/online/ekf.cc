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
  seen_.reset();
  if (options_.p0 == InitialCovariance::kIdentity) {
    const Eigen::Index size = prior.mean.size();
    StartFilter(problem, prior.mean, Eigen::MatrixXd::Identity(size, size));
  } else if (prior.unknown.size() == 0) {
    StartFilter(problem, prior.mean, *prior.covariance);
  } else {
    seen_ = SeenBesidePrior(problem);
    const Problem& shown = seen_ ? seen_->problem : problem;
    StartFilter(shown, CoordinatesOf(*shown.parameters.prior));
  }
}

Estimate Ekf::Snapshot() const {
  Estimate estimate;
  State(estimate);
  if (options_.p0 == InitialCovariance::kIdentity) {
    estimate.own_prior = {Eigen::MatrixXd::Identity(estimate.x.size(), estimate.x.size())};
  }
  return seen_ ? CarriedOver(*seen_, std::move(estimate)) : estimate;
}

}  // namespace idbench
