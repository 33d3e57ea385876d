#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "robots/dynamics/planar_lagrangian.h"
#include "robots/plant/signals.h"

namespace idbench {

/// First variation of a motion of a planar Lagrangian, along the motion: how it changes to first
/// order with β and with the initial state of the joints F that are free to change. The torque of
/// these stays as it is, the other joints move as they do:
///
///   D_FF·δq̈_F + (∂τ_F/∂q_F)·δq_F + (∂τ_F/∂q̇_F)·δq̇_F + Z_F·δβ = 0,
///
/// which is linear in δ = (β, q_F(0), q̇_F(0)) and integrated by Runge and Kutta's method of order
/// 4, one step a sample, the motion between samples by quintic Hermite polynomials. With all joints
/// free it is the sensitivity of a simulation, with the unactuated ones that of the zero dynamics.
///
/// @param motion   q, q̇ and q̈ at equidistant times, which satisfy the model at `beta`.
/// @param consume  gets, sample by sample in their order, the sample's index, ∂q_F/∂δ and ∂q̇_F/∂δ
///                 (one above the other), and ∂τ/∂δ, n rows, 0 in those of F but for rounding.
/// Allocates. Source: variational equations, Hairer, Nørsett & Wanner, Solving Ordinary
/// Differential Equations I, 1993, section I.14.
void VaryMotion(const PlanarLagrangian& lagrangian, const Eigen::VectorXd& beta,
                const Signals& motion, const std::vector<int>& free,
                const std::function<void(Eigen::Index sample, const Eigen::MatrixXd& state,
                                         const Eigen::MatrixXd& torque)>& consume);

}  // namespace idbench
