#include "estimators/online/sigmoid_ekf.h"

#include <fmt/format.h>

#include <cmath>

namespace idbench {
namespace {

constexpr double kSaturated = 4.0;

/// c·ξ of the prior's mean.
Eigen::VectorXd Logit(const Parametrisation& parameters, std::optional<double> clamp) {
  const Eigen::VectorXd& mean = parameters.prior->mean;
  Eigen::VectorXd logit(mean.size());
  for (Eigen::Index k = 0; k < mean.size(); ++k) {
    const double lower = parameters.lower[k], upper = parameters.upper[k];
    const std::string& name = parameters.names[static_cast<std::size_t>(k)];
    if (!(lower < mean[k] && mean[k] < upper)) {
      Refuse(fmt::format("the prior of {} is {:g}, which is not inside its bounds {:g} and {:g}",
                         name, mean[k], lower, upper));
    }
    logit[k] = std::log((mean[k] - lower) / (upper - mean[k]));
    if (clamp && std::abs(logit[k]) > *clamp) {
      Refuse(fmt::format(
          "the prior of {} is {:g}, so near its bounds {:g} and {:g} that the clamp {:g} "
          "would move it; widen the bounds, or set \"clamp\" to {:.2g} or to null",
          name, mean[k], lower, upper, *clamp, std::abs(logit[k]) + 1.0));
    }
  }
  return logit;
}

}  // namespace

FieldTable Visit(SigmoidEkfOptions& o) {
  FieldTable table;
  table
      .Add("slope", o.slope,
           {.doc = "Slope of the sigmoids; has an effect only with \"p0\": \"identity\"",
            .lower = 0.0,
            .lower_open = true})
      .Add("p0", o.p0,
           {.doc = "Initial covariance: that of the prior, or the identity in the filter's state",
            .choices = {"prior", "identity"}});
  AddFields(o.process_noise, table);
  table.Add("clamp", o.clamp,
            {.doc = "Greatest magnitude of each sigmoid's argument after a sample; null: unlimited",
             .lower = 0.0,
             .lower_open = true});
  return table;
}

EstimatorNeeds SigmoidEkf::needs() const {
  using enum Capability;
  const bool by_prior = options_.p0 == InitialCovariance::kPrior;
  return ArmNeeds(Capabilities{kPrior, kRowSigma, kTwoBounds} |
                  Capabilities::If(by_prior, kPriorCovariance) |
                  Capabilities::If(by_prior, kSigmaOfAll));
}

FrameDependence SigmoidEkf::frame_dependence() const {
  return {.by = "bounds", .by_prior_sigma = options_.p0 == InitialCovariance::kPrior};
}

void SigmoidEkf::Start(const Problem& problem) {
  const Parametrisation& parameters = problem.parameters;
  const Eigen::Index size = parameters.size();
  const Eigen::VectorXd xi = Logit(parameters, options_.clamp) / options_.slope;
  lower_ = parameters.lower;
  upper_ = parameters.upper;
  fraction_.resize(size);
  x_.resize(size);
  dx_dxi_.resize(size);
  H_xi_.resize(problem.row_count(), size);
  StartFilter(problem, xi, Eigen::MatrixXd::Identity(size, size));
  MapState();
  own_prior_.reset();
  if (options_.p0 == InitialCovariance::kIdentity) {
    own_prior_ = dx_dxi_.cwiseAbs2().asDiagonal();
    return;
  }
  const Eigen::VectorXd dxi_dx = dx_dxi_.cwiseInverse();
  filter_.emplace(xi, dxi_dx.asDiagonal() * *parameters.prior->covariance * dxi_dx.asDiagonal());
}

void SigmoidEkf::MapState() {
  fraction_ = 1.0 / (1.0 + (-options_.slope * filter_->state().array()).exp());
  // Rounding must not carry a saturated one over its bound.
  x_ = (lower_ + (upper_ - lower_) * fraction_).max(lower_).min(upper_);
  dx_dxi_ = options_.slope * (upper_ - lower_) * fraction_ * (1.0 - fraction_);
}

void SigmoidEkf::Absorb(const Sample& sample) {
  Wander(sample);
  regression_->Evaluate(sample);
  regression_->Linearise(x_);
  regression_->Residual(sample, x_, residual_);
  H_xi_.noalias() = regression_->H() * dx_dxi_.asDiagonal();
  filter_->Correct(H_xi_, residual_, *noise_);
  if (options_.clamp) {
    const double limit = *options_.clamp / options_.slope;
    filter_->state() = filter_->state().cwiseMax(-limit).cwiseMin(limit);
  }
  MapState();
}

Estimate SigmoidEkf::Snapshot() const {
  Estimate estimate;
  estimate.x = x_;
  estimate.covariance = dx_dxi_.asDiagonal() * filter_->covariance() * dx_dxi_.asDiagonal();
  if (own_prior_) estimate.own_prior = {*own_prior_};
  StateDiagnostics(*filter_, estimate);
  const Eigen::ArrayXd arguments = options_.slope * filter_->state().array();
  estimate.diagnostics["saturated_count"] =
      static_cast<double>((arguments.abs() > kSaturated).count());
  return estimate;
}

}  // namespace idbench
