#pragma once

#include <Eigen/Core>

#include "estimators/entropic_prior.h"
#include "estimators/estimate.h"
#include "robots/dynamics/log_det_newton.h"

namespace idbench {

/// argmin_v ½ vᵀ N v − bᵀ v + λ·Σ_i D(P_i ‖ P_i,prior) + ½ Σ_held v_k², in the coordinates v of an
/// EntropicPrior: the data's N and b, the entropic divergence of the bodies, and the Gaussian prior
/// of what moves no body. Convex, with a minimum strictly inside.
class EntropicFit {
 public:
  EntropicFit(const EntropicPrior& prior, double lambda);

  /// @param N  symmetric, positive semi-definite. Allocates nothing.
  void SetData(const Eigen::MatrixXd& N, const Eigen::VectorXd& b);

  /// From a point inside, such as the solution of other data; δ² to reach. Where that is so near
  /// the boundary that steps no longer get away from it, from the prior. Allocates nothing of up to
  /// a hundred unknowns. `v` stays inside, also where the result has not converged.
  NewtonResult SolveFrom(Eigen::VectorXd& v, double tolerance = kConverged);
  /// From the prior along λ's path, from where the data hardly count; v = 0 may be far from the
  /// solution.
  NewtonResult SolveFromPrior(Eigen::VectorXd& v);

  /// Takes the curvature at v, for the two that follow; false if it is not positive in double
  /// precision.
  bool TryCurvature(const Eigen::VectorXd& v) { return newton_.Expand(lambda_, v); }
  /// Likewise.
  /// @throws EstimationFailure (rank_deficient) if it is not positive in double precision.
  void TakeCurvature(const Eigen::VectorXd& v);
  /// Cholesky factor of the cost's Hessian there.
  const Eigen::LLT<Eigen::MatrixXd>& curvature() const { return newton_.hessian(); }
  /// Laplace's approximation of the posterior covariance of v: the inverse Hessian.
  Eigen::MatrixXd Covariance() const;

  static constexpr double kConverged = 1e-10;

 private:
  double lambda_;
  Eigen::VectorXd trace_;           ///< Σ_i tr X_i = trace·v + 4·bodies.
  Eigen::VectorXd held_precision_;  ///< 1 for what has a Gaussian prior, else 0.
  Eigen::VectorXd b_;
  LogDetNewton newton_;
};

/// Writes down x and how the solver fared: `newton_steps`, `gap` (upper bound on
/// how far the cost is above its minimum) and `least_pseudo_inertia_margin`, min_i λmin(J_i)/tr
/// J_i.
/// @throws EstimationFailure (not_converged) if it did not converge.
void StateSolution(const Problem& problem, const EntropicPrior& prior, double lambda,
                   const NewtonResult& result, const Eigen::VectorXd& v, Estimate& estimate);

}  // namespace idbench
