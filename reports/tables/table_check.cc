#include "reports/tables/table_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "reports/run/metric_name.h"
#include "reports/tables/table_items.h"

namespace idbench {
namespace {

std::vector<std::string> AxisNames(const TableVocabulary& vocabulary) {
  std::vector<std::string> names;
  for (const RunAxis& axis : vocabulary.axes) names.push_back(axis.name);
  return names;
}

bool Contains(const std::vector<std::string>& list, const std::string& item) {
  return std::ranges::find(list, item) != list.end();
}

/// Checks one table; afterwards issues() names places relative to it.
class TableChecker {
 public:
  TableChecker(const TableOptions& options, const TableVocabulary& vocabulary)
      : options_(options), vocabulary_(vocabulary) {}

  std::vector<Issue> Check() && {
    selected_ = SelectMetrics(options_, vocabulary_.metrics);
    CheckMetrics();
    CheckEstimators();
    CheckCells();
    const bool rows_known = CheckSide("/rows", options_.rows);
    const bool columns_known = CheckSide("/columns", options_.columns);
    if (rows_known && columns_known) {
      CheckSidesDiffer();
      CheckMetricsHaveSide("/rows", options_.rows);
      CheckMetricsHaveSide("/columns", options_.columns);
      CheckBound();
      if (issues_.empty() && options_.published) CheckPublished();
    }
    return std::move(issues_);
  }

 private:
  void Add(std::string where, std::string what, std::vector<std::string> details) {
    issues_.push_back({std::move(where), std::move(what), std::move(details)});
  }

  void CheckMetrics() {
    std::vector<std::string> known = vocabulary_.absent_metrics;
    for (const RunMetric& metric : vocabulary_.metrics) known.push_back(metric.name);
    const std::vector<std::string> requests = options_.RequestedMetrics();
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const auto present = [&](const RunMetric& metric) {
        return metric.IsRequestedBy(requests[i]);
      };
      const auto absent = [&](const std::string& name) {
        return Requests(requests[i], name) || Requests(name, requests[i]);
      };
      if (std::ranges::any_of(vocabulary_.metrics, present) ||
          std::ranges::any_of(vocabulary_.absent_metrics, absent)) {
        continue;
      }
      Add(options_.metric.empty() ? fmt::format("/metrics/{}", i) : "/metric",
          fmt::format("unknown metric \"{}\"", requests[i]), AcceptedNames(requests[i], known));
    }
    for (const RunMetric& metric : selected_) {
      if (!options_.percent || metric.unit == "1") continue;
      Add("/percent", fmt::format("{} is in {}", metric.name, metric.unit),
          {"percent is for pure numbers: use scale, or leave it out"});
    }
  }

  void CheckEstimators() {
    for (std::size_t i = 0; i < options_.estimators.size(); ++i) {
      const std::string& label = options_.estimators[i];
      if (!vocabulary_.LabelsOf(label).empty()) continue;
      Add(fmt::format("/estimators/{}", i), fmt::format("unknown estimator \"{}\"", label),
          AcceptedNames(label, vocabulary_.EstimatorsAndModels()));
    }
  }

  void CheckCells() {
    for (const auto& [name, value] : options_.where) {
      const auto axis = std::ranges::find(vocabulary_.axes, name, &RunAxis::name);
      if (axis == vocabulary_.axes.end()) {
        Add(PointerTo("/where", name), "unknown axis", AcceptedNames(name, AxisNames(vocabulary_)));
      } else if (!Contains(axis->values, value)) {
        Add(PointerTo("/where", name), fmt::format("the axis has no value \"{}\"", value),
            AcceptedNames(value, axis->values));
      }
    }
    std::size_t n_cells = 1;
    for (const RunAxis& axis : vocabulary_.axes) n_cells *= axis.values.size();
    if (options_.cell && *options_.cell >= static_cast<std::int64_t>(n_cells)) {
      Add("/cell", fmt::format("got {}", *options_.cell),
          {fmt::format("accepted here: 0 to {}, the scenario has {} cell{}", n_cells - 1, n_cells,
                       n_cells == 1 ? "" : "s")});
    }
  }

  bool CheckSide(const std::string& pointer, const TableSide& side) {
    if (IsKnown(side, vocabulary_.axes)) return true;
    std::vector<std::string> accepted;
    for (const auto& [kind, name] : kSideNames) accepted.emplace_back(name);
    for (const RunAxis& axis : vocabulary_.axes) accepted.push_back(axis.name);
    Add(pointer, fmt::format("got \"{}\"", side.name), AcceptedNames(side.name, accepted));
    return false;
  }

