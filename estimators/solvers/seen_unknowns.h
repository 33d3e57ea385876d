#pragma once

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <span>

#include "estimators/interface/estimate.h"
#include "estimators/interface/problem.h"
#include "estimators/solvers/linear_regression.h"

namespace idbench {

/// What of x robot and equations show by any motion, where they hide some directions of it: the
/// combinations β = B·x of unknowns, as base parameters are those of standard parameters.
struct SeenUnknowns {
  /// The problem of estimating β: the unknowns that β keeps stand for all, π = π₀ + A·E·β. Without
  /// prior and bounds; `representative`.
  Problem problem;
  Eigen::MatrixXd B;  ///< r × p; the identity on the unknowns that β keeps.
  /// Of all x with the same β, the one nearest to the prior mean x₀ (0 without a prior) is
  /// x = origin + basis·β. It is nearest in the prior's covariance; without one, and among unknowns
  /// that it holds although they show, in the metric of the columns' norms on fixed states.
  Eigen::VectorXd origin;
  Eigen::MatrixXd basis;  ///< p × r, B·basis = 1, B·origin = 0.
};

/// Finds them in the columns of x on fixed states, see ColumnsOnFixedStates(). Returns nothing if
/// all of x shows; if the unknowns are base parameters, or not the parameters of a robot; and if no
/// gap tells what is hidden from round-off.
std::optional<SeenUnknowns> FindSeenUnknowns(const Problem& problem);

/// Returns nothing where the prior's covariance tells, of all that the structure hides, where x is.
/// Else returns what shows, with what the prior says of it: a prior of β with the mean B·x₀, the
/// covariance B·P₀·Bᵀ and the directions B·u, for each u that nothing is known of; without a prior
/// covariance as FindSeenUnknowns().
std::optional<SeenUnknowns> SeenBesidePrior(const Problem& problem);

/// Returns an estimate of x from one of β: x is nearest to the prior mean, the covariance is one of
/// combinations (Estimate::combinations), diagnostic `hidden_directions`: p − r. The estimate knows
/// nothing of what is hidden.
Estimate CarriedOver(const SeenUnknowns& seen, Estimate estimate);
/// Undoes it.
Estimate OfSeen(const SeenUnknowns& seen, Estimate estimate);

/// Returns what `fit` makes of the data, where the structure hides nothing of x. Else `fit` is
/// given the regression of SeenUnknowns::problem, and what it finds is carried over. The structure
/// is searched only if the data may hide something.
/// @throws EstimationFailure  as LinearRegression and `fit` do.
Estimate EstimateSeen(const Problem& problem, std::span<const Dataset> datasets,
                      const std::optional<ParallelFilter>& filter,
                      const std::function<Estimate(const LinearRegression&)>& fit);

}  // namespace idbench
