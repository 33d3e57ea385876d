#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "estimators/interface/estimator.h"
#include "estimators/interface/problem.h"
#include "robots/dynamics/dynamics.h"

namespace idbench {

/// What a model leaves unexplained of recorded equation rows.
///
/// Of joint torques, where the outside acts on the end effector with the wrench F (force, then
/// moment), measured is τ = W·π − Jᵀ F for a true π, and so r = −Jᵀ F.
struct ModelResidual {
  Eigen::VectorXd time_s;      ///< N, stamps [s].
  Eigen::MatrixXd q, qd, qdd;  ///< N × n, as recorded [rad or m, /s, /s²].
  Eigen::MatrixXd inputs;      ///< See InputsOf().
  int configuration = 0;       ///< Index into RobotModel::configurations().
  /// r = y − W(q, q̇, q̈)·π, N × rows [N·m or N]; of a calibrated sensor (1 + D)·w − W·π − o. NaN
  /// where a number that it takes is not finite: all rows of a sample without q, q̇ or q̈, otherwise
  /// the rows of the measurement that is missing.
  Eigen::MatrixXd r;
  Eigen::VectorXd predicted_square;  ///< Mean of (W·π)², one per row, where r is not NaN.

  StateSamples states() const { return {q, qd, qdd, &inputs}; }
};

/// Returns the equations of a problem that hold π, in the order of a RowRegressor's rows.
/// @throws EstimationFailure (refused) if there is none.
std::vector<EquationRows> EquationsWithModel(const Problem& problem);

/// @throws EstimationFailure (refused) if π has another size than the robot's or is not finite.
void CheckParameters(const Problem& problem, const Eigen::VectorXd& pi);

/// Returns the mean of values² where r is not NaN; 0 if it is everywhere.
double MeanSquare(const Eigen::Ref<const Eigen::VectorXd>& values,
                  const Eigen::Ref<const Eigen::VectorXd>& r);

/// Computes the residual of `equations` in a dataset of any role and configuration. Dead zones are
/// not looked at. O(N·n), eight samples at a time.
/// @param pi  standard parameters.
/// @throws EstimationFailure (refused) as CheckParameters(), AlignEquations() and ConfigurationOf()
///         do.
ModelResidual ResidualOf(const Problem& problem, const Eigen::VectorXd& pi, const Dataset& dataset,
                         std::span<const EquationRows> equations);

/// Returns the residuals of the datasets of role `identification`, where nothing unknown acts; none
/// if there are no such datasets.
std::vector<ModelResidual> TrainingResiduals(const Problem& problem, const Eigen::VectorXd& pi,
                                             std::span<const Dataset> training,
                                             std::span<const EquationRows> equations);

}  // namespace idbench
