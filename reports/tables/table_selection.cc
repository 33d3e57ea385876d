#include "reports/tables/table_selection.h"

#include <algorithm>

#include "reports/run/metric_name.h"

namespace idbench {

TableVocabulary VocabularyOf(const RunManifest& manifest) {
  TableVocabulary vocabulary;
  vocabulary.metrics = manifest.metrics;
  vocabulary.estimators = manifest.estimators;
  for (const auto& [metric, reason] : manifest.absent_metrics) {
    vocabulary.absent_metrics.push_back(metric);
  }
  for (const RunCell& cell : manifest.cells) {
    for (const auto& [name, value] : cell.axes) {
      auto axis = std::ranges::find(vocabulary.axes, name, &RunAxis::name);
      if (axis == vocabulary.axes.end()) {
        axis = vocabulary.axes.insert(axis, {name, {}});
      }
      AddOnce(axis->values, value);
    }
  }
  return vocabulary;
}

const std::vector<std::string>& SideNames() {
  static const std::vector<std::string> kNames = {"joint",     "link",       "component",
                                                  "estimator", "metric",     "experiment",
                                                  "window",    "checkpoint", "cell"};
  return kNames;
}

std::optional<TableSide> FindSide(const std::string& name, const std::vector<RunAxis>& axes) {
  using SideKind = TableSide::Kind;
  if (name == "joint" || name == "link" || name == "component") {
    return TableSide{SideKind::kComponent, ""};
  }
  if (name == "estimator") return TableSide{SideKind::kEstimator, ""};
  if (name == "metric") return TableSide{SideKind::kMetric, ""};
  if (name == "experiment" || name == "window") return TableSide{SideKind::kExperiment, ""};
  if (name == "checkpoint") return TableSide{SideKind::kCheckpoint, ""};
  if (name == "cell") return TableSide{SideKind::kCell, ""};
  if (std::ranges::find(axes, name, &RunAxis::name) == axes.end()) return std::nullopt;
  return TableSide{SideKind::kAxis, name};
}

std::vector<RunMetric> SelectMetrics(const TableOptions& options,
                                     const std::vector<RunMetric>& metrics) {
  const bool along_checkpoints = options.rows == "checkpoint" || options.columns == "checkpoint";
  std::vector<std::string> requests = options.RequestedMetrics();
  if (requests.empty()) requests.emplace_back();
  std::vector<RunMetric> selected, at_end;
  for (const std::string& request : requests) {
    const bool any_time = along_checkpoints || !MetricName(request).checkpoint.empty();
    for (const RunMetric& metric : metrics) {
      if (!request.empty() && !Requests(request, metric.name)) continue;
      if (!MetricName(metric.name).checkpoint.empty()) {
        if (any_time) AddOnce(selected, metric);
      } else {
        AddOnce(along_checkpoints ? at_end : selected, metric);
      }
    }
  }
  return selected.empty() ? at_end : selected;
}

std::vector<std::string> ComponentLabels(const std::vector<RunMetric>& metrics) {
  std::vector<std::string> labels;
  for (const RunMetric& metric : metrics) {
    for (const std::string& label : metric.components) AddOnce(labels, label);
  }
  return labels;
}

}  // namespace idbench
