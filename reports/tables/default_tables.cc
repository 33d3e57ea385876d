#include "reports/tables/default_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

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

/// Whether some method in some cell, or some observer of a metric of those, can have the metric.
bool IsHadBySome(const RunMetric& metric, const Summary& summary) {
  return std::ranges::any_of(summary.cells, [&](const CellSummary& cell) {
    return std::ranges::any_of(cell.estimators, [&](const EstimatorSummary& estimator) {
      if (metric.observed == estimator.observer.empty()) return false;
      return std::ranges::find(estimator.absent, metric.name,
                               &std::pair<std::string, FailureReasons>::first) ==
             estimator.absent.end();
    });
  });
}

/// The headline metrics of estimators, or of observers, that some can have.
std::vector<std::string> Headlines(const Summary& summary, const RunManifest& manifest,
                                   bool observed) {
  std::vector<std::string> headlines;
  if (ListsMetrics(*manifest.scenario)) return headlines;
  for (const RunMetric& metric : manifest.metrics) {
    if (metric.observed == observed && metric.headline &&
        MetricName(metric.name).checkpoint.empty() && IsHadBySome(metric, summary)) {
      headlines.push_back(metric.name);
    }
  }
  return headlines;
}

/// The failures of some of the estimators, `first` to `behind`.
std::optional<Table> FailuresOf(std::size_t first, std::size_t behind, const char* what,
                                const TableSide& side, const Summary& summary,
                                const RunManifest& manifest) {
  Table table;
  table.of_metrics = false;
  table.caption = fmt::format("{}: failed {}s", manifest.Title(), what);
  table.row_header = side.name;
  for (std::size_t e = first; e < behind; ++e) {
    table.columns.push_back({manifest.estimators[e], {}, TableColumn::Kind::kCountsFailures});
  }
  bool any = false;
  for (const CellSummary& cell : summary.cells) {
    const bool by_cell = side.kind == SideKind::kCell;
    table.row_labels.push_back(by_cell ? cell.cell.Label() : *cell.cell.Find(side.name));
    for (std::size_t e = first; e < behind; ++e) {
      const std::size_t failed = cell.estimators[e].tally.failed;
      any = any || failed > 0;
      table.columns[e - first].entries.push_back(
          {fmt::format("{}", failed), static_cast<double>(failed), {}});
    }
  }
  if (!any) return std::nullopt;
  table.notes = {fmt::format("of {} {}s of each {} in each cell", manifest.trials, what,
                             first == 0 ? "method" : "observer with each model")};
  return table;
}

}  // namespace

std::vector<TableOptions> DefaultTables(const Summary& summary, const RunManifest& manifest) {
  std::vector<TableOptions> tables;
  const auto cells = SideOfCells(manifest);
  std::vector<std::string> observed;
  for (const RunMetric& metric : manifest.metrics) {
    if (metric.observed) observed.push_back(metric.name);
  }
  if (observed.empty() || observed.size() < manifest.metrics.size()) {
    TableOptions& table = tables.emplace_back();
    if (cells) table.rows = *cells;
    table.metrics = Headlines(summary, manifest, false);
  }
  if (observed.empty()) return tables;
  TableOptions& table = tables.emplace_back();
  table.rows = cells.value_or(TableSide("estimator"));
  table.columns = TableSide(cells ? "estimator" : "metric");
  table.metrics = Headlines(summary, manifest, true);
  if (table.metrics.empty()) table.metrics = std::move(observed);
  return tables;
}

std::vector<Table> FailuresByCell(const Summary& summary, const RunManifest& manifest) {
  const std::optional<TableSide> side = SideOfCells(manifest);
  std::vector<Table> tables;
  if (!side) return tables;
  const std::size_t estimators = manifest.EstimatorCount();
  const auto add = [&](std::size_t first, std::size_t behind, const char* what) {
    auto table = FailuresOf(first, behind, what, *side, summary, manifest);
    if (table) tables.push_back(*std::move(table));
  };
  add(0, estimators, "estimate");
  add(estimators, manifest.estimators.size(), "observation");
  return tables;
}

}  // namespace idbench
