#pragma once

#include <string>
#include <vector>

#include "reports/tables/table_items.h"

namespace idbench {

/// Accepted range of χ² over its degrees of freedom, of a mean normalised innovation squared, and
/// of an RMSE over σ: each is 1 if the model and the declared σ hold. It is wider where chance
/// moves the mean over trials by more, by 3.3 of its standard deviations (0.1 %), unless no trial
/// is within a factor of 2 of 1.
inline constexpr double kFitTolerance = 0.1;

/// Returns sentences about the estimators of a table whose residuals, or innovations, do not have
/// the size that the declared σ says: in which direction, by how much, what may be the reason. They
/// judge what the records hold, whether or not the table shows it:
///
///   chi_square over its count, joint_torque_rmse_over_sigma of experiments for identification,
///   nis,
///
/// each in the mean over trials, in every cell of the table. A method that takes no data has no
/// residuals of its own and is left out.
std::vector<std::string> FitSentences(const std::vector<TableItem>& items,
                                      const RunManifest& manifest);

}  // namespace idbench
