#pragma once

#include "estimators/interface/configured_estimator.h"
#include "estimators/walkers/per_time.h"

namespace idbench {

struct WeakFormOptions {
  Duration half_width = {.seconds = 0.2};
  Duration stride = {.seconds = 0.02};
  Duration rate_half_width = {.seconds = 0.06};
  int reweightings = 4;
  Duration knot = {};

  bool operator==(const WeakFormOptions&) const = default;
};
FieldTable Visit(WeakFormOptions& options);

/// Least squares on a walker's equations in weak form. The equations are multiplied by test
/// functions φ(s) = (1 − s²)⁴, |s| ≤ 1, and integrated by parts, which moves derivatives from the
/// noisy absolute angle to φ and to functions of the exact relative angles.
///
/// In the torque-free row this removes q̈1 and q̇1 and leaves only q1 (except in Coulomb friction):
///   0 = ∫ (φ·a)¨·q1 − (φ·δ)˙·q1 + φ·ε(q1) dt,  where that row is a·q̈1 + δ·q̇1 + ε.
/// In the motors' rows it removes q̈1. Centrifugal torques contain q̇1², so q̇1 remains there: it is
/// the slope of a cubic through neighbouring samples.
///
/// To first order the errors of these equations are linear in the errors of the samples. Their
/// covariance depends on β; it gives the weights of each of the `reweightings` solutions after the
/// first, whose weights come from the prior's mean. Nothing else is taken from the prior. 10⁻⁶ of
/// each variance is added, because neighbouring test functions are nearly the same. States the
/// covariance of β̂ to first order. O(N³) for N test functions. Source: Bortz, Messenger & Dukic,
/// Bulletin of Mathematical Biology 85, 2023 (WENDy).
class WeakForm : public ConfiguredEstimator<WeakFormOptions> {
 public:
  EstimatorNeeds needs() const override;

 protected:
  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) override;
};

}  // namespace idbench
