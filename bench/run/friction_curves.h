#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "estimators/interface/estimate.h"
#include "estimators/interface/problem.h"
#include "robots/recording/dataset.h"
#include "scenarios/options/json.h"

namespace idbench {

/// Friction of single joints over their velocity, as a problem's own columns have it.
///
/// Joint i moves alone, q̇ = v·e_i, without acceleration. Its friction is what the terms of π (see
/// Term) that depend on velocity or on nothing add to its torque [N·m or N]:
///
///   τ_i(v) = Σ c_i·f(c_i·v)·θ = a(v)·π,   σ² = a·J·P·Jᵀ·aᵀ, J = ∂π/∂x, P the covariance of x̂.
///
/// Offsets that base parameters regroup with gravity are left out. A joint of which the base
/// parameters do not determine a·π has no curve. Curves are of the configuration of the first
/// dataset for identification.
class FrictionCurves {
 public:
  /// @param problem   must outlive this.
  /// @param datasets  those with the role of identification and joint velocities say which
  ///                  velocities are covered.
  FrictionCurves(const Problem& problem, const std::vector<Dataset>& datasets);

  /// Returns what lines of `series/friction.jsonl` say of an estimate (see TrialTraces), one for
  /// each joint whose friction depends on an unknown; without σ where the covariance is not stated.
  /// None of a joint whose friction shows in other combinations alone.
  /// @param estimate  ok.
  /// @param true_pi   π of the simulated robot, or nullptr.
  std::vector<Json> Of(const Estimate& estimate, const Eigen::VectorXd* true_pi) const;

 private:
  struct Curve {
    int joint;
    std::vector<int> pi;  ///< Indices into π of its terms.
    double lower, upper;  ///< Covered velocities [rad/s or m/s].
    Eigen::VectorXd velocity;
    Eigen::MatrixXd columns;  ///< a(v), velocities × terms.
  };

  std::optional<Curve> CurveOf(int joint, double lower, double upper, int configuration) const;
  /// Computes a(v) of terms; leaves the velocities as they are.
  void FillColumns(Curve& curve) const;
  /// True if base parameters determine a·π.
  bool Determined(const Curve& curve) const;

  const Problem& problem_;
  std::vector<Term> terms_;  ///< All, in the order of π.
  Eigen::Index first_;       ///< Index into π of the first term.
  Eigen::MatrixXd to_base_;  ///< x of π; empty unless x are base parameters.
  std::vector<Curve> curves_;
};

}  // namespace idbench
