#pragma once

#include <optional>

#include "reports/run/summary.h"
#include "reports/tables/table.h"
#include "reports/tables/table_options.h"

namespace idbench {

/// Returns what a run's tables show if its scenario declares none: the headline metrics that some
/// method can have, or all metrics if the scenario lists some of its own ("all" among them), or if
/// the run has no headline metric.
///
/// Without a sweep: one table, metrics × estimators. With one: a table for each metric, the values
/// of the swept axis, or the cells of several, × estimators.
TableOptions DefaultTable(const Summary& summary, const RunManifest& manifest);

/// Returns the failed estimates of each cell, cells × estimators as in DefaultTable(); nothing
/// without a sweep or without a failure.
std::optional<Table> FailuresByCell(const Summary& summary, const RunManifest& manifest);

}  // namespace idbench
