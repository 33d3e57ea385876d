#include "reports/tables/table_items.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "reports/run/metric_name.h"
#include "reports/statistics/stage.h"

namespace idbench {
namespace {

class ItemSelector {
 public:
  ItemSelector(const TableOptions& options, const TableVocabulary& vocabulary)
      : options_(options),
        all_metrics_(vocabulary.metrics),
        metrics_(SelectMetrics(options, vocabulary.metrics)),
        estimators_(vocabulary.estimators),
        has_observers_(!vocabulary.observers.empty()) {
    std::vector<std::string> alone = vocabulary.EstimatorsAlone();
    if (!options.estimators.empty()) {
      estimators_.clear();
      for (const std::string& wanted : options.estimators) {
        for (const std::string& label : vocabulary.LabelsOf(wanted)) AddOnce(estimators_, label);
      }
      for (const std::string& motion : MotionsOf(vocabulary.metrics)) {
        AddOnce(estimators_, MotionLabel(motion));
      }
      std::erase_if(alone, [this](const std::string& label) {
        return std::ranges::find(estimators_, label) == estimators_.end();
      });
    }
    const bool of_estimators = std::ranges::find(metrics_, MetricSubject::kEstimator,
                                                 &RunMetric::subject) != metrics_.end();
    beside_motions_ = of_estimators && !OnSide(SideKind::kEstimator) ? std::move(alone)
                                                                     : std::vector<std::string>{""};
  }

  std::vector<TableItem> Select(const Summary& summary) && {
    FindGiven(summary);
    for (const CellSummary& cell : summary.cells) {
      if (Shows(cell.cell)) SelectFrom(cell);
    }
    return std::move(items_);
  }

 private:
  bool OnSide(SideKind kind) const {
    return options_.rows.kind == kind || options_.columns.kind == kind;
  }
  bool OnSide(const TableSide& side) const {
    return options_.rows.ListsSameAs(side) || options_.columns.ListsSameAs(side);
  }

  bool Shows(const RunCell& cell) const {
    if (options_.cell) return cell.index == *options_.cell;
    return std::ranges::all_of(options_.where, [&](const auto& wanted) {
      const std::string* value = cell.Find(wanted.first);
      return value && *value == wanted.second;
    });
  }

  /// Of a force observer nobody expects detections: what it gives with no model it has no place
  /// for.
  void FindGiven(const Summary& summary) {
    for (const CellSummary& cell : summary.cells) {
      for (const EstimatorSummary& estimator : cell.estimators) {
        if (estimator.subject != MetricSubject::kObserver) continue;
        for (const MetricSummary& metric : estimator.metrics) {
          given_.emplace(estimator.observer, metric.name);
        }
        for (const auto& [metric, reasons] : estimator.absent) {
          given_.emplace(estimator.observer, metric);
        }
      }
    }
  }

  bool Has(const EstimatorSummary& estimator, const RunMetric& metric) const {
    if (metric.subject() != estimator.subject) return false;
    switch (metric.subject()) {
      case MetricSubject::kEstimator:
        return true;
      case MetricSubject::kObserver:
        return given_.contains({estimator.observer, metric.name});
      case MetricSubject::kMotion:
        return estimator.experiment == MetricName(metric.name).experiment;
    }
    return false;
  }

  void SelectFrom(const CellSummary& cell) {
    for (const RunMetric& metric : metrics_) {
      for (const std::string& label : estimators_) {
        const auto estimator = std::ranges::find(cell.estimators, label, &EstimatorSummary::label);
        if (!Has(*estimator, metric)) continue;
        TableItem item;
        item.cell = &cell;
        item.estimator = &*estimator;
        item.metric = metric;
        item.summary = estimator->Find(metric.name);
        if (metric.subject() != MetricSubject::kMotion) {
          AddComponents(item);
          continue;
        }
        for (const std::string& beside : beside_motions_) {
          item.beside = beside;
          AddComponents(item);
        }
      }
      if (!options_.bound.empty()) AddBound(cell, metric);
    }
  }

  /// The bound on a metric, from the estimator with the fewest failures.
  void AddBound(const CellSummary& cell, const RunMetric& metric) {
    const std::string suffix = metric.name.substr(MetricName(metric.name).quantity.size());
    const auto bound = std::ranges::find(all_metrics_, options_.bound + suffix, &RunMetric::name);
    if (bound == all_metrics_.end() || cell.estimators.empty()) return;
    TableItem item;
    item.cell = &cell;
    item.is_bound = true;
    item.metric = metric;
    for (const EstimatorSummary& estimator : cell.estimators) {
      const MetricSummary* summary = estimator.Find(bound->name);
      const auto values = [](const MetricSummary* s) {
        return s && s->overall ? s->overall->n : 0;
      };
      if (item.estimator && values(summary) <= values(item.summary)) continue;
      item.estimator = &estimator;
      item.summary = summary;
    }
    const std::size_t first = items_.size();
    AddComponents(item);
    for (std::size_t i = first; i < items_.size(); ++i) items_[i].metric = *bound;
  }

  void AddComponents(const TableItem& item) {
    const bool has_overall = !item.summary || item.summary->overall;
    if (OnSide(SideKind::kComponent)) {
      for (std::size_t i = 0; i < item.metric.components.size(); ++i) {
        const bool has_part = item.summary && i < item.summary->components.size();
        Add(item, item.metric.components[i],
            has_part ? &item.summary->components[i].second : nullptr);
      }
      if (!options_.overall || !has_overall) return;
    }
    Add(item, kOverall, item.summary && has_overall ? &*item.summary->overall : nullptr);
  }

