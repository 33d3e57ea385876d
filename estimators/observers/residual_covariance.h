#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

#include "estimators/observers/model_residual.h"
#include "scenarios/options/enum_names.h"

namespace idbench {

/// Which second moments of residuals count.
enum class CovarianceShape {
  kDiagonal,  ///< The variance of each row alone.
  kFull,      ///< Those of all pairs of rows: model errors move rows together.
};
template <>
inline constexpr auto kEnumNames<CovarianceShape> = std::to_array<EnumName<CovarianceShape>>(
    {{CovarianceShape::kDiagonal, "diagonal"}, {CovarianceShape::kFull, "full"}});

/// Returns S_ij = mean of z_i·z_j over the samples that have both, rows × rows: second moments
/// about 0, as an error of the model does not pass for something that acts.
/// @param samples  N × rows each, at least one matrix; NaN for what does not count.
/// @param floor    least variance of each row, which is added to the diagonal of a full S.
/// @throws EstimationFailure (refused) if a row has no sample, its variance is 0, or S is not
///         positive definite.
Eigen::MatrixXd SecondMoments(std::span<const Eigen::MatrixXd> samples,
                              const Eigen::VectorXd& floor, CovarianceShape shape);

/// Returns the variance of each row that round-off alone makes: (1e-9)² times the largest mean
/// square of what was predicted. Without noise residuals are round-off, whose covariance tells
/// nothing.
Eigen::VectorXd RoundOffVariance(std::span<const ModelResidual> residuals);

/// Returns the declared variance σ² of a sample of each row, or nothing if some row has none.
std::optional<Eigen::VectorXd> DeclaredVariance(const Problem& problem,
                                                std::span<const EquationRows> equations);

/// Returns the covariance of a sample's residuals, rows × rows: SecondMoments() in the training
/// data, or without these the declared variances.
/// @throws EstimationFailure (refused) if there is neither.
Eigen::MatrixXd SampleCovariance(const Problem& problem, std::span<const EquationRows> equations,
                                 std::span<const ModelResidual> training, CovarianceShape shape);

}  // namespace idbench
