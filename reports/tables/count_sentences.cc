#include "reports/tables/count_sentences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "reports/files/number_format.h"

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

}  // namespace

std::vector<std::string> CountSentences(const std::vector<TableItem>& items) {
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
  return sentences;
}

}  // namespace idbench
