#pragma once

#include <Eigen/Core>
#include <vector>

#include "robots/dynamics/parameters/pseudo_inertia.h"

namespace idbench {

/// Returns the entropic (log-det, Bregman) divergence of a body's pseudo-inertia P from that
/// of a prior, P₀,
///
///   D(P ‖ P₀) = tr(P₀⁻¹ P) − log det(P₀⁻¹ P) − 4 ≥ 0,
///
/// which is 0 for P = P₀, grows without bound towards the boundary of the positive definite
/// matrices, and depends neither on frames nor on units. Infinite if P is not positive definite.
/// Source: Lee, Wensing & Park, IEEE T-RO 36(1), 2020.
///
/// Newton's method solves the two convex problems below, in which P stays positive definite and
/// near P₀. In the coordinates P = L·X·Lᵀ with P₀ = L·Lᵀ the prior is the identity, and D = tr X −
/// log det X − 4 has the identity as its Hessian there. D/λ plus a quadratic is self-concordant:
/// the Newton decrement δ bounds what is left to gain. Source: Boyd & Vandenberghe, Convex
/// Optimization, sections 9.6 and 11.4.
double EntropicDivergence(const InertialParameters& parameters, const InertialParameters& prior);

/// Returns λmin(J)/|tr J| of the pseudo-inertia in SI units: positive exactly for a physical body.
double PseudoInertiaMargin(const InertialParameters& parameters);

/// Which entries of π may change, and their prior; all other entries keep the value in `prior`.
struct ConsistentVariables {
  Eigen::VectorXd prior;    ///< π; the bodies below must be consistent in it.
  std::vector<int> bodies;  ///< Index into π of each body's first parameter.
  std::vector<int> free;    ///< Indices into π of entries without a prior: friction, offsets …
};

/// Result of a fit, and its accuracy.
struct ConsistentSet {
  Eigen::VectorXd pi;          ///< Strictly inside: every body's pseudo-inertia positive definite.
  Eigen::VectorXd divergence;  ///< D(P ‖ P₀), one per body.
  int iterations = 0;          ///< Newton steps.
  double gap = 0.0;            ///< Upper bound on the cost above its minimum.
  /// False if the steps ran out, or none stayed inside, before the gap was below 1e-10·λ.
  bool converged = false;
};

/// Solves argmin_π ½ πᵀ N π − bᵀ π + λ·Σ_i D(P_i ‖ P_i,prior), where N = WᵀW and b = Wᵀ y for least
/// squares ½‖W π − y‖². Starts at the prior (λ = ∞) and follows the path of decreasing λ.
///
/// @param N       size of π, squared; symmetric, positive semi-definite; includes the entries that
///         do not change.
/// @param b       size of π.
/// @param lambda  positive.
/// @throws std::invalid_argument if a size is wrong, λ is not positive, or a body is not consistent
///         in the prior (the message names its index).
/// @throws std::domain_error if N does not determine the free parameters. Some milliseconds for a
///         7-link arm. O(steps·(10·bodies + free)³).
ConsistentSet FitConsistent(const ConsistentVariables& variables, const Eigen::MatrixXd& N,
                            const Eigen::VectorXd& b, double lambda);

/// Nearest consistent set under linear constraints, or the distance of the constraints from one.
struct NearestConsistentSet {
  bool feasible = false;
  ConsistentSet set;  ///< Valid if feasible.
  /// λmin of X_i = L⁻¹ P_i L⁻ᵀ, one per body: the least ratio of the body's second moment of mass
  /// to the prior's, over all directions; negative for an impossible body. It belongs to a
  /// consistent set or, if there is none, to the set that meets the constraints with the least sum
  /// of violations.
  Eigen::VectorXd margin;
};

/// Solves argmin_π Σ_i D(P_i ‖ P_i,prior) subject to C·π = d, in the null space of C.
///
/// Decides first whether any consistent set meets the constraints: min Σ t_i with
/// P_i + t_i·P_i,prior ≻ 0, by a barrier method. A body counts as consistent from a margin of 1e-9
/// on; sets of more than a hundred times the prior's mass are not considered.
/// @param C  constraints × size of π; includes the entries that do not change.
/// @param d  one per constraint.
/// @throws std::invalid_argument if a size is wrong, a body is not consistent in the prior, or the
///         constraints contradict each other.
/// @throws std::domain_error if the constraints do not determine the free parameters.
NearestConsistentSet FindNearestConsistent(const ConsistentVariables& variables,
                                           const Eigen::MatrixXd& C, const Eigen::VectorXd& d);

}  // namespace idbench
