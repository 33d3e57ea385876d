#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "robots/dynamics/walkers/planar_lagrangian.h"
#include "sim/sensors/signals.h"

namespace idbench {

/// Computes the first variation of a motion of a planar Lagrangian: its first-order change with β
/// and with the initial state of the free joints F. The torque of these stays fixed, and the other
/// joints' motion stays fixed:
///
///   D_FF·δq̈_F + (∂τ_F/∂q_F)·δq_F + (∂τ_F/∂q̇_F)·δq̇_F + Z_F·δβ = 0,
///
/// which is linear in δ = (β, q_F(0), q̇_F(0)). RK4 integrates it, one step per sample, with the
/// motion between samples from quintic Hermite polynomials. With all joints free the result is the
/// sensitivity of a simulation, with the unactuated joints free that of the zero dynamics.
///
/// @param motion   q, q̇ and q̈ at equidistant times, which satisfy the model at `beta`.
/// @param free     indices of the joints F.
/// @param consume  gets, sample by sample in order, the sample's index, ∂q_F/∂δ above ∂q̇_F/∂δ,
///         and ∂τ/∂δ (n rows, 0 in the rows F up to rounding). Allocates. Source: variational
///         equations, Hairer, Nørsett & Wanner, Solving Ordinary Differential Equations I,
///         1993, section I.14.
void VaryMotion(const PlanarLagrangian& lagrangian, const Eigen::VectorXd& beta,
                const Signals& motion, const std::vector<int>& free,
                const std::function<void(Eigen::Index sample, const Eigen::MatrixXd& state,
                                         const Eigen::MatrixXd& torque)>& consume);

}  // namespace idbench
