#pragma once

#include "estimators/active/swing_weak_form.h"
#include "estimators/active/upright_method.h"

namespace idbench {

struct SwingDampedSinesOptions {
  SwingWeakFormOptions start = {};
  int iterations = 50;

  bool operator==(const SwingDampedSinesOptions&) const = default;
};
FieldTable Visit(SwingDampedSinesOptions& options);

/// Decaying swing of a pendulum, to third order of its amplitude a = a₀·e^(−ζt):
///   θ(t) = a·sin φ + a³/192·sin 3φ,  φ(t) = φ₀ + ∫ω₀·(1 − a²/16 + a⁴/1024) dt.
/// Source: Nayfeh & Mook, Nonlinear Oscillations, 1979, section 2.1, and the series of the
/// pendulum's period, T = 2π/ω₀·(1 + θ²/16 + 11θ⁴/3072 + …), θ = a − a³/192 the greatest angle.
struct DampedSine {
  double omega = 0.0;      ///< ω₀ of small swings [rad/s]
  double decay = 0.0;      ///< ζ [1/s]
  double amplitude = 0.0;  ///< a₀ [rad]
  double phase = 0.0;      ///< φ₀ [rad]

  double At(double t) const;
};

/// Returns the sine of least squares, and the σ of its ω₀ from the residuals.
/// @param theta  angle at 0, period_s … [rad].
/// @throws EstimationFailure (not_converged) if fewer than two zeros begin it, or the fit does not
///         end within `iterations`.
std::pair<DampedSine, double> FitDampedSine(const Eigen::VectorXd& theta, double period_s,
                                            int iterations);

/// Line through the squared frequencies of damped sines, of one joint.
///
/// Makes the swings of SwingWeakForm, whose options it has too. Of each it takes the frequency of
/// small undamped swings, ω² = ω₀² + ζ² [ζ = fv/(2·J)], weighed by its σ, for the line of
/// FitGravityLine(); viscous friction, where it is an unknown, is the mean of 2·ζ·J. Coulomb
/// friction, by which swings decay in proportion to time and end, has no place in it and stays that
/// of the prior. Of more joints frequencies are those of modes, n a level: they tell fewer numbers
/// than β has, without the modes' shapes, so it takes one joint. States no covariance.
class SwingDampedSines : public UprightMethod<SwingDampedSinesOptions> {
 public:
  int most_joints() const override { return 1; }
  double least_use_s() const override { return LeastUse(options_.start); }

 protected:
  Estimate Experiment(const Problem& problem, Plant& plant) override;
};

}  // namespace idbench
