#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/run/run_manifest.h"
#include "reports/run/summary.h"
#include "reports/tables/table_options.h"

namespace idbench {

/// Text in place of a number that does not exist; a note says why.
inline constexpr const char* kEmptyEntry = "–";

/// Entry of a table.
struct TableEntry {
  /// As printed, "0.31 [0.2, 0.4]"; "" if there is nothing to print.
  std::string text;
  std::optional<double> value;                 ///< Scaled as printed, in full precision.
  std::optional<ConfidenceInterval> interval;  ///< Scaled as printed.
  bool best = false;  ///< Best among the estimators beside it, see MakeTables().
  /// Number of values, where others of the same metric have more: see FewerValues.
  std::optional<std::size_t> fewer = std::nullopt;

  /// Returns " (of 6)", what an entry of fewer values is marked with; "" of others.
  std::string FewerText() const;
};

struct TableColumn {
  enum class Kind {
    kMeasured,
    kPublished,       ///< Printed elsewhere, not measured here.
    kCountsFailures,  ///< Its numbers count failed estimates.
  };
  std::string header;
  std::vector<TableEntry> entries;  ///< One per row.
  Kind kind = Kind::kMeasured;
};

/// Table, ready to be rendered.
struct Table {
  std::string caption;
  std::string row_header;
  std::vector<std::string> row_labels;
  std::vector<TableColumn> columns;
  bool last_row_counts_failures = false;
  bool of_metrics = true;          ///< Not of durations, nor of failed estimates alone.
  std::vector<std::string> notes;  ///< What a reader must know about the numbers.
};

/// Makes the tables that the entries of a scenario's `tables` request: one per entry, or one per
/// combination of what is on neither side.
///
/// Failed estimates are counted, each once, in a separate column if estimators are the rows, else
/// in a row; a metric that an estimate lacks is told in a note. If all metrics of an entry are
/// absent, its table has no columns, and its notes say why.
///
/// If estimators are on a side and less of the metric is better, the least of their
/// values is the best, and so is each that prints alike. An estimator with a failed trial is never
/// the best, because its value may be that of survivors only; the number of its values stands
/// beside it. Nor is one that a metric in RunMetric::ranks_with does not rank best, too, one of a
/// metric that other body frames may rank otherwise (RunMetric::RanksBy()), one of too few trials
/// or motions (AreTooFewToRank()), a standard deviation, a variance or a count.
/// @throws ConfigError if an entry contradicts the run, see CheckTables().
std::vector<Table> MakeTables(const Summary& summary, const RunManifest& manifest,
                              const std::vector<TableOptions>& wanted);

/// Makes the tables of the manifest's scenario. If it declares none: those of DefaultTables(), with
/// a note on where all other metrics are, and FailuresByCell().
/// @throws ConfigError as above, and if `tables` is damaged.
std::vector<Table> MakeTables(const Summary& summary, const RunManifest& manifest);

}  // namespace idbench
