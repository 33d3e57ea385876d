#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>

#include "robots/robot.h"
#include "scenarios/scenario.h"

namespace idbench {

/// The values of a set, scaled as asked, without its errors: m ← mass_scale·m with the centre of
/// mass where it is, and I_com ← inertia_scale·I_com.
Eigen::VectorXd ScaledSet(const Robot& robot, const SetOptions& options);

/// True if each trial draws errors of its own.
bool DrawnPerTrial(const SetOptions& options);

/// ScaledSet() with the errors of a trial, of each body that has a mass:
///
///   m ← m·(1 + e),  J_k ← J_k·(1 + e_k),  c ← c + ρ·(e_x, e_y, e_z),
///
/// J_k the principal moments about the centre of mass, whose axes stay, c the centre of mass in the
/// body frame and ρ = √(tr I_com/(2m)) the root mean square distance of the body's mass from it: so
/// a coordinate that is 0 moves too, and no choice of frame matters. A factor 1 + e below 0.05 is
/// drawn again. No triangle inequality holds them: see MakePhysical() before a simulation.
///
/// The draws are keyed by (seed, trial, "truth/mass_error" …, body, axis), so that cells and
/// estimators share them and amplitudes scale them; trial −1 where `draw` is "cell".
Eigen::VectorXd DrawTrueSet(const Robot& robot, const SetOptions& options, std::uint64_t seed,
                            std::int64_t trial);

/// The same of a prior, whose draws are others ("prior/mass_error" …).
Eigen::VectorXd DrawPriorSet(const Robot& robot, const PriorOptions& options, std::uint64_t seed,
                             std::int64_t trial);

/// "prior drawn per trial: masses ±20 %, signs drawn; …" for captions; "" without errors.
/// @param what  "prior" or "truth".
std::string DescribeDraw(const std::string& what, const SetOptions& options);

}  // namespace idbench
