#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "estimators/interface/estimate.h"
#include "estimators/solvers/entropic_prior.h"
#include "robots/dynamics/parameters/log_det_newton.h"

namespace idbench {

/// Solver of argmin_v ½ vᵀ N v − bᵀ v + λ·Σ_i D(P_i ‖ P_i,prior) + ½ Σ_held v_k², in the
/// coordinates v of an EntropicPrior: the normal equations N, b of the data, the entropic
/// divergence of the bodies, and the Gaussian prior of the unknowns that move no body. The cost is
/// convex and its minimum lies strictly inside the set of physical bodies.
class EntropicFit {
 public:
  EntropicFit(const EntropicPrior& prior, double lambda);

  /// Sets the normal equations of the data. Allocates nothing.
  /// @param N  p × p, symmetric, positive semi-definite.
  /// @param b  p.
  void SetData(const Eigen::MatrixXd& N, const Eigen::VectorXd& b);

  /// Minimises from `v`, a point inside such as the solution of other data. If that start is so
  /// near the boundary that the steps do not get away from it, starts again from the prior.
  /// Allocates nothing for up to a hundred unknowns.
  /// @param[in,out] v  p; stays inside even if the result has not converged.
  /// @param tolerance  δ² to reach, see LogDetNewton.
  NewtonResult SolveFrom(Eigen::VectorXd& v, double tolerance = kConverged);
  /// Minimises from the prior along a path of decreasing λ, from where the data hardly count,
  /// because v = 0 may be far from the solution. Where data contradict the prior so much that
  /// bodies come near the boundary of what can exist, the ways from one λ to the next are shorter.
  /// @param[out] v  p.
  NewtonResult SolveFromPrior(Eigen::VectorXd& v);
  /// Minimises from the prior within bounds of coordinates that move no body (all others must be
  /// infinite): solves with those held that stand beyond a bound, lets go of those whose gradient
  /// leads back inside, and goes on until there are none of either. The curvature that
  /// TakeCurvature() computes afterwards is still that without bounds. Source of the exchange:
  /// Júdice & Pires, Computers & Operations Research 21(5), 1994.
  /// @param[out] v     p.
  /// @param[out] held  indices of those that end at a bound, in order.
  NewtonResult SolveWithin(const CoordinateBounds& bounds, Eigen::VectorXd& v,
                           std::vector<int>& held);

  /// Computes the curvature at v for the two functions below; returns false if it is not positive
  /// definite in double precision.
  bool TryCurvature(const Eigen::VectorXd& v) { return newton_.Expand(lambda_, v); }
  /// As TryCurvature().
  /// @throws EstimationFailure (rank_deficient) if the curvature is not positive definite in
  ///         double precision.
  void TakeCurvature(const Eigen::VectorXd& v);
  /// Returns the Cholesky factor of the cost's Hessian at that v.
  const Eigen::LLT<Eigen::MatrixXd>& curvature() const { return newton_.hessian(); }
  /// Returns Laplace's approximation of the posterior covariance of v at that v: the
  /// inverse Hessian.
  Eigen::MatrixXd Covariance() const;

  /// Default δ² to reach.
  static constexpr double kConverged = 1e-10;

 private:
  double lambda_;
  Eigen::VectorXd trace_;           ///< Σ_i tr X_i = trace·v + 4·bodies.
  Eigen::VectorXd held_precision_;  ///< 1 for unknowns with a Gaussian prior, else 0.
  Eigen::VectorXd b_, on_path_;
  LogDetNewton newton_;
};

/// Returns the unknown of EntropicPrior::free() that has the greatest part in what the data leave
/// open of them; nothing if they leave nothing open.
/// @param N  p × p, of the data.
std::optional<int> Undetermined(const EntropicPrior& prior, const Eigen::MatrixXd& N);
/// Checks that what nothing but the data holds shows in them.
/// @param names  of x.
/// @throws EstimationFailure (rank_deficient) naming what Undetermined() returns.
void CheckDetermined(const EntropicPrior& prior, const Eigen::MatrixXd& N,
                     const std::vector<std::string>& names);

/// Records x and how the solver did: `newton_steps`, `gap` (upper bound on the cost above its
/// minimum) and `least_pseudo_inertia_margin`, min_i λmin(J_i)/tr J_i.
/// @throws EstimationFailure (not_converged) if the solver did not converge.
void StateSolution(const Problem& problem, const EntropicPrior& prior, double lambda,
                   const NewtonResult& result, const Eigen::VectorXd& v, Estimate& estimate);

}  // namespace idbench
