#pragma once

#include <vector>

#include "estimators/active/swing.h"
#include "estimators/active/swing_balances.h"
#include "estimators/active/upright_method.h"

namespace idbench {

struct SwingWeakFormOptions {
  SwingOptions swing = {
      .push_rad_s = 0.3, .limit_rad = 1.0471975511965976, .coriolis_factor = 0.0};  // 60°
  std::vector<double> first_levels = {1.0, 1.3};
  std::vector<double> last_levels = {1.1, 1.25};
  BalanceOptions balances = {};

  bool operator==(const SwingWeakFormOptions&) const = default;
};
FieldTable Visit(SwingWeakFormOptions& options);

/// Least squares on free swings of an upright chain, its equations of motion in weak form.
///
/// Lets the robot swing over-compensated (see SwingLaboratory): at `first_levels` times the guess,
/// then at `last_levels` times what these told, in each direction of push that the chain has (one
/// joint: one). Solves the balances of all windows (see SwingBalances). Friction that no window
/// shows is held at the prior's mean, by name in a note.
///
/// States the covariance of overlapping windows, from residuals, unless friction is held: with g_c
/// the columns of those about one instant and e_c their residuals,
/// (GᵀG)⁻¹·Σ_{cc'} w_{cc'}·g_cᵀ·e_c·e_c'ᵀ·g_c'·(GᵀG)⁻¹, w falling from 1 to 0 over twice the widest
/// window. Source: Newey & West, Econometrica 55, 1987 (covariance); the swings are those of
/// Jamisola & Dadios.
class SwingWeakForm : public UprightMethod<SwingWeakFormOptions> {
 protected:
  Estimate Experiment(const Problem& problem, Plant& plant) override;
};

}  // namespace idbench
