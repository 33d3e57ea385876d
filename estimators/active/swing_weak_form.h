#pragma once

#include <vector>

#include "estimators/active/swing.h"
#include "estimators/active/upright_method.h"

namespace idbench {

struct SwingWeakFormOptions {
  SwingOptions swing = {
      .push_rad_s = 0.3, .limit_rad = 1.0471975511965976, .coriolis_factor = 0.0};  // 60°
  std::vector<double> first_levels = {1.0, 1.3};
  std::vector<double> last_levels = {1.1, 1.25};
  std::vector<double> windows_s = {2.0, 5.0};
  double stride_s = 0.216;
  double rate_window_s = 0.27;
  double torque_delay_periods = 0.5;
  double least_rate_rad_s = 2e-3;
  double stuck_rate_rad_s = 4e-3;
  double stuck_fraction = 0.85;

  bool operator==(const SwingWeakFormOptions&) const = default;
};
FieldTable Visit(SwingWeakFormOptions& options);

/// Least squares on free swings of an upright chain, its equations of motion in weak form.
///
/// Lets the robot swing over-compensated (see SwingLaboratory): at `first_levels` times the guess,
/// then at `last_levels` times what these told, in each direction of push that the chain has (one
/// joint: one). In absolute angles, with test functions ψ = sin⁴(πt/T) and integrated by parts,
///   ∫ψ·τ_i dt = −∫ψ̇·∂K/∂ω_i dt + ∫ψ·(∂V/∂θ_i − ∂K/∂θ_i + friction) dt
/// is the balance of link i, linear in β, without accelerations. Momenta are those between two
/// samples. Friction of a joint that moves in less than `stuck_fraction` of a window is no function
/// of its rate: the balances of the links that it locks together are added, so that it drops out,
/// and that of links locked to the ground is left out. Windows wider than the first are for swings
/// in which nothing sticks: noise in them counts less. Friction that no window shows is held at the
/// prior's mean, by name in a note.
///
/// States the covariance of overlapping windows, from residuals, unless friction is held: with g_c
/// the columns of those about one instant and e_c their residuals,
/// (GᵀG)⁻¹·Σ_{cc'} w_{cc'}·g_cᵀ·e_c·e_c'ᵀ·g_c'·(GᵀG)⁻¹, w falling from 1 to 0 over twice the widest
/// window. Sources: Bortz, Messenger & Dukic, Bull. Math. Biol. 85, 2023 (weak form);
/// Newey & West, Econometrica 55, 1987 (covariance); the swings are those of Jamisola & Dadios.
class SwingWeakForm : public UprightMethod<SwingWeakFormOptions> {
 protected:
  Estimate Experiment(const Problem& problem, Plant& plant) override;
};

}  // namespace idbench
