#pragma once

#include "estimators/estimator.h"

namespace idbench {

struct WeakFormOptions {
  int half_width_samples = 20;
  int stride_samples = 2;
  int rate_half_width_samples = 6;
  int reweightings = 4;
  int knot_samples = 1;

  bool operator==(const WeakFormOptions&) const = default;
};
FieldTable Visit(WeakFormOptions& options);

/// Least squares of a walker's equations in weak form: multiplied by test functions
/// φ(s) = (1 − s²)⁴, |s| ≤ 1, and integrated by parts, so that derivatives of the noisy absolute
/// angle turn into those of φ and of what the exact relative angles give.
///
/// In the torque-free row q̈1 and q̇1 go, and only q1 is left (but in Coulomb friction):
///   0 = ∫ (φ·a)¨·q1 − (φ·δ)˙·q1 + φ·ε(q1) dt,  a·q̈1 + δ·q̇1 + ε that row.
/// In the motors' rows q̈1 goes; q̇1, of which centrifugal torques hold the square, is the slope of a
/// cubic through neighbouring samples. The errors of these equations are linear in those of the
/// samples, to first order; their covariance hangs on β and weighs them anew each time, beginning
/// with the prior's mean, and nothing else is taken from the prior. 10⁻⁶ of each variance is added:
/// neighbouring test functions are nearly the same. States the covariance of β̂ to first order.
/// O(N³) for N tests. Source: Bortz, Messenger & Dukic, Bulletin of Mathematical Biology 85, 2023
/// (WENDy).
class WeakForm : public Estimator {
 public:
  FieldTable Fields() override { return Visit(options_); }
  EstimatorNeeds needs() const override;

 protected:
  Estimate Identify(const Problem& problem, std::span<const Dataset> datasets) override;

 private:
  WeakFormOptions options_;
};

}  // namespace idbench