  void CheckSidesDiffer() {
    if (options_.rows.ListsSameAs(options_.columns)) {
      Add("/columns", fmt::format("\"{}\" is on the rows already", options_.columns.name),
          {"rows and columns are to differ"});
    }
    const SideKind rows = options_.rows.kind;
    if (options_.change && rows != SideKind::kAxis && rows != SideKind::kCheckpoint) {
      Add("/change",
          fmt::format("\"{}\" on the rows has no order to change along", options_.rows.name),
          {"put an axis of the sweep, or \"checkpoint\", on the rows"});
    }
    const auto of_cells = [](const TableSide& a, const TableSide& b) {
      return a.kind == SideKind::kCell && b.kind == SideKind::kAxis;
    };
    if (of_cells(options_.rows, options_.columns) || of_cells(options_.columns, options_.rows)) {
      Add("/columns", "a cell has a value of that axis already",
          {"beside an axis of the sweep, name another axis instead of \"cell\""});
    }
  }

  void CheckMetricsHaveSide(const std::string& pointer, const TableSide& side) {
    if (side.kind == SideKind::kComponent && !selected_.empty() &&
        ComponentLabels(selected_).empty()) {
      Add(pointer, fmt::format("\"{}\": no metric of this table has components", side.name),
          {"name a metric that has some, or put something else on this side"});
    }
    for (const RunMetric& metric : selected_) {
      if (side.kind == SideKind::kObserver && metric.subject() != MetricSubject::kObserver) {
        Add(pointer, fmt::format("\"{}\": {} is no metric of observers", side.name, metric.name),
            {"name those that are with \"metric\" or \"metrics\""});
      }
      const MetricName parts(metric.name);
      if ((side.kind == SideKind::kExperiment && parts.experiment.empty()) ||
          (side.kind == SideKind::kCheckpoint && parts.checkpoint.empty())) {
        Add(pointer, fmt::format("\"{}\": {} has none", side.name, metric.name),
            {"name the metrics that have one with \"metric\" or \"metrics\""});
      }
    }
  }

  void CheckBound() {
    const std::string& bound = options_.bound;
    if (bound.empty()) return;
    if (!OnSide(SideKind::kEstimator)) {
      Add("/bound", "stands among estimators, which are on neither side",
          {"put \"estimator\" on a side, or leave it out"});
    }
    std::vector<std::string> known = vocabulary_.absent_metrics;
    for (const RunMetric& metric : vocabulary_.metrics) {
      std::string quantity = MetricName(metric.name).quantity;
      if (!Contains(known, quantity)) known.push_back(std::move(quantity));
    }
    if (!Contains(known, bound)) {
      Add("/bound", fmt::format("unknown metric \"{}\"", bound), AcceptedNames(bound, known));
    }
  }

  bool OnSide(const TableSide& side) const {
    return options_.rows.ListsSameAs(side) || options_.columns.ListsSameAs(side);
  }
  bool OnSide(SideKind kind) const {
    return options_.rows.kind == kind || options_.columns.kind == kind;
  }

  /// What `estimator` lists: models of metrics of observers, "motion" for those of motions, else
  /// estimators.
  std::vector<std::string> ShownEstimators() const {
    std::vector<std::string> shown;
    const std::vector<std::string> alone = vocabulary_.EstimatorsAlone();
    const auto& wanted =
        options_.estimators.empty() ? vocabulary_.EstimatorsAndModels() : options_.estimators;
    for (const std::string& label : wanted) {
      const bool any = std::ranges::any_of(selected_, [&](const RunMetric& metric) {
        switch (metric.subject()) {
          case MetricSubject::kEstimator:
            return Contains(alone, label);
          case MetricSubject::kObserver:
            return IsModel(label);
          case MetricSubject::kMotion:
            break;
        }
        return false;
      });
      if (any || selected_.empty()) shown.push_back(label);
    }
    if (OnSide(SideKind::kEstimator) && Selects(MetricSubject::kMotion)) {
      shown.emplace_back(ToString(MetricSubject::kMotion));
    }
    return shown;
  }

  bool Selects(MetricSubject subject) const {
    return std::ranges::find(selected_, subject, &RunMetric::subject) != selected_.end();
  }

  bool IsModel(const std::string& label) const {
    return std::ranges::any_of(vocabulary_.observers, [&](const RunObserver& observer) {
      return Contains(observer.models, label);
    });
  }

