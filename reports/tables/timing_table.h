#pragma once

#include <optional>

#include "reports/run/summary.h"
#include "reports/tables/table.h"

namespace idbench {

/// Makes the table of durations: a row per timed estimator with medians and 99 % quantiles of
/// estimates and updates, allocations of an update, and updates that missed their deadline; the
/// largest of each over the cells. Returns nothing if nothing was timed.
std::optional<Table> MakeTimingTable(const Summary& summary);

}  // namespace idbench
