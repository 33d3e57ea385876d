#pragma once

#include <Eigen/Core>
#include <vector>

#include "estimators/problem.h"

namespace idbench {

/// What the entropic divergence from a problem's prior is in its unknowns, and coordinates v in
/// which it is simple:
///
///   x = x₀ + S·v,   X_i = L_i⁻¹ P_i L_i⁻ᵀ = 1 + mat(ξ_i),   ξ = M·v,   P_i,prior = L_i L_iᵀ,
///
/// P_i the pseudo-inertia of body i and mat(ξ) the symmetric matrix with the coordinates ξ (see
/// log_det_newton.h). The divergence Σ_i D(P_i ‖ P_i,prior) is ½‖ξ‖² to second order, and the
/// columns of M are orthonormal, or 0 for the unknowns that move no body (friction, offsets …), so
/// that λ times the divergence is to second order a Gaussian prior with covariance 1/λ in v: one
/// that depends neither on frames nor on units. Unknowns that move no body have the covariance that
/// the problem states: 1 in v. Column k of S belongs to x_k's kind.
/// Source: Lee, Wensing & Park, IEEE T-RO 36(1), 2020.
class EntropicPrior {
 public:
  /// @param problem  with a prior, and affine: else an assertion fails.
  /// @throws EstimationFailure (refused) if x stands for base parameters, if the prior of a body
  ///         that x moves is not physically consistent, or if unknowns of bodies say the same.
  explicit EntropicPrior(const Problem& problem);

  const Eigen::VectorXd& x0() const { return x0_; }
  const Eigen::MatrixXd& S() const { return S_; }
  /// 10·bodies × unknowns.
  const Eigen::MatrixXd& M() const { return M_; }
  /// Index into π of the first of each body's ten parameters.
  const std::vector<int>& bodies() const { return bodies_; }
  /// Of v at the prior: λ for bodies, 1 for what has a covariance, 0 for what nothing holds.
  Eigen::VectorXd Precision(double lambda) const;
  /// Unknowns that move no body and have no covariance.
  const std::vector<int>& free() const { return free_; }
  /// The first of them, if there is one, has to be refused by a method that needs all held.
  /// @throws EstimationFailure (refused) naming it.
  void RequireAllHeld() const;

  Eigen::VectorXd X(const Eigen::Ref<const Eigen::VectorXd>& v) const { return x0_ + S_ * v; }
  /// Covariance of x from that of v, symmetric to the last bit.
  Eigen::MatrixXd CovarianceOfX(const Eigen::MatrixXd& covariance_of_v) const;

 private:
  void MapBodies(const Problem& problem);
  void MapOthers(const Problem& problem);

  std::vector<std::string> names_;
  Eigen::VectorXd x0_;
  Eigen::MatrixXd S_, M_;
  std::vector<int> bodies_;
  std::vector<int> inertial_, held_, free_;  ///< Indices into x.
};

/// The least λmin(J_i)/tr J_i over `bodies`: above 0 where all are physically consistent.
/// @param bodies  index into π of the first of each body's ten parameters.
double LeastPseudoInertiaMargin(const Eigen::VectorXd& pi, const std::vector<int>& bodies);

}  // namespace idbench
