#pragma once

#include <string>
#include <vector>

#include "reports/tables/table_items.h"

namespace idbench {

/// Mark before an interval that may hold the mean less often than it says; a note says why.
inline constexpr const char* kApproximate = "≈";

/// Returns true if each sample is one trial at most, as for a recording: values are then printed
/// without mention of statistics.
bool AreSingleTrials(const std::vector<TableItem>& items);

/// Returns " [N·m]", " [%]" or "" for a pure number; includes a scale other than 1: " [0.001 N·m]".
std::string PrintedUnit(const RunMetric& metric, const TableOptions& options);

/// Returns what a reader must know about one table: metric and statistic, trials and roll-outs,
/// failures and their reasons, absent metrics, what the estimators got.
///
/// @param items  those of this table alone.
std::vector<std::string> MakeNotes(const TableOptions& options, const RunManifest& manifest,
                                   const std::vector<TableItem>& items);

}  // namespace idbench
