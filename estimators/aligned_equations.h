#pragma once

#include <string_view>
#include <vector>

#include "estimators/problem.h"

namespace idbench {

/// A dataset's q, q̇, q̈ and, as channels 3, 4 …, the measured sides of `equations`, on one time
/// vector and with the right numbers of columns. Their samples may still not be finite.
/// @throws EstimationFailure (refused) for channels that are missing, not sampled together, or of a
///         wrong size; for a sample near a singular configuration, where the wrench at the end
///         effector is asked for.
AlignedView AlignEquations(const Problem& problem, const Dataset& dataset,
                           const std::vector<Equation>& equations);

/// Refuses a sample that is not finite, `row` of channel `channel` in a view of `dataset`.
/// @throws EstimationFailure (refused) telling where it stands.
void CheckFinite(const Dataset& dataset, const AlignedView& view, std::size_t channel,
                 Eigen::Index row);

}  // namespace idbench
