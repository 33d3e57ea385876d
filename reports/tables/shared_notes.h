#pragma once

#include <string>
#include <vector>

#include "reports/tables/table.h"

namespace idbench {

/// What stands above the notes that TakeSharedNotes() returns.
inline constexpr const char* kSharedNotesHeading = "Of all tables above:";

/// Takes out of several tables the notes that stand under each, and returns them in their order.
///
/// Tables of no metric (Table::of_metrics) and tables without columns have no say in what is
/// shared; the latter lose what is.
std::vector<std::string> TakeSharedNotes(std::vector<Table>& tables);

}  // namespace idbench
