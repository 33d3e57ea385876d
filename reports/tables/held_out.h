#pragma once

#include <string>
#include <vector>

#include "reports/tables/table_items.h"

namespace idbench {

/// Factor above the error on training data from which a held-out error is told.
inline constexpr double kFarAboveTraining = 3.0;

/// Ratio to the prior's error from which a joint counts as worse than the prior's.
inline constexpr double kWorseThanPrior = 1.05;

/// Returns a sentence for each experiment of validation in a table of joint torques on which the
/// prior alone predicts some joint better than an estimator that was fitted, by more than
/// kWorseThanPrior: an error over all joints, which heavy ones decide, does not show that. Ratios
/// are joint_torque_ratio_to_prior if the records have it, else those of clean or measured RMSE to
/// that of an estimator that is the prior; means over trials, and the largest over cells.
///
/// @param items  those of this table alone.
std::vector<std::string> JointsWorseThanPrior(const RunManifest& manifest,
                                              const std::vector<TableItem>& items);

/// Returns a sentence for each experiment of validation in a table of joint torques on which
/// estimators are wrong by more than kFarAboveTraining times what they are on training data, as
/// relative errors; with what the prior alone has, if its estimator is in the run. Such a model
/// does not carry over, whatever its error on training data: another payload, a wrong robot,
/// columns in another order.
///
/// Of recordings only: of a simulation metrics of the truth tell.
///
/// @param items  those of this table alone.
std::vector<std::string> HeldOutDoubts(const RunManifest& manifest,
                                       const std::vector<TableItem>& items);

}  // namespace idbench
