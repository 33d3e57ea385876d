#pragma once

#include <string>
#include <vector>

#include "reports/run_manifest.h"
#include "reports/summary.h"
#include "reports/table.h"

namespace idbench {

// The parts of a report's page, as HTML. What comes from data is escaped.

/// What a reader must know before the numbers: failures, missing trials and metrics, what was given
/// to the estimators. "" if there is nothing to tell.
std::string HtmlMessages(const Summary& summary, const RunManifest& manifest);

/// The size of the run, and what its scenario is.
std::string HtmlOverview(const Summary& summary, const RunManifest& manifest);

/// A table as a figure. Numbers are sorted by their full precision, what is absent comes last.
std::string HtmlFigure(const Table& table, std::size_t number);

/// Versions, machine, commit, and the expanded scenario with the command that runs it again.
std::string HtmlProvenance(const RunManifest& manifest);

}  // namespace idbench
