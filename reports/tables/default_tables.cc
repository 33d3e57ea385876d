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
      if (metric.subject() != estimator.subject) return false;
      return std::ranges::find(estimator.absent, metric.name,
                               &std::pair<std::string, FailureReasons>::first) ==
             estimator.absent.end();
    });
  });
}

/// The headline metrics of a subject that some can have.
std::vector<std::string> Headlines(const Summary& summary, const RunManifest& manifest,
                                   MetricSubject subject) {
  std::vector<std::string> headlines;
  if (ListsMetrics(*manifest.scenario)) return headlines;
  for (const RunMetric& metric : manifest.metrics) {
    if (metric.subject() == subject && metric.headline &&
        MetricName(metric.name).checkpoint.empty() && IsHadBySome(metric, summary)) {
      headlines.push_back(metric.name);
    }
  }
  return headlines;
}

/// The failures of estimators, or of what else there is.
std::optional<Table> FailuresOf(MetricSubject subject, const char* each, const TableSide& side,
                                const Summary& summary, const RunManifest& manifest) {
  const char* const what = RecordNoun(subject);
  const auto is_of = [&](std::size_t e) { return manifest.SubjectAt(e) == subject; };
  Table table;
  table.of_metrics = false;
  table.caption = fmt::format("{}: failed {}s", manifest.Title(), what);
  table.row_header = side.name;
  for (std::size_t e = 0; e < manifest.estimators.size(); ++e) {
    if (!is_of(e)) continue;
    table.columns.push_back({manifest.estimators[e], {}, TableColumn::Kind::kCountsFailures});
  }
  bool any = false;
  for (const CellSummary& cell : summary.cells) {
    const bool by_cell = side.kind == SideKind::kCell;
    table.row_labels.push_back(by_cell ? cell.cell.Label() : *cell.cell.Find(side.name));
    for (std::size_t e = 0, column = 0; e < manifest.estimators.size(); ++e) {
      if (!is_of(e)) continue;
      const std::size_t failed = cell.estimators[e].tally.failed;
      any = any || failed > 0;
      table.columns[column++].entries.push_back(
          {fmt::format("{}", failed), static_cast<double>(failed), {}});
    }
  }
  if (!any) return std::nullopt;
  table.notes = {fmt::format("of {} {}s of each {} in each cell", manifest.trials, what, each)};
  return table;
}

}  // namespace

std::vector<TableOptions> DefaultTables(const Summary& summary, const RunManifest& manifest) {
  std::vector<TableOptions> tables;
  const auto cells = SideOfCells(manifest);
  const auto all_of = [&](MetricSubject subject) {
    std::vector<std::string> names;
    for (const RunMetric& metric : manifest.metrics) {
      if (metric.subject() == subject) names.push_back(metric.name);
    }
    return names;
  };
  std::vector<std::string> observed = all_of(MetricSubject::kObserver);
  std::vector<std::string> of_motions = all_of(MetricSubject::kMotion);
  if (observed.size() + of_motions.size() < manifest.metrics.size() || manifest.metrics.empty()) {
    TableOptions& table = tables.emplace_back();
    if (cells) table.rows = *cells;
    table.metrics = Headlines(summary, manifest, MetricSubject::kEstimator);
  }
  if (!observed.empty()) {
    TableOptions& table = tables.emplace_back();
    table.rows = cells.value_or(TableSide("estimator"));
    table.columns = TableSide(cells ? "estimator" : "metric");
    table.metrics = Headlines(summary, manifest, MetricSubject::kObserver);
    if (table.metrics.empty()) table.metrics = std::move(observed);
  }
  if (!of_motions.empty()) {
    TableOptions& table = tables.emplace_back();
    table.rows = cells.value_or(TableSide("experiment"));
    table.columns = TableSide("metric");
    table.metrics = std::move(of_motions);
  }
  return tables;
}

std::vector<Table> FailuresByCell(const Summary& summary, const RunManifest& manifest) {
  const std::optional<TableSide> side = SideOfCells(manifest);
  std::vector<Table> tables;
  if (!side) return tables;
  for (const auto& [subject, each] :
       {std::pair(MetricSubject::kEstimator, "method"),
        std::pair(MetricSubject::kObserver, "observer with each model"),
        std::pair(MetricSubject::kMotion, "experiment")}) {
    auto table = FailuresOf(subject, each, *side, summary, manifest);
    if (table) tables.push_back(*std::move(table));
  }
  return tables;
}

}  // namespace idbench
