#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "estimators/interface/estimate.h"
#include "estimators/interface/problem.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Bounds of each coordinate v_m, ±infinity where there is none.
struct CoordinateBounds {
  Eigen::VectorXd lower, upper;
  std::vector<int> unknown;  ///< Index into x of the unknown that v_m alone is; −1 without bounds.
};

/// Entropic divergence from a problem's prior in terms of its unknowns, and coordinates v in
/// which it is simple:
///
///   x = x₀ + S·v,   X_i = L_i⁻¹ P_i L_i⁻ᵀ = 1 + mat(ξ_i),   ξ = M·v,   P_i,prior = L_i L_iᵀ,
///
/// with P_i the pseudo-inertia of body i and mat(ξ) the symmetric matrix with coordinates ξ (see
/// log_det_newton.h). To second order the divergence Σ_i D(P_i ‖ P_i,prior) is ½‖ξ‖². The columns
/// of M are orthonormal, or 0 for the unknowns that move no body (friction, offsets …). So λ times
/// the divergence is, to second order, a Gaussian prior on v with covariance 1/λ, which depends
/// neither on frames nor on units. Unknowns that move no body keep the covariance that the problem
/// states, which is 1 in v, or are free where nothing is known of them. Column k of S is of the
/// same kind as x_k: inertial or not. Source: Lee, Wensing & Park, IEEE T-RO 36(1), 2020.
class EntropicPrior {
 public:
  /// @param problem  must have a prior and be affine (asserted).
  /// @throws EstimationFailure (refused) if x stands for base parameters, if nothing is known of a
  ///         body that x moves or its prior is not physically consistent, or if two combinations of
  ///         unknowns move the bodies alike.
  explicit EntropicPrior(const Problem& problem);

  /// Return x₀ (p) and S (p × p).
  const Eigen::VectorXd& x0() const { return x0_; }
  const Eigen::MatrixXd& S() const { return S_; }
  /// Returns M, 10·bodies × p.
  const Eigen::MatrixXd& M() const { return M_; }
  /// Returns for each body that x moves the index into π of its first parameter.
  const std::vector<int>& bodies() const { return bodies_; }
  /// Returns the weight λ of the divergence: `declared`, else 1/σ² of the relative σ that the
  /// problem states of its bodies, with which λ times the divergence is, to second order, what it
  /// states; else 1.
  /// @throws EstimationFailure (refused) if it is not declared and the problem states another σ of
  ///         one body than of another, or none.
  double Weight(const std::optional<double>& declared) const;
  /// Returns the precision of each v_k at the prior: λ for bodies, 1 for unknowns with a
  /// covariance, 0 for those that are free().
  Eigen::VectorXd Precision(double lambda) const;
  /// Returns the indices of the unknowns that move no body and of which the prior knows nothing, or
  /// does not say what it knows.
  const std::vector<int>& free() const { return free_; }
  /// Returns what bounds of x are in v: of unknowns that move no body, if the prior makes them
  /// independent of all others. Bodies are kept physical by the divergence.
  /// @param lower, upper  p, as those of Parametrisation; empty: none.
  CoordinateBounds Bounds(const Eigen::VectorXd& lower, const Eigen::VectorXd& upper) const;
  /// Checks that the prior says of all unknowns what it knows, if only that it is nothing.
  /// @throws EstimationFailure (refused) naming the first unknown of which it does not.
  void RequireAllSaid() const;

  /// Returns how far x may be off before the data, at weight λ; nothing if the prior does not say
  /// it of all unknowns.
  std::optional<PriorSpread> Spread(double lambda) const;

  /// Returns x₀ + S·v.
  Eigen::VectorXd X(const Eigen::Ref<const Eigen::VectorXd>& v) const { return x0_ + S_ * v; }
  /// Returns the covariance of x from that of v, both p × p; exactly symmetric.
  Eigen::MatrixXd CovarianceOfX(const Eigen::MatrixXd& covariance_of_v) const;

 private:
  void MapBodies(const Problem& problem);
  void MapOthers(const Problem& problem);

  std::vector<std::string> names_;
  std::vector<std::string> body_names_;  ///< Of bodies().
  Eigen::VectorXd body_sigma_;           ///< Likewise, as stated; empty if of none.
  Eigen::VectorXd x0_;
  Eigen::MatrixXd S_, M_;
  std::vector<int> bodies_;
  std::vector<int> inertial_, held_, free_;  ///< Indices into x.
  bool all_said_ = false;                    ///< free() is what is known to be unknown.
};

/// Adds the field "lambda" of methods that weigh this divergence.
void AddBodyWeight(std::optional<double>& lambda, FieldTable& table);

/// Returns the least λmin(J_i)/tr J_i over `bodies`; positive if all are physically consistent,
/// infinite without bodies.
/// @param pi      standard parameters.
/// @param bodies  index into π of the first of each body's ten parameters.
double LeastPseudoInertiaMargin(const Eigen::VectorXd& pi, const std::vector<int>& bodies);

}  // namespace idbench
