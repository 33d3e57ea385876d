#pragma once

#include <string>
#include <vector>

#include "reports/table_items.h"

namespace idbench {

/// True if each sample is one trial at most, as of a recording: values are printed as they are,
/// without a word of statistics.
bool AreSingleTrials(const std::vector<TableItem>& items);

/// " [N·m]", " [%]" or "" of a pure number; a scale other than 1 is named: " [0.001 N·m]".
std::string PrintedUnit(const RunMetric& metric, const TableOptions& options);

/// What a reader has to know about one table: metric and statistic, trials and roll-outs, failures
/// and their reasons, metrics that are absent, what was given to the estimators.
///
/// @param items  those of this table alone.
std::vector<std::string> MakeNotes(const TableOptions& options, const RunManifest& manifest,
                                   const std::vector<TableItem>& items);

}  // namespace idbench
