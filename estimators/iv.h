#pragma once

#include "estimators/estimator.h"
#include "estimators/fcd.h"

namespace idbench {

struct IvOptions {
  FcdOptions fcd = {.half_power = 0.25,
                    .n_cd = 5};  ///< Low-pass and differences of the measured motion.
  std::string weighting = "covariance";
  double free_row_variance_ratio = 10.0;
  int knot_samples = 1;
  int max_iterations = 50;
  double tolerance = 1e-6;

  bool operator==(const IvOptions&) const = default;
};
FieldTable Visit(IvOptions& options);

/// Instrumental variables for a walker: the equations of WlsFcd, F·τ = F·Z(ỹ)·β, made orthogonal to
/// the regressor Zs along the unactuated motion that β itself would cause, which knows nothing of
/// the errors of ỹ:
///   β ← (Σ Zsᵀ·W·Z̃)⁻¹·Σ Zsᵀ·W·τ,  W = FᵀF,
/// the motion that of ZeroDynamics from the angle and rate at the beginning that fit the recording
/// best. So noise in Z does not bias β. What the low-pass and the differences do to the motion
/// would: Z̃ = Z(ỹ) + Zs − Z(ys), ys the simulated motion put through them. Starts from WlsFcd's
/// estimate; where that has no motion, from the prior's mean. Iterates until Z̃·β moves by less than
/// the tolerance of itself. No covariance is stated. Source: Janot, Vandanjon & Gautier, IEEE TCST
/// 22(1), 2014 (the instruments), for arms, all joints of which are driven.
class Iv : public Estimator {
 public:
  FieldTable Fields() override { return Visit(options_); }
  EstimatorNeeds needs() const override;

 protected:
  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) override;

 private:
  IvOptions options_;
};

}  // namespace idbench
