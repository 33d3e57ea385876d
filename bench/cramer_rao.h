#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/cell_context.h"
#include "bench/metric_value.h"
#include "estimators/estimate.h"
#include "robots/dynamics/base_parameters.h"

namespace idbench {

/// The Fisher information of a trial's identification data about the unknowns,
///
///   J = Σ_samples (W A)ᵀ Σ⁻¹ (W A),  τ = W(q, q̇, q̈) π(x) + e,  A = ∂π/∂x,  e white with the true
///   σ,
///
/// at the true states and unknowns. Whatever else the sensors do, and whatever is done with the
/// data, takes information away: no unbiased estimator has a covariance below J⁻¹. Where π is not
/// affine in x, no estimator is unbiased, and the bound is that of the problem linearised at the
/// truth.
///
/// Has its own scratch: one per thread. `context` must outlive it.
class CramerRao {
 public:
  explicit CramerRao(const CellContext& context);

  /// `data` must outlive what is asked for next.
  void SetTrial(const TrialData& data);

  /// Squared error in units of the bound, (x̂ − x)ᵀ J (x̂ − x) / r, with `count` r = rank J; its mean
  /// over trials is 1 for an efficient estimator.
  /// @param checkpoint_s  recorded time that counts; infinite for all.
  MetricValue Ratio(const Estimate& estimate, double checkpoint_s);

  /// Bound on the root mean square of `base_parameter_relative_error`:
  ///   √tr(Φ A J⁻¹ Aᵀ Φᵀ) / ‖Φπ‖, Φ the equations on the fixed states, rows weighted.
  /// @param row_weights  of each row of Φ. @param norm  ‖Φπ‖ of the truth, weighted.
  MetricValue ErrorBound(const FixedStates& states, const Eigen::RowVectorXd& row_weights,
                         double norm, double checkpoint_s);

  /// The Bayesian bound P = (P₀⁻¹ + J)⁻¹: averaged over truths drawn from the prior N(x₀, P₀), no
  /// estimator has a mean squared error below it (van Trees, Detection, Estimation, and Modulation
  /// Theory I, 1968, section 2.4.3).
  struct Posterior {
    Eigen::MatrixXd root;         ///< Lower triangular, P₀ = root·rootᵀ.
    Eigen::MatrixXd information;  ///< 1 + rootᵀ·J·root, so P = root·information⁻¹·rootᵀ.
    std::string refusal;          ///< Why there is none.

    Eigen::MatrixXd Covariance() const;
  };
  Posterior BayesianBound(double checkpoint_s);

  /// Squared error in units of that bound, (x̂ − x)ᵀ P⁻¹ (x̂ − x) / n, n unknowns; where the prior is
  /// drawn as it declares, its mean over trials is 1 for an estimator that makes the best of it.
  MetricValue BayesianRatio(const Estimate& estimate, double checkpoint_s);

 private:
  /// J with unit diagonal, and its decomposition J = V Λ Vᵀ.
  struct Information {
    Eigen::MatrixXd J;
    Eigen::VectorXd scale;  ///< x in units of scale; 0 where the data say nothing at all.
    Eigen::MatrixXd directions;
    Eigen::VectorXd eigenvalues;  ///< 0 where they are round-off.
    Eigen::Index rank = 0;
  };

  const Information& Of(double checkpoint_s);
  /// Σ_samples Aᵀ Wᵀ diag(weights) W A, added to `sum`.
  void AddGram(const RowRegressor& rows, const StateSamples& samples,
               const Eigen::VectorXd& weights, Eigen::MatrixXd& sum);

  const TrialData* data_ = nullptr;
  std::optional<std::int64_t> trial_;  ///< What is known belongs to it.
  std::vector<int> used_;              ///< Entries of π that the unknowns can move.
  std::string refusal_;                ///< Why there is no bound in this cell.
  Eigen::VectorXd weights_;            ///< 1/σ² of each equation row.
  Eigen::MatrixXd A_;                  ///< Used entries of π × unknowns, at the trial's truth.
  Eigen::MatrixXd error_gram_;  ///< (Φ A)ᵀ(Φ A) on the fixed states; empty before it is asked for.
  Dynamics dynamics_;
  Dynamics::Scratch scratch_;
  std::vector<RowRegressor> rows_;     ///< The problem's; those that are defined at all states.
  std::vector<const Signals*> clean_;  ///< Of the identification experiments.
  std::map<double, Information> known_;
};

}  // namespace idbench
