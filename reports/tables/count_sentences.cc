#include "reports/tables/count_sentences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "reports/files/number_format.h"
#include "reports/run/metric_name.h"

namespace idbench {
namespace {

/// The count of one metric of one estimator in all cells.
struct Count {
  std::string metric;
  std::string estimator;
  std::pair<std::size_t, std::size_t> range;
};

/// The values that share a key, keys in the order of their first.
template <class Key>
class Groups {
 public:
  void Add(const Key& key, std::string value) {
    auto group = std::ranges::find(groups_, key, &Group::first);
    if (group == groups_.end()) group = groups_.insert(groups_.end(), {key, {}});
    group->second.push_back(std::move(value));
  }
  auto begin() const { return groups_.begin(); }
  auto end() const { return groups_.end(); }

 private:
  using Group = std::pair<Key, std::vector<std::string>>;
  std::vector<Group> groups_;
};

bool IsLinearBound(const TableItem& item) {
  return item.metric.law && item.summary->count_range->second == 0;
}

std::vector<Count> CountsOf(const std::vector<TableItem>& items) {
  std::vector<Count> counts;
  for (const TableItem& item : items) {
    if (!item.summary || !item.summary->count_range || IsLinearBound(item)) continue;
    const auto [least, largest] = *item.summary->count_range;
    const auto known = std::ranges::find_if(counts, [&item](const Count& count) {
      return count.metric == item.metric.name && count.estimator == item.estimator->label;
    });
    if (known == counts.end()) {
      counts.push_back({item.metric.name, item.estimator->label, {least, largest}});
    } else {
      known->range = {std::min(known->range.first, least), std::max(known->range.second, largest)};
    }
  }
  return counts;
}

/// The numbers of columns of each metric of motions that has several, as "14, 57".
std::vector<std::pair<std::string, std::string>> UnlikeColumns(
    const std::vector<TableItem>& items) {
  Labelled<std::set<std::size_t>> columns;
  for (const TableItem& item : items) {
    if (!item.metric.of_motion || !item.summary || !item.summary->count_range) continue;
    const std::string quantity = MetricName(item.metric.name).quantity;
    auto known = std::ranges::find(columns, quantity, [](const auto& each) { return each.first; });
    if (known == columns.end()) known = columns.insert(columns.end(), {quantity, {}});
    known->second.insert(item.summary->count_range->first);
    known->second.insert(item.summary->count_range->second);
  }
  std::vector<std::pair<std::string, std::string>> unlike;
  for (const auto& [quantity, numbers] : columns) {
    if (numbers.size() > 1)
      unlike.emplace_back(quantity, fmt::format("{}", fmt::join(numbers, ", ")));
  }
  return unlike;
}

/// The metrics over all unknowns, where cells have different ones, and how many these are.
std::pair<std::vector<std::string>, std::set<std::size_t>> UnlikeUnknowns(
    const std::vector<TableItem>& items) {
  std::pair<std::vector<std::string>, std::set<std::size_t>> unlike;
  const auto is_of_unknowns = [&items](const TableItem& item) {
    return !item.metric.components.empty() &&
           std::ranges::any_of(items, [&item](const TableItem& other) {
             return other.cell->cell.parameters == item.metric.components;
           });
  };
  for (const TableItem& item : items) {
    if (item.component != kOverall || !is_of_unknowns(item)) continue;
    unlike.second.insert(item.cell->cell.parameters.size());
    if (item.cell->cell.parameters == item.metric.components) continue;
    AddOnce(unlike.first, MetricName(item.metric.name).quantity);
  }
  return unlike;
}

}  // namespace

bool CountAlike(const TableItem& a, const TableItem& b) {
  if (!a.metric.of_motion || !a.summary || !b.summary) return true;
  const auto &of_a = a.summary->count_range, &of_b = b.summary->count_range;
  return !of_a || !of_b || (of_a == of_b && of_a->first == of_a->second);
}

std::vector<std::string> CountSentences(const std::vector<TableItem>& items, bool changes) {
  std::vector<std::string> sentences, linear;
  for (const TableItem& item : items) {
    if (!item.summary || !item.summary->count_range || !IsLinearBound(item)) continue;
    if (std::ranges::find(linear, item.metric.name) == linear.end()) {
      linear.push_back(item.metric.name);
    }
  }
  if (!linear.empty()) {
    sentences.push_back(fmt::format(
        "{}: of rounded readings the bound is that of linear estimators; with noise below half a "
        "step more can be known, so less than 1 raises no alarm",
        fmt::join(linear, ", ")));
  }
  using Range = std::pair<std::size_t, std::size_t>;
  Groups<std::pair<std::string, Range>> estimators;
  for (const Count& count : CountsOf(items)) {
    estimators.Add({count.metric, count.range}, count.estimator);
  }
  Groups<std::pair<std::vector<std::string>, Range>> metrics;
  for (const auto& [of, labels] : estimators) metrics.Add({labels, of.second}, of.first);
  for (const auto& [of, names] : metrics) {
    const auto& [labels, range] = of;
    const bool one = labels.size() == 1 && names.size() == 1;
    sentences.push_back(fmt::format("{} of {} count{} over {}", fmt::join(names, ", "),
                                    fmt::join(labels, ", "), one ? "s" : "",
                                    RangeText(range.first, range.second)));
  }
  if (const auto [names, numbers] = UnlikeUnknowns(items); !names.empty()) {
    sentences.push_back(fmt::format("{}: over the unknowns of each cell, which differ ({} of them)",
                                    fmt::join(names, ", "), fmt::join(numbers, " or ")));
  }
  Groups<std::string> unlike;
  for (const auto& [quantity, numbers] : UnlikeColumns(items)) unlike.Add(numbers, quantity);
  for (const auto& [numbers, names] : unlike) {
    sentences.push_back(fmt::format(
        "{}: motions are to show different numbers of parameters, N = {}: values of different N "
        "are not comparable{}",
        fmt::join(names, ", "), numbers, changes ? ", and have no change (–)" : ""));
  }
  return sentences;
}

}  // namespace idbench