  /// The metrics' names without the parts that the sides show, each once.
  std::vector<std::string> MetricLabels() const {
    std::vector<std::string> labels;
    for (const RunMetric& metric : selected_) {
      std::string label = MetricName(metric.name)
                              .Without({.experiment = OnSide(SideKind::kExperiment),
                                        .checkpoint = OnSide(SideKind::kCheckpoint)});
      if (!Contains(labels, label)) labels.push_back(std::move(label));
    }
    return labels;
  }

  /// What is on neither side and differs, so that there would be several tables.
  std::vector<std::string> Leftovers() const {
    std::vector<std::string> leftovers;
    if (!OnSide(SideKind::kEstimator) && ShownEstimators().size() > 1)
      leftovers.emplace_back("estimator");
    if (!OnSide(SideKind::kObserver) && vocabulary_.observers.size() > 1 &&
        Selects(MetricSubject::kObserver)) {
      leftovers.emplace_back("observer");
    }
    if (!OnSide(SideKind::kMetric) && MetricLabels().size() > 1) leftovers.emplace_back("metric");
    for (const RunAxis& axis : vocabulary_.axes) {
      const bool chosen = options_.cell || OnSide(SideKind::kCell) ||
                          std::ranges::count(options_.where, axis.name,
                                             &std::pair<std::string, std::string>::first) > 0;
      if (!chosen && !OnSide(TableSide(axis.name)) && axis.values.size() > 1) {
        leftovers.push_back(axis.name);
      }
    }
    return leftovers;
  }

  /// Labels along a side; nothing for cells, which have no names of their own.
  std::optional<std::vector<std::string>> Labels(const TableSide& side) const {
    switch (side.kind) {
      case SideKind::kComponent: {
        std::vector<std::string> labels = ComponentLabels(selected_);
        if (options_.overall) labels.emplace_back("overall");
        return labels;
      }
      case SideKind::kEstimator: {
        std::vector<std::string> labels = ShownEstimators();
        if (!options_.bound.empty()) labels.emplace_back(kBoundLabel);
        return labels;
      }
      case SideKind::kObserver: {
        std::vector<std::string> labels;
        for (const RunObserver& observer : vocabulary_.observers) labels.push_back(observer.label);
        return labels;
      }
      case SideKind::kMetric:
        return MetricLabels();
      case SideKind::kExperiment:
      case SideKind::kCheckpoint: {
        std::vector<std::string> labels;
        for (const RunMetric& metric : selected_) {
          const MetricName parts(metric.name);
          const std::string& label =
              side.kind == SideKind::kExperiment ? parts.experiment : parts.checkpoint;
          if (!Contains(labels, label)) labels.push_back(label);
        }
        return labels;
      }
      case SideKind::kAxis:
        return std::ranges::find(vocabulary_.axes, side.name, &RunAxis::name)->values;
      case SideKind::kCell:
        break;
    }
    return std::nullopt;
  }

  void CheckPublished() {
    const std::vector<std::string> leftovers = Leftovers();
    if (!leftovers.empty()) {
      Add("/published",
          fmt::format("several tables: {} on neither side", fmt::join(leftovers, " and ")),
          {"published values stand in one table: choose with cell, where, estimators or metric"});
    }
    if (selected_.empty()) return;
    const auto columns = Labels(options_.columns);
    const auto rows = Labels(options_.rows);
    for (const auto& [label, values] : options_.published->columns) {
      const std::string pointer = PointerTo("/published", label);
      if (columns && !Contains(*columns, label)) {
        Add(pointer, "there is no such column", AcceptedNames(label, *columns));
      }
      if (rows && values.size() > rows->size()) {
        Add(pointer, fmt::format("got {} values for {} rows", values.size(), rows->size()),
            {fmt::format("the rows are: {}", fmt::join(*rows, ", "))});
      }
    }
  }

  const TableOptions& options_;
  const TableVocabulary& vocabulary_;
  std::vector<RunMetric> selected_;
  std::vector<Issue> issues_;
};

}  // namespace

std::vector<Issue> CheckTables(const std::vector<TableOptions>& tables,
                               const TableVocabulary& vocabulary, const std::string& pointer) {
  std::vector<Issue> issues;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    for (Issue& issue : TableChecker(tables[i], vocabulary).Check()) {
      issue.where = fmt::format("{}/{}{}", pointer, i, issue.where);
      issues.push_back(std::move(issue));
    }
  }
  return issues;
}

}  // namespace idbench
