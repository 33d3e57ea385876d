#pragma once

#include <Eigen/Core>
#include <vector>

#include "robots/dynamics/pseudo_inertia.h"

namespace idbench {

/// Convex problems over physically consistent parameters: the pseudo-inertia P of each body stays
/// positive definite, and near to a prior's P₀ in the entropic (log-det, Bregman) divergence
///
///   D(P ‖ P₀) = tr(P₀⁻¹ P) − log det(P₀⁻¹ P) − 4 ≥ 0,
///
/// which is 0 for P = P₀, grows without bound towards the boundary, and depends neither on frames
/// nor on units. Source: Lee, Wensing & Park, IEEE T-RO 36(1), 2020.
///
/// Both are solved by Newton's method in coordinates in which the prior is the identity: P = L·X·Lᵀ
/// with P₀ = L·Lᵀ, so that D = tr X − log det X − 4 has the identity for its Hessian at the prior.
/// D/λ plus a quadratic is self-concordant: the Newton decrement δ bounds what is left to gain.
/// Source: Boyd & Vandenberghe, Convex Optimization, sections 9.6 and 11.4.
double EntropicDivergence(const InertialParameters& parameters, const InertialParameters& prior);

/// λmin(J)/|tr J| of the pseudo-inertia in SI units: above 0 exactly for a body that can exist.
double PseudoInertiaMargin(const InertialParameters& parameters);

/// What may move, and from where; all other entries of π stay as they are in `prior`.
struct ConsistentVariables {
  Eigen::VectorXd prior;    ///< π. Its bodies below are consistent.
  std::vector<int> bodies;  ///< Index into π of the first of a body's ten parameters.
  std::vector<int> free;    ///< Indices into π of what nothing holds: friction, offsets …
};

/// What the solver found, and how certain that is.
struct ConsistentSet {
  Eigen::VectorXd pi;          ///< Strictly inside: every body's pseudo-inertia positive definite.
  Eigen::VectorXd divergence;  ///< D(P ‖ P₀), one per body.
  int iterations = 0;          ///< Newton steps.
  double gap = 0.0;            ///< Upper bound on how far the cost is above its minimum.
  bool converged = false;      ///< False if steps ran out, or none stayed inside, before 1e-10·λ.
};

/// argmin_π ½ πᵀ N π − bᵀ π + λ·Σ_i D(P_i ‖ P_i,prior): least squares ½‖W π − y‖² with N = WᵀW and
/// b = Wᵀ y, from the prior (λ = ∞) along λ's path.
///
/// @param N  size of π, squared; symmetric, positive semi-definite; what does not move counts too.
/// @param b  size of π. @param lambda  positive.
/// @throws std::invalid_argument for sizes, λ or a prior body that is not consistent, naming its
///         index; std::domain_error if N does not determine the free parameters.
/// A 7-link arm takes some milliseconds. O(steps·(10·bodies + free)³).
ConsistentSet FitConsistent(const ConsistentVariables& variables, const Eigen::MatrixXd& N,
                            const Eigen::VectorXd& b, double lambda);

/// The nearest consistent set under linear constraints, or how far the constraints are from one.
struct NearestConsistentSet {
  bool feasible = false;
  ConsistentSet set;  ///< Where feasible.
  /// λmin of X_i = L⁻¹ P_i L⁻ᵀ, one per body: how much of the prior's second moment of mass there
  /// is in the direction in which least is; negative: no body has it. Of a consistent set, or of
  /// the set that meets the constraints with the least sum of what is negative.
  Eigen::VectorXd margin;
};

/// argmin_π Σ_i D(P_i ‖ P_i,prior) subject to C·π = d, in the null space of C.
///
/// Whether any consistent set meets the constraints is decided first: min Σ t_i with P_i + t_i·
/// P_i,prior ≻ 0, by a barrier; a body counts as consistent from a margin of 1e-9 on, and sets of
/// more than a hundred times the prior's mass are not looked for.
/// @param C  constraints × size of π; what does not move counts too.
/// @throws std::invalid_argument as above, or for constraints that contradict each other.
NearestConsistentSet FindNearestConsistent(const ConsistentVariables& variables,
                                           const Eigen::MatrixXd& C, const Eigen::VectorXd& d);

}  // namespace idbench
