#pragma once

#include <vector>

#include "reports/run/summary.h"
#include "reports/tables/table.h"
#include "reports/tables/table_options.h"

namespace idbench {

/// Returns what a run's tables show if its scenario declares none: the headline metrics that some
/// method can have, or all metrics if the scenario lists some of its own ("all" among them), or if
/// the run has no headline metric. Those of estimators are in a table, those of observers in a
/// second one, if the run has such metrics.
///
/// Without a sweep: metrics × estimators, and models of each observer × metrics. With one: a table
/// for each metric, the values of the swept axis, or the cells of several, × estimators, or models
/// of each observer.
std::vector<TableOptions> DefaultTables(const Summary& summary, const RunManifest& manifest);

/// Returns the failed estimates of each cell, cells × estimators as in DefaultTables(), and those
/// of observers with each of their models; nothing without a sweep or without a failure.
std::vector<Table> FailuresByCell(const Summary& summary, const RunManifest& manifest);

}  // namespace idbench
