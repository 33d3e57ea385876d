#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/run_manifest.h"
#include "reports/summary.h"
#include "reports/table_options.h"

namespace idbench {

/// Stands where there is no number to print; a note says why.
inline constexpr const char* kNothing = "–";

/// What stands in one place of a table.
struct TableEntry {
  std::string text;                            ///< As printed; "" where nothing belongs.
  std::optional<double> value;                 ///< Scaled as printed, full precision.
  std::optional<ConfidenceInterval> interval;  ///< Likewise.
  bool best = false;                           ///< Of the estimators beside it, see MakeTables().
};

struct TableColumn {
  std::string header;
  std::vector<TableEntry> entries;  ///< One per row.
  bool published = false;           ///< Printed elsewhere, not measured here.
  bool counts_failures = false;     ///< Its numbers are failed trials.
};

/// A table, ready to be rendered.
struct Table {
  std::string caption;
  std::string row_header;
  std::vector<std::string> row_labels;
  std::vector<TableColumn> columns;
  bool last_row_counts_failures = false;
  std::vector<std::string> notes;  ///< What a reader has to know about the numbers.
};

/// The tables that the entries of a scenario's `tables` ask for: of each one, or one for each
/// combination of what stands on neither side.
///
/// Failures are counted in a column of their own where estimators are the rows, else in a row. With
/// an entry's metrics all absent its table has no columns, and its notes say why.
///
/// Where estimators stand on a side and less of the metric is better (IsError()), the least value
/// of them is the best, and so is one that is printed alike. One with a failed trial never is: its
/// value is of survivors, or may be. Neither is a standard deviation, a variance or a count.
/// @throws ConfigError if an entry contradicts the run, see CheckTables().
std::vector<Table> MakeTables(const Summary& summary, const RunManifest& manifest,
                              const std::vector<TableOptions>& wanted);

/// The tables of the manifest's scenario. If it declares none: one per cell, overall metrics ×
/// estimators. @throws ConfigError as above, and if `tables` is damaged.
std::vector<Table> MakeTables(const Summary& summary, const RunManifest& manifest);

}  // namespace idbench
