#pragma once

#include <cstddef>
#include <map>
#include <optional>
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
  std::string component;           ///< Or kOverall.
  /// Of the metric of a motion: the estimator beside whose metrics it stands; "" without one.
  std::string beside = "";
  std::string row;
  std::string column;
  /// Returns the statistics of another metric, of the same component of the same estimator in the
  /// same cell; nullptr if there are none.
  const SampleStatistics* StatisticsOf(const std::string& name) const;

  bool is_bound = false;  ///< For TableOptions::bound; `estimator` is one whose records hold it.
};

/// Returns the items of all tables that `options` request, in the order of cells, metrics,
/// estimators, components. They point into `summary`. The sides must be known (see CheckTables()).
std::vector<TableItem> SelectItems(const TableOptions& options, const TableVocabulary& vocabulary,
                                   const Summary& summary);

/// Returns the number of independent units of an item's values: of motions, or of trials where all
/// share one.
std::size_t UnitsOf(const TableItem& item);

/// Returns true if no values of so few units could tell estimators apart: two-sided p of a
/// sign-flip test would be above 0.05.
bool AreTooFewToRank(const TableItem& item);

/// Returns why the item's estimator cannot have its metric; nullptr if it has, or gives no reason.
const FailureReasons* WhyAbsent(const TableItem& item);

/// Returns true of a component that no trial has a value of, while others of the metric have: an
/// unknown of other cells, or one whose value is never finite.
bool LacksComponent(const TableItem& item);

/// Numbers of values of items: a mean over fewer than others of the same metric have is not one of
/// the same trials, and not comparable.
class FewerValues {
 public:
  explicit FewerValues(const std::vector<TableItem>& items);

  /// Returns the number of an item's values if others have more and `statistic` leaves failures
  /// out.
  std::optional<std::size_t> Of(const TableItem& item, Statistic statistic) const;

 private:
  std::map<std::string, std::size_t> most_;  ///< By metric.
};

}  // namespace idbench
