#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>

#include "robots/robot.h"
#include "scenarios/problem/robot_options.h"

namespace idbench {

/// Returns π of the set, scaled as the options say, without errors: m ← mass_scale·m with unchanged
/// centre of mass, and I_com ← inertia_scale·I_com.
Eigen::VectorXd ScaledSet(const Robot& robot, const SetOptions& options);

/// Returns π of the prior: ScaledSet() with the means that its options give.
Eigen::VectorXd PriorSet(const Robot& robot, const PriorOptions& options);

/// Gives terms that configurations have of their own the values of the shared ones, but those that
/// have a value by name.
void FillOwnTerms(const RobotModel& model, const Labelled<double>& named, Eigen::VectorXd& pi);

/// Returns true if each trial draws its own errors.
bool DrawnPerTrial(const SetOptions& options);

/// Returns ScaledSet() with the errors of a trial, for each body that has a mass:
///
///   m ← m·(1 + e),  J_k ← J_k·(1 + e_k),  c ← c + ρ·(e_x, e_y, e_z),
///
/// where J_k are the principal moments about the centre of mass, with unchanged axes, c is the
/// centre of mass in the body frame and ρ = √(tr I_com/(2m)) the root mean square distance of the
/// body's mass from it. So a coordinate that is 0 changes too, and the choice of frame does not
/// matter. A factor 1 + e below 0.05 is drawn again. The triangle inequality is not enforced: call
/// MakePhysical() before a simulation.
///
/// c ← c + (e_x, e_y, e_z) in metres too, with `com_error_std_m`. Bodies that are attached keep the
/// truth that is written of them, as they do under mass_scale, unless it is to be drawn.
///
/// The draws are keyed by (seed, trial, "truth/mass_error" …, body, axis), so that cells and
/// estimators share them and amplitudes scale them; the trial is −1 if `draw` is "cell".
Eigen::VectorXd DrawTrueSet(const Robot& robot, const SetOptions& options, std::uint64_t seed,
                            std::int64_t trial);

/// As DrawTrueSet() for PriorSet(), with other draws ("prior/mass_error" …).
Eigen::VectorXd DrawPriorSet(const Robot& robot, const PriorOptions& options, std::uint64_t seed,
                             std::int64_t trial);

/// Returns "prior drawn per trial: masses ±20 %, signs drawn; …" for captions; "" without errors.
/// @param what  "prior" or "truth".
std::string DescribeDraw(const std::string& what, const SetOptions& options);

}  // namespace idbench
