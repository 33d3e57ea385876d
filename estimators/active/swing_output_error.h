#pragma once

#include <optional>

#include "estimators/active/swing_weak_form.h"
#include "estimators/active/upright_method.h"

namespace idbench {

struct SwingOutputErrorOptions {
  SwingWeakFormOptions start = {};
  double segment_s = 0.5;
  std::optional<int> steps = std::nullopt;
  int iterations = 30;

  bool operator==(const SwingOutputErrorOptions&) const = default;
};
FieldTable Visit(SwingOutputErrorOptions& options);

/// Nonlinear least squares of simulated against measured positions of free swings.
///
/// Makes the swings of SwingWeakForm, whose options it has too, and begins with what that method
/// tells of them. Without feedback an upright chain falls, and nothing that is simulated for longer
/// has to do with what was measured; so swings are cut into segments with states of their own
/// (multiple shooting). A ChainModel of `steps` steps a period takes the torques that were
/// commanded, each held for its period:
///   min Σ_s Σ_k |q_s(k) − q̂_s(k; β, q0_s, q̇0_s)|²
/// over β and the states at the beginning of each segment s, by the method of Levenberg and
/// Marquardt; states are eliminated segment by segment. Behind β stands by how much gravity leans,
/// if the weak form fits that. Torques are known, whatever noise they answered: white noise of
/// equal σ at all joints makes this the maximum of the likelihood of what segments tell.
///
/// Has converged where what a step promises is below 1e-6 of the variance of the residuals for
/// each unknown, or below 1e-10 rad, root mean square. States s²·(JᵀJ)⁻¹ of β, s² the variance of
/// the residuals: it knows of no errors of the model. Sources: Ljung, System Identification, 2nd
/// ed., 1999, chapter 7 (output error); Bock, Springer Series in Chemical Physics 18, 1981
/// (multiple shooting).
class SwingOutputError : public UprightMethod<SwingOutputErrorOptions> {
 public:
  double least_use_s() const override { return LeastUse(options_.start); }

 protected:
  Estimate Experiment(const Problem& problem, Plant& plant) override;
};

}  // namespace idbench
