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
  double rate_timing_periods = 0.5;
  double stop_at_fraction = 0.0;
  double greatest_misfit = 0.8;

  bool operator==(const SwingWeakFormOptions&) const = default;
};
FieldTable Visit(SwingWeakFormOptions& options);
/// Adds these options to the table of a method that makes the same swings.
void AddFields(FieldTable& table, SwingWeakFormOptions& options);

/// Returns the time of the swings that it makes of one joint at least, if none falls [s].
double LeastUse(const SwingWeakFormOptions& options);

/// Swings and what the weak form tells of them, see SwingWeakForm.
struct FittedSwings {
  std::vector<SwingRecord> swings;
  Estimate estimate;
  Eigen::VectorXd lean;  ///< H of the links, see SwingBalances; empty: they were not asked for.
};
/// Makes the swings of SwingWeakForm, and estimates.
/// @throws EstimationFailure as SwingLaboratory does; rank_deficient if the swings do not tell the
///         unknowns, but for friction; not_converged for an inertia of one joint that is negative.
FittedSwings SwingAndFit(const Problem& problem, Plant& plant, const SwingWeakFormOptions& options);

/// Free swings of an upright chain, its equations of motion in weak form.
///
/// Lets the robot swing over-compensated (see SwingLaboratory): at `first_levels` times the guess,
/// then at `last_levels` times what these told, in each direction of push that the chain has (one
/// joint: one). Least squares on the balances G·β = y of all windows (see SwingBalances) tell β
/// first; friction that no window shows is held at the prior's mean, by name in a note.
///
/// Noise of positions is in G, and in the torques that answer it: least squares are biased, by as
/// much as their σ for two rods and noise of 1e-3 rad. So the same swings of the model with this β
/// (see ModelPlant), which no noise has touched, are instruments Z, x̂ = (ZᵀG)⁻¹·Zᵀy. Where β has
/// inertias of no robot, or the model swings otherwise than the robot by more than
/// `greatest_misfit`, there are none (Z = G), by a note.
///
/// With `stop_at_fraction` swings end with the first level at which the greatest σ of G_i, over
/// |G_i|, is no more than that.
///
/// States, unless friction is held, the covariance (ZᵀG)⁻¹·C·(ZᵀG)⁻ᵀ of two kinds of errors,
///   C = Σ_{cc'} w_{cc'}·z_cᵀ·e_c·e_c'ᵀ·z_c' + r²·Σ_l d_l·d_lᵀ.
/// The first are those of overlapping windows: z_c are the instruments of those about one instant,
/// e_c their residuals, w falls from 1 to 0 over twice the widest window. The second are of time
/// within a period, of which readings tell nothing: steps of a simulation have centrifugal torques
/// of rates half a step ago and implicit friction of rates half a step ahead; d_l = Zᵀ·δG_l·β̂ for
/// either of them a period late, r = `rate_timing_periods`. Beyond them nothing is known of errors
/// of the model (bent links, other friction), nor of a torque of another delay, nor of a base that
/// is not level, on which G is less by the cosine of the lean (a note tells if that counts): where
/// friction has another width than the problem's, 95 % intervals hold its coefficients in 70 to
/// 100 % (two rods, 20 draws).
/// Sources: Söderström & Stoica, Instrumental Variable Methods for System Identification, 1983;
/// Newey & West, Econometrica 55, 1987 (covariance); the swings are those of Jamisola & Dadios.
class SwingWeakForm : public UprightMethod<SwingWeakFormOptions> {
 public:
  double least_use_s() const override { return LeastUse(options_); }

 protected:
  Estimate Experiment(const Problem& problem, Plant& plant) override;
};

}  // namespace idbench
