#include "reports/tables/default_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/run/metric_name.h"
#include "reports/tables/table_selection.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// The side that tells the cells of a sweep apart; nothing without one.
std::optional<TableSide> SideOfCells(const RunManifest& manifest) {
  std::vector<std::string> swept;
  for (const RunAxis& axis : VocabularyOf(manifest).axes) {
    if (axis.values.size() > 1) swept.push_back(axis.name);
  }
  if (swept.empty()) return std::nullopt;
  return TableSide(swept.size() == 1 ? swept.front() : "cell");
}

/// Whether the scenario lists metrics, so that all are to be shown.
bool ListsMetrics(const Json& scenario) {
  const auto metrics = scenario.find("metrics");
  return metrics != scenario.end() && !metrics->empty();
}

/// Whether some method in some cell can have the metric.
bool IsHadBySome(const std::string& metric, const Summary& summary) {
  return std::ranges::any_of(summary.cells, [&](const CellSummary& cell) {
    return std::ranges::any_of(cell.estimators, [&](const EstimatorSummary& estimator) {
      return std::ranges::find(estimator.absent, metric,
                               &std::pair<std::string, FailureReasons>::first) ==
             estimator.absent.end();
    });
  });
}

}  // namespace

TableOptions DefaultTable(const Summary& summary, const RunManifest& manifest) {
  TableOptions table;
  if (const auto cells = SideOfCells(manifest)) table.rows = *cells;
  if (ListsMetrics(*manifest.scenario)) return table;
  for (const RunMetric& metric : manifest.metrics) {
    if (metric.headline && MetricName(metric.name).checkpoint.empty() &&
        IsHadBySome(metric.name, summary)) {
      table.metrics.push_back(metric.name);
    }
  }
  return table;
}

std::optional<Table> FailuresByCell(const Summary& summary, const RunManifest& manifest) {
  const std::optional<TableSide> side = SideOfCells(manifest);
  if (!side) return std::nullopt;
  Table table;
  table.of_metrics = false;
  table.caption = fmt::format("{}: failed estimates", manifest.Title());
  table.row_header = side->name;
  for (const std::string& label : manifest.estimators) {
    table.columns.push_back({label, {}, TableColumn::Kind::kCountsFailures});
  }
  bool any = false;
  for (const CellSummary& cell : summary.cells) {
    const bool by_cell = side->kind == SideKind::kCell;
    table.row_labels.push_back(by_cell ? cell.cell.Label() : *cell.cell.Find(side->name));
    for (std::size_t e = 0; e < cell.estimators.size(); ++e) {
      const std::size_t failed = cell.estimators[e].tally.failed;
      any = any || failed > 0;
      table.columns[e].entries.push_back(
          {fmt::format("{}", failed), static_cast<double>(failed), {}});
    }
  }
  if (!any) return std::nullopt;
  table.notes = {fmt::format("of {} estimates of each method in each cell", manifest.trials)};
  return table;
}

}  // namespace idbench
