#pragma once

#include <string>
#include <vector>

#include "reports/run/summary.h"
#include "reports/tables/table_selection.h"

namespace idbench {

inline constexpr const char* kOverall = "overall";
/// Label of TableOptions::bound among the estimators.
inline constexpr const char* kBoundLabel = "Cramér-Rao bound";

/// One sample of trials and its place: table, row and column.
struct TableItem {
  const CellSummary* cell = nullptr;
  const EstimatorSummary* estimator = nullptr;
  RunMetric metric;
  const MetricSummary* summary = nullptr;        ///< nullptr: no meaning for this estimator.
  const SampleStatistics* statistics = nullptr;  ///< nullptr also if it has no overall value.
  std::vector<std::string> table;  ///< Labels of what is on neither side: metric, estimator, axes …
  std::string row;
  std::string column;
  bool is_bound = false;  ///< For TableOptions::bound; `estimator` is one whose records hold it.
};

/// Returns the items of all tables that `options` request, in the order of cells, metrics,
/// estimators, components. They point into `summary`. The sides must be known (see CheckTables()).
std::vector<TableItem> SelectItems(const TableOptions& options, const TableVocabulary& vocabulary,
                                   const Summary& summary);

}  // namespace idbench
