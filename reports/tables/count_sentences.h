#pragma once

#include <string>
#include <vector>

#include "reports/tables/table_items.h"

namespace idbench {

/// Returns over how many directions, links or samples metrics of a table count: "coverage95, nees
/// of ols, wls count over 43", one sentence for each range and set of estimators, over all cells.
/// Of a ratio to a bound whose count is 0 it says that the bound is that of linear estimators.
std::vector<std::string> CountSentences(const std::vector<TableItem>& items);

}  // namespace idbench
