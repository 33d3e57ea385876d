#pragma once

#include <string>
#include <vector>

#include "reports/tables/table_items.h"

namespace idbench {

/// Returns over how many directions, links or samples metrics of a table count: "coverage95, nees
/// of ols, wls count over 43", one sentence for each range and set of estimators, over all cells.
/// Of a ratio to a bound whose count is 0 it says that the bound is that of linear estimators; of
/// motions that are to show different numbers of parameters, that their values are not comparable;
/// of metrics of the unknowns, that cells have different ones.
/// @param changes  the table shows changes, see CountAlike().
std::vector<std::string> CountSentences(const std::vector<TableItem>& items, bool changes = false);

/// Returns false of metrics of motions whose values count over different numbers of columns: such
/// values have no difference that would say something.
bool CountAlike(const TableItem& a, const TableItem& b);

}  // namespace idbench
