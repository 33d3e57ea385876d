#pragma once

#include <Eigen/Core>

#include "estimators/interface/problem.h"

namespace idbench {

/// What robot and equations show of x, whatever is recorded: looked for in the columns of x on
/// fixed random states, in all configurations that have data for identification.

/// Returns true if σ of all equation rows is declared and positive.
bool DeclaresAllSigma(const Problem& problem);
/// Returns the problem with σ = 1 for all rows unless all declare it.
Problem WithSigmaOrOne(Problem problem);

/// Returns the triangle of the QR decomposition of the columns H = W·∂π/∂x of x on the fixed
/// states: p columns of the same lengths and angles. Rows are not weighted.
/// @param problem  affine, with σ of all rows (see WithSigmaOrOne()).
Eigen::MatrixXd ColumnsOnFixedStates(const Problem& problem);

/// Returns 1/norm of each column, 0 for one that is round-off beside the longest (kZeroColumn): the
/// metric in which x is measured where no prior tells another.
Eigen::VectorXd InverseColumnNorms(const Eigen::MatrixXd& columns);

/// Returns orthonormal directions that `columns` see, as many as their singular values above 1e-10
/// of the largest.
/// @param of_base  the unknowns are base parameters.
/// @throws EstimationFailure (refused) if they see none, or no gap of 1e6 separates these singular
///         values from the others.
Eigen::MatrixXd SeenDirections(const Eigen::MatrixXd& columns, bool of_base);

/// Returns true if an unknown that moves parameters of a body does not show alone: part of it is
/// hidden. False where the structure is not searched: the unknowns are base parameters, or not the
/// parameters of a robot, or no gap tells what is hidden from round-off.
bool HidesBodies(const Problem& problem);

/// Returns true if x may have directions that the structure hides: it holds parameters of a robot
/// that are not its base parameters already.
bool MayHide(const Problem& problem);

}  // namespace idbench
