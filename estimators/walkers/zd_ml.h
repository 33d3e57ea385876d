#pragma once

#include "estimators/interface/configured_estimator.h"
#include "estimators/walkers/fcd.h"

namespace idbench {

struct ZdMlOptions {
  FcdOptions fcd = {.half_power = {.hz = 12.5}, .n_cd = {.seconds = 0.05}};
  Duration knot = {};
  int max_iterations = 500;
  bool reject_unhealthy = false;

  bool operator==(const ZdMlOptions&) const = default;
};
FieldTable Visit(ZdMlOptions& options);

/// Maximum likelihood of a walker's parameters on its zero dynamics (ZD-ML). With exact relative
/// angles, the torque-free row is an ordinary differential equation of the absolute angle, of which
/// only the initial angle and rate are unknown. See ZeroDynamicsLikelihood.
///
/// Mle has one unknown per sample and takes differences for derivatives; this method has two
/// unknowns per recording and reaches the Cramér-Rao bound. It minimises from the prior's mean. If
/// that gives a sum of squares above the 97.5 % quantile of χ², or there is no prior, it minimises
/// from WlsFcd's estimate too and keeps the lower minimum. The relative angles must be accurate,
/// because their errors enter after two differentiations. With coarse encoders, let a knot of the
/// spline stand for a longer time (knot_s).
class ZdMl : public ConfiguredEstimator<ZdMlOptions> {
 public:
  EstimatorNeeds needs() const override;

 protected:
  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) override;
};

}  // namespace idbench
