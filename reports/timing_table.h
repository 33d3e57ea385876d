#pragma once

#include <optional>

#include "reports/summary.h"
#include "reports/table.h"

namespace idbench {

/// How long estimates and updates take: a row per estimator that was timed, medians and 99 %
/// quantiles, allocations of an update, updates that missed their deadline; of several cells the
/// largest of each. Nothing if nothing was timed.
std::optional<Table> MakeTimingTable(const Summary& summary);

}  // namespace idbench
