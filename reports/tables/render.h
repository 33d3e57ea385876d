#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "reports/run/summary.h"
#include "reports/tables/table.h"

namespace idbench {

/// Returns the number of columns that a UTF-8 text takes in a terminal: 1 per character, 0 for
/// combining marks, 2 for East Asian wide characters and for emoji.
std::size_t DisplayWidth(std::string_view text);

/// Returns a heading, a table with pipes (GitHub's Markdown, aligned in a terminal too), and
/// notes as a list.
std::string RenderMarkdown(const Table& table);

/// Returns all tables so, a blank line before each, and behind those of metrics the notes that they
/// share, once.
std::string RenderMarkdown(std::vector<Table> tables);

/// Returns the table's numbers in full precision as CSV of RFC 4180 (UTF-8, lines end with CR LF).
/// A column with intervals is followed by two with their ends, "… 2.5 %" and "… 97.5 %".
std::string RenderCsv(const Table& table);

/// Returns all statistics of a run as CSV in long form: one line per cell, estimator, metric
/// and component.
///
/// Columns: one per sweep axis, observer ("" of estimators; if the run has some), then estimator
/// (of observers: the model), metric, component ("" for the overall value), unit, n, failed, mean,
/// sd, median, q05, q95, lo, hi (95 % interval of the mean). Full precision; absent values are
/// empty.
std::string RenderStatisticsCsv(const Summary& summary);

}  // namespace idbench
