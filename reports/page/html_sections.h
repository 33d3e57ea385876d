#pragma once

#include <string>
#include <vector>

#include "reports/run/run_manifest.h"
#include "reports/run/summary.h"
#include "reports/tables/table.h"

namespace idbench {

// Parts of a report's page, as HTML. Text from data is escaped.

/// Returns what a reader must know before the numbers: failures, missing trials and metrics, and
/// what the estimators got. "" if there is nothing.
std::string HtmlMessages(const Summary& summary, const RunManifest& manifest);

/// Returns the size of the run and a description of its scenario.
std::string HtmlOverview(const Summary& summary, const RunManifest& manifest);

/// Returns a table as a figure. Numbers are sorted by their full precision, absent ones come last.
std::string HtmlFigure(const Table& table, std::size_t number);

/// Returns all tables so, numbered from 1, and behind those of metrics the notes that they share,
/// once.
std::string HtmlTables(std::vector<Table> tables);

/// Returns versions, machine, commit, and the expanded scenario with the command that
/// runs it again.
std::string HtmlProvenance(const RunManifest& manifest);

}  // namespace idbench
