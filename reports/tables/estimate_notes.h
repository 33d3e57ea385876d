#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/tables/table_items.h"

namespace idbench {

/// Returns a sentence for each thing that estimates of a table note about their own health: that
/// the prior predicts the training data better, of which unknowns the data contradict it, what
/// their σ is, what their residuals follow, why innovations tell nothing, a sum of squares that is
/// too large, a solver of last resort. It says how many estimates of which estimators, over all
/// cells of the table, and what the first of them adds.
std::vector<std::string> EstimateNoteSentences(const std::vector<TableItem>& items);

/// Returns those of the notes of one estimate that are about its health, as sentences.
std::vector<std::string> HealthNotes(const std::map<std::string, std::string>& notes);

}  // namespace idbench
