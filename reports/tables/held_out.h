#pragma once

#include <string>
#include <vector>

#include "reports/tables/table_items.h"

namespace idbench {

/// Factor above the error on training data from which a held-out error is told.
inline constexpr double kFarAboveTraining = 3.0;

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
