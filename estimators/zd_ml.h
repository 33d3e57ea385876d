#pragma once

#include "estimators/estimator.h"
#include "estimators/fcd.h"

namespace idbench {

struct ZdMlOptions {
  FcdOptions fcd = {.half_power = 0.25, .n_cd = 5};
  int knot_samples = 1;
  int max_iterations = 500;
  bool reject_unhealthy = false;

  bool operator==(const ZdMlOptions&) const = default;
};
FieldTable Visit(ZdMlOptions& options);

/// Maximum likelihood of a walker's parameters on its zero dynamics (ZD-ML): with exact relative
/// angles, the torque-free row is an ordinary differential equation of the absolute angle, so that
/// nothing of it is unknown but angle and rate at the beginning. See ZeroDynamicsLikelihood.
///
/// Where Mle has an unknown for each sample and takes differences for derivatives, this has two for
/// each recording, and reaches the Cramér-Rao bound. Minimised from the prior's mean; only where
/// that gives a sum of squares above the 97.5 % quantile of χ², or there is no prior, from WlsFcd's
/// estimate too, and the lower minimum counts. Relative angles have to be fine: what they are off
/// shows twice differentiated. Against coarse encoders let a knot of the spline stand for several
/// samples.
class ZdMl : public Estimator {
 public:
  FieldTable Fields() override { return Visit(options_); }
  EstimatorNeeds needs() const override;

 protected:
  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) override;

 private:
  ZdMlOptions options_;
};

}  // namespace idbench
