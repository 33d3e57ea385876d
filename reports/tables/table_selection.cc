#include "reports/tables/table_selection.h"

#include <algorithm>

#include "reports/run/metric_name.h"

namespace idbench {
namespace {

/// Of what some metric is: estimators, else observers, else motions.
MetricSubject FirstSubject(const std::vector<RunMetric>& metrics) {
  const auto first = std::ranges::min_element(metrics, {}, &RunMetric::subject);
  return first == metrics.end() ? MetricSubject::kEstimator : first->subject();
}

}  // namespace

TableVocabulary VocabularyOf(const RunManifest& manifest) {
  TableVocabulary vocabulary;
  vocabulary.metrics = manifest.metrics;
  vocabulary.estimators = manifest.estimators;
  vocabulary.observers = manifest.observers;
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

std::vector<std::string> TableVocabulary::LabelsOf(const std::string& label) const {
  std::vector<std::string> labels;
  for (const std::string& motion : MotionsOf(metrics)) {
    if (label == MotionLabel(motion)) return labels;  // no estimator's
  }
  if (std::ranges::find(estimators, label) != estimators.end()) labels.push_back(label);
  for (const RunObserver& observer : observers) {
    if (std::ranges::find(observer.models, label) == observer.models.end()) continue;
    labels.push_back(ObservationLabel(observer.label, label));
  }
  return labels;
}

std::vector<std::string> TableVocabulary::EstimatorsAlone() const {
  std::vector<std::string> alone = estimators;
  for (const RunObserver& observer : observers) {
    for (const std::string& model : observer.models) {
      std::erase(alone, ObservationLabel(observer.label, model));
    }
  }
  for (const std::string& motion : MotionsOf(metrics)) std::erase(alone, MotionLabel(motion));
  return alone;
}

std::vector<std::string> TableVocabulary::EstimatorsAndModels() const {
  std::vector<std::string> labels = EstimatorsAlone();
  for (const RunObserver& observer : observers) {
    for (const std::string& model : observer.models) AddOnce(labels, model);
  }
  return labels;
}

bool IsKnown(const TableSide& side, const std::vector<RunAxis>& axes) {
  return side.kind != SideKind::kAxis ||
         std::ranges::find(axes, side.name, &RunAxis::name) != axes.end();
}

std::vector<RunMetric> SelectMetrics(const TableOptions& options,
                                     const std::vector<RunMetric>& metrics) {
  const bool along_checkpoints =
      options.rows.kind == SideKind::kCheckpoint || options.columns.kind == SideKind::kCheckpoint;
  std::vector<std::string> requests = options.RequestedMetrics();
  if (requests.empty()) requests.emplace_back();
  const bool lists_observers =
      options.rows.kind == SideKind::kObserver || options.columns.kind == SideKind::kObserver;
  const MetricSubject usual = lists_observers ? MetricSubject::kObserver : FirstSubject(metrics);
  std::vector<RunMetric> selected, at_end;
  for (const std::string& request : requests) {
    const bool any_time = along_checkpoints || !MetricName(request).checkpoint.empty();
    for (const RunMetric& metric : metrics) {
      const bool wanted =
          request.empty() ? metric.subject() == usual : metric.IsRequestedBy(request);
      if (!wanted) continue;
      if (!MetricName(metric.name).checkpoint.empty()) {
        if (any_time) AddOnce(selected, metric);
      } else {
        AddOnce(along_checkpoints ? at_end : selected, metric);
      }
    }
  }
  return selected.empty() ? at_end : selected;
}

std::optional<TableOptions> AlongCheckpoints(const std::vector<TableOptions>& tables,
                                             const std::vector<RunMetric>& metrics) {
  TableOptions along{.caption = "Over the time that was recorded",
                     .rows = TableSide("checkpoint"),
                     .columns = TableSide("estimator")};
  for (const TableOptions& table : tables) {
    if (table.rows.kind == SideKind::kCheckpoint || table.columns.kind == SideKind::kCheckpoint) {
      return std::nullopt;
    }
    std::vector<std::string> requests = table.RequestedMetrics();
    if (requests.empty()) requests.emplace_back();
    for (const std::string& request : requests) {
      if (!MetricName(request).checkpoint.empty()) return std::nullopt;
      for (const RunMetric& metric : metrics) {
        const MetricName name(metric.name);
        if (name.checkpoint.empty()) continue;
        const std::string timeless = name.Without({.checkpoint = true});
        if (request.empty() || Requests(request, timeless)) AddOnce(along.metrics, timeless);
      }
    }
  }
  if (along.metrics.empty()) return std::nullopt;
  return along;
}

std::vector<std::string> ComponentLabels(const std::vector<RunMetric>& metrics) {
  std::vector<std::string> labels;
  for (const RunMetric& metric : metrics) {
    for (const std::string& label : metric.components) AddOnce(labels, label);
  }
  return labels;
}

}  // namespace idbench
