#pragma once

#include <Eigen/Core>

#include "robots/dynamics/parameters/pseudo_inertia.h"

namespace idbench {

/// The metric of a body's inertias: near P₀ = L·Lᵀ the entropic divergence of a pseudo-inertia P is
///
///   D(P ‖ P₀) ≈ ½·‖L⁻¹(P − P₀)L⁻ᵀ‖² = ½·δxᵀ·H·δx,  H_kl = tr(X_k·X_l),  X_k = L⁻¹·∂P/∂x_k·L⁻ᵀ,
///
/// which depends on neither frames nor units. Source: Lee, Wensing & Park, IEEE T-RO 36(1), 2020.
///
/// Returns H, n × n.
/// @param inertia  of P₀, physically consistent.
/// @param J        derivatives of the standard parameters by x, 10 × n.
Eigen::MatrixXd BodyMetric(const InertialParameters& inertia,
                           const Eigen::Ref<const Eigen::MatrixXd>& J);

/// Returns the root M of that metric, H = MᵀM: column k holds SymmetricCoordinates() of X_k. 10 ×
/// n.
Eigen::MatrixXd BodyMetricRoot(const InertialParameters& inertia,
                               const Eigen::Ref<const Eigen::MatrixXd>& J);

}  // namespace idbench