  void Add(TableItem item, const std::string& component, const SampleStatistics* statistics) {
    item.statistics = statistics;
    item.component = component;
    item.row = Label(options_.rows, item, component);
    item.column = Label(options_.columns, item, component);
    item.table = Leftover(item);
    items_.push_back(std::move(item));
  }

  std::string MetricLabel(const TableItem& item) const {
    return MetricName(item.metric.name)
        .Without({.experiment = OnSide(SideKind::kExperiment),
                  .checkpoint = OnSide(SideKind::kCheckpoint)});
  }

  std::string Label(const TableSide& side, const TableItem& item,
                    const std::string& component) const {
    switch (side.kind) {
      case SideKind::kComponent:
        return component;
      case SideKind::kEstimator:
        if (item.is_bound) return kBoundLabel;
        return MethodOf(item);
      case SideKind::kObserver:
        return item.estimator->observer;
      case SideKind::kMetric:
        return MetricLabel(item);
      case SideKind::kExperiment:
        return MetricName(item.metric.name).experiment;
      case SideKind::kCheckpoint:
        return MetricName(item.metric.name).checkpoint;
      case SideKind::kCell:
        return item.cell->cell.Label();
      case SideKind::kAxis:
        return *item.cell->cell.Find(side.name);
    }
    return "";
  }

  /// The estimator, the model of an observer, or beside what a motion stands.
  std::string MethodOf(const TableItem& item) const {
    switch (item.metric.subject()) {
      case MetricSubject::kEstimator:
        break;
      case MetricSubject::kObserver:
        return item.estimator->model;
      case MetricSubject::kMotion:
        return OnSide(SideKind::kEstimator) ? std::string(ToString(MetricSubject::kMotion))
                                            : item.beside;
    }
    return item.estimator->label;
  }

  std::vector<std::string> Leftover(const TableItem& item) const {
    std::vector<std::string> labels;
    if (!OnSide(SideKind::kMetric)) labels.push_back(MetricLabel(item));
    if (!OnSide(SideKind::kEstimator)) {
      labels.push_back(OnSide(SideKind::kObserver) ||
                               item.metric.subject() == MetricSubject::kMotion
                           ? MethodOf(item)
                           : item.estimator->label);
    } else if (has_observers_ && !OnSide(SideKind::kObserver)) {
      labels.push_back(item.estimator->observer);
    }
    if (OnSide(SideKind::kCell)) return labels;
    for (const auto& [axis, value] : item.cell->cell.axes) {
      if (!OnSide(TableSide(axis))) labels.push_back(fmt::format("{} {}", axis, value));
    }
    return labels;
  }

  const TableOptions& options_;
  const std::vector<RunMetric>& all_metrics_;
  std::vector<RunMetric> metrics_;
  std::vector<std::string> estimators_;
  const bool has_observers_;
  /// Estimators beside whose metrics those of motions stand; "" alone where there are none.
  std::vector<std::string> beside_motions_;
  std::set<std::pair<std::string, std::string>> given_;  ///< Observers with what they give.
  std::vector<TableItem> items_;
};

}  // namespace

const SampleStatistics* TableItem::StatisticsOf(const std::string& name) const {
  const MetricSummary* other = estimator->Find(name);
  if (other == nullptr) return nullptr;
  if (component == kOverall) return other->overall ? &*other->overall : nullptr;
  const auto part = std::ranges::find(other->components, component,
                                      &std::pair<std::string, SampleStatistics>::first);
  return part == other->components.end() ? nullptr : &part->second;
}

std::vector<TableItem> SelectItems(const TableOptions& options, const TableVocabulary& vocabulary,
                                   const Summary& summary) {
  return ItemSelector(options, vocabulary).Select(summary);
}

std::size_t UnitsOf(const TableItem& item) {
  return item.cell->motions > 1 ? item.cell->motions : item.estimator->tally.trials;
}

bool AreTooFewToRank(const TableItem& item) {
  constexpr double kLevel = 0.05;
  return UnitsOf(item) < FewestUnits(kLevel / 2);
}

const FailureReasons* WhyAbsent(const TableItem& item) {
  if (item.summary != nullptr) return nullptr;
  const auto& absent = item.estimator->absent;
  const auto found =
      std::ranges::find(absent, item.metric.name, &Labelled<FailureReasons>::value_type::first);
  return found == absent.end() ? nullptr : &found->second;
}

bool LacksComponent(const TableItem& item) {
  return item.component != kOverall && item.statistics != nullptr && item.statistics->n == 0 &&
         item.summary->overall && item.summary->overall->n > 0;
}

FewerValues::FewerValues(const std::vector<TableItem>& items) {
  for (const TableItem& item : items) {
    if (item.statistics == nullptr || item.is_bound) continue;
    std::size_t& most = most_[item.metric.name];
    most = std::max(most, item.statistics->n);
  }
}

std::optional<std::size_t> FewerValues::Of(const TableItem& item, Statistic statistic) const {
  if (item.statistics == nullptr || item.is_bound || item.statistics->n == 0 ||
      InfoOf(statistic).failure != StatisticInfo::Failure::kLeftOut) {
    return std::nullopt;
  }
  const std::size_t n = item.statistics->n;
  return n < most_.at(item.metric.name) ? std::optional(n) : std::nullopt;
}

}  // namespace idbench
