#pragma once

#include <vector>

#include "estimators/active/swing.h"
#include "estimators/active/upright_method.h"

namespace idbench {

struct FrequencyLineOptions {
  SwingOptions swing = {.push_rad_s = 0.1, .limit_rad = 1.0471975511965976};  // 60°
  std::vector<double> levels = {1.0, 1.3};

  bool operator==(const FrequencyLineOptions&) const = default;
};
FieldTable Visit(FrequencyLineOptions& options);

/// Line through the squared frequencies of swings of one joint: under f times the guessed gravity
/// b̃ small swings have ω² = (f·b̃ − b)/J, and ω² = 0 at f·b̃ = b.
///
/// Frequencies are those between the first and the last zero of the angle, interpolated, made those
/// of small swings by the pendulum's 2/π·K(sin A/2), A the greatest angle. Least squares with more
/// than two levels. Friction and noise have no place in it; a note tells where the swings show
/// friction (see BesideGravity()). States no covariance.
class FrequencyLine : public UprightMethod<FrequencyLineOptions> {
 public:
  int most_joints() const override { return 1; }
  double least_use_s() const override {
    return options_.swing.duration_s * static_cast<double>(options_.levels.size());
  }

 protected:
  Estimate Experiment(const Problem& problem, Plant& plant) override;
};

/// Returns the mean frequency ω of an angle that swings about 0 between its first and last zero
/// [rad/s]; 0 with fewer than two zeros. A zero counts once the angle has passed a third of its
/// greatest value since the one before, and six σ of its noise, which second differences tell.
double SwingFrequency(const Eigen::VectorXd& theta, double period_s);

/// Inertia [kg·m²] and gravity [N·m] of a joint that swings with ω² = (g − b)/J under g.
struct GravityLine {
  double J = 0.0, b = 0.0;
};
/// Returns the line of least squares through squared frequencies.
/// @param gravity  that was compensated [N·m]. @param squares  ω² [1/s²].
/// @param weights  1/σ of these.
/// @throws EstimationFailure (not_converged) if ω² does not rise with g.
GravityLine FitGravityLine(const Eigen::VectorXd& gravity, const Eigen::VectorXd& squares,
                           const Eigen::VectorXd& weights);

}  // namespace idbench
