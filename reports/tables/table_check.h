#pragma once

#include <string>
#include <vector>

#include "reports/tables/table_selection.h"

namespace idbench {

/// Returns everything in a scenario's tables that contradicts the scenario: an unknown metric,
/// axis, value or estimator, two sides that are the same, a metric without the components that a
/// side needs, published values for a column that does not exist.
///
/// @param pointer  place of the list of tables, the beginning of each issue's `where`.
std::vector<Issue> CheckTables(const std::vector<TableOptions>& tables,
                               const TableVocabulary& vocabulary,
                               const std::string& pointer = "/tables");

}  // namespace idbench
