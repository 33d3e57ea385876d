#include "reports/tables/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "reports/files/number_format.h"
#include "reports/tables/count_sentences.h"
#include "reports/tables/default_tables.h"
#include "reports/tables/table_check.h"
#include "reports/tables/table_items.h"
#include "reports/tables/table_notes.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr const char* kFailures = "failed";
constexpr const char* kManifest = "manifest.json";
constexpr const char* kPointer = "/scenario/tables";

/// Builds one table from its items.
class TableBuilder {
 public:
  TableBuilder(const TableOptions& options, const std::vector<TableItem>& items)
      : options_(options), items_(items), single_trials_(AreSingleTrials(items)) {
    for (const TableItem& item : items) {
      AddOnce(rows_, item.row);
      AddOnce(columns_, item.column);
    }
  }

  Table Build() && {
    if (items_.empty()) return std::move(table_);
    const bool lists_models = options_.rows.kind == SideKind::kEstimator &&
                              items_.front().metric.subject() == MetricSubject::kObserver;
    table_.row_header = lists_models ? "model" : options_.rows.name;
    for (const std::string& row : rows_) table_.row_labels.push_back(Printed(row, true));
    for (const std::string& column : columns_) {
      TableColumn ours{Printed(column, false), {}};
      for (const std::string& row : rows_) ours.entries.push_back(Entry(Find(row, column)));
      if (options_.change) ToChanges(column, ours.entries);
      table_.columns.push_back(std::move(ours));
    }
    if (options_.rows.kind == SideKind::kMetric) {
      PrintAlongRows();
    } else {
      PrintAlongColumns();
    }
    MarkFewer();
    MarkBest();
    CountFailures();
    InsertPublished();
    return std::move(table_);
  }

 private:
  const TableItem* Find(const std::string& row, const std::string& column) const {
    const auto found = std::ranges::find_if(
        items_, [&](const TableItem& item) { return item.row == row && item.column == column; });
    return found == items_.end() ? nullptr : &*found;
  }

  /// A label with what a reader needs beside it: the unit of a metric, the name of an axis.
  std::string Printed(const std::string& label, bool is_row) const {
    const TableSide& side = is_row ? options_.rows : options_.columns;
    const auto here =
        std::ranges::find(items_, label, is_row ? &TableItem::row : &TableItem::column);
    if (side.kind == SideKind::kMetric) return label + PrintedUnit(here->metric, options_);
    const bool is_axis = side.kind == SideKind::kAxis;
    return is_axis && !is_row ? fmt::format("{} {}", side.name, label) : label;
  }

  bool CountsFailures() const { return options_.statistic == Statistic::kFailedTrials; }

  /// What a statistic is multiplied by where it is printed.
  double Scale() const {
    const double scale = options_.percent ? 100.0 : options_.scale;
    switch (InfoOf(options_.statistic).unit) {
      case StatisticInfo::Unit::kMetric:
        return scale;
      case StatisticInfo::Unit::kSquare:
        return scale * scale;
      case StatisticInfo::Unit::kCount:
        break;
    }
    return 1.0;
  }

  /// The numbers of an entry; its text where there is no number.
  TableEntry Entry(const TableItem* item) const {
    TableEntry entry;
    if (!item) return entry;
    const SampleStatistics* statistics = item->statistics;
    if (!statistics) {
      entry.text = kEmptyEntry;
    } else if (statistics->n + statistics->failed == 0) {
      entry.text = "not run";
    } else if (CountsFailures() && item->is_bound) {
      return entry;  // It has no failures of its own.
    } else if (LacksComponent(*item)) {
      entry.text = kEmptyEntry;
    } else if (statistics->n == 0 && !CountsFailures()) {
      entry.text = kFailures;
    } else {
      const bool is_mean = (single_trials_ && !CountsFailures()) || item->is_bound;
      const Statistic shown = is_mean ? Statistic::kMean : options_.statistic;
      entry.value = ValueOf(*statistics, shown);
      if (!entry.value) entry.text = kEmptyEntry;
      if (entry.value) *entry.value *= Scale();
      const auto interval = IntervalOf(*statistics, shown);
      if (entry.value && interval && !item->is_bound) {
        entry.interval = {interval->lower * Scale(), interval->upper * Scale(),
                          interval->approximate};
      }
    }
    return entry;
  }

  /// Leaves of each number what it differs from the one above.
  void ToChanges(const std::string& column, std::vector<TableEntry>& entries) const {
    for (std::size_t k = entries.size(); k-- > 0;) {
      TableEntry& entry = entries[k];
      entry.interval.reset();
      if (!entry.value) continue;
      if (k > 0 && entries[k - 1].value &&
          CountAlike(*Find(rows_[k - 1], column), *Find(rows_[k], column))) {
        *entry.value -= *entries[k - 1].value;
      } else {
        entry.value.reset();
        entry.text = kEmptyEntry;
      }
    }
  }

  void PrintAlongColumns() {
    for (TableColumn& column : table_.columns) {
      std::vector<TableEntry*> entries;
      for (TableEntry& entry : column.entries) entries.push_back(&entry);
      PrintAlike(entries);
    }
  }

  void PrintAlongRows() {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      std::vector<TableEntry*> entries;
      for (TableColumn& column : table_.columns) entries.push_back(&column.entries[row]);
      PrintAlike(entries);
    }
  }

  void PrintAlike(const std::vector<TableEntry*>& entries) const {
    std::vector<double> values;
    for (const TableEntry* entry : entries) {
      if (entry->value) values.push_back(*entry->value);
    }
    const NumberFormat format = ChooseFormat(values, static_cast<int>(options_.digits));
    for (TableEntry* entry : entries) {
      if (!entry->value) continue;
      if (CountsFailures()) {
        entry->text = fmt::format("{:.0f}", *entry->value);
        continue;
      }
      entry->text = format.Print(*entry->value);
      if (const auto& interval = entry->interval) {
        entry->text += fmt::format(" {}[{}, {}]", interval->approximate ? kApproximate : "",
                                   format.Print(interval->lower), format.Print(interval->upper));
      }
    }
  }

  void MarkFewer() {
    if (single_trials_) return;
    const FewerValues fewer(items_);
    for (const TableItem& item : items_) {
      TableEntry& entry = *Place(item.row, item.column).second;
      if (entry.value) entry.fewer = fewer.Of(item, options_.statistic);
    }
  }

  void MarkBest() {
    if (options_.change || !InfoOf(options_.statistic).ranks) return;
    for (const SideKind rivals : {SideKind::kEstimator, SideKind::kObserver}) {
      if (options_.columns.kind == rivals) {
        for (const std::string& row : rows_)
          MarkBest(columns_, [&](auto& c) { return Place(row, c); });
        return;
      }
      if (options_.rows.kind == rivals) {
        for (const std::string& column : columns_) {
          MarkBest(rows_, [&](auto& row) { return Place(row, column); });
        }
        return;
      }
    }
  }

  /// The item of a place and its entry in the table.
  std::pair<const TableItem*, TableEntry*> Place(const std::string& row,
                                                 const std::string& column) {
    const auto at = [](const std::vector<std::string>& list, const std::string& label) {
      return static_cast<std::size_t>(std::ranges::find(list, label) - list.begin());
    };
    return {Find(row, column), &table_.columns[at(columns_, column)].entries[at(rows_, row)]};
  }

  /// The numbers of another metric at the items' places, scaled; nothing if one has none.
  std::vector<double> ValuesOf(const std::string& metric,
                               const std::vector<const TableItem*>& items) const {
    std::vector<double> values;
    for (const TableItem* item : items) {
      const SampleStatistics* statistics = item->StatisticsOf(metric);
      const Statistic shown = single_trials_ ? Statistic::kMean : options_.statistic;
      const auto value = statistics ? ValueOf(*statistics, shown) : std::nullopt;
      if (!value || statistics->failed > 0) return {};
      values.push_back(*value * Scale());
    }
    return values;
  }

  /// Which of the items are the best by another metric, as it would print.
  std::vector<bool> BestBy(const std::string& metric, Better better,
                           const std::vector<const TableItem*>& items) const {
    std::vector<bool> best(items.size(), false);
    const std::vector<double> values = ValuesOf(metric, items);
    if (values.empty()) return best;
    const NumberFormat format = ChooseFormat(values, static_cast<int>(options_.digits));
    const auto [least, greatest] = std::ranges::minmax_element(values);
    const std::string printed = format.Print(better == Better::kLower ? *least : *greatest);
    for (std::size_t k = 0; k < values.size(); ++k) best[k] = format.Print(values[k]) == printed;
    return best;
  }

  /// Marks none where all rivals print the same, and none that metrics beside it do not agree on.
  void MarkBest(const std::vector<std::string>& estimators, const auto& place) {
    std::vector<TableEntry*> rivals;
    std::vector<const TableItem*> items;
    std::optional<Better> better;
    const bool ranks_models =
        options_.rows.kind == SideKind::kEstimator || options_.columns.kind == SideKind::kEstimator;
    for (const std::string& estimator : estimators) {
      const auto [item, entry] = place(estimator);
      if (!entry->value || item->statistics->failed > 0 || entry->fewer) continue;
      if (AreTooFewToRank(*item)) continue;
      if (ranks_models && item->estimator->model == kTruthModel) continue;
      const std::optional<Better> ranks_by = item->metric.RanksBy();
      if (!ranks_by) continue;
      better = ranks_by;
      rivals.push_back(entry);
      items.push_back(item);
    }
    if (rivals.size() < 2) return;
    const auto printed = [](const TableEntry* entry) {
      return entry->text.substr(0, entry->text.find(' '));
    };
    const auto [least, greatest] = std::ranges::minmax_element(
        rivals, {}, [](const TableEntry* entry) { return *entry->value; });
    if (printed(*least) == printed(*greatest)) return;
    const std::string best = printed(better == Better::kLower ? *least : *greatest);
    for (TableEntry* entry : rivals) entry->best = printed(entry) == best;
    for (const std::string& metric : items.front()->metric.ranks_with) {
      const std::vector<bool> agrees = BestBy(metric, *better, items);
      for (std::size_t k = 0; k < rivals.size(); ++k) {
        rivals[k]->best = rivals[k]->best && agrees[k];
      }
    }
  }

  /// Failed estimates, each once, of the items that `belongs` selects; "" of a bound's alone.
  std::string FailedEstimates(const auto& belongs) const {
    std::set<const EstimatorSummary*> counted;
    std::size_t failed = 0;
    for (const TableItem& item : items_) {
      if (item.is_bound || !belongs(item) || !counted.insert(item.estimator).second) continue;
      failed += item.estimator->tally.failed;
    }
    return counted.empty() ? "" : fmt::format("{}", failed);
  }

  void CountFailures() {
    const bool any = std::ranges::any_of(
        items_, [](const TableItem& item) { return item.estimator->tally.failed > 0; });
    if (!any || single_trials_ || CountsFailures()) return;
    if (options_.rows.kind == SideKind::kEstimator) {
      TableColumn failed{kFailures, {}, TableColumn::Kind::kCountsFailures};
      for (const std::string& row : rows_) {
        const auto in_row = [&](const TableItem& item) { return item.row == row; };
        failed.entries.push_back({FailedEstimates(in_row), {}, {}});
      }
      table_.columns.push_back(std::move(failed));
      return;
    }
    table_.row_labels.emplace_back(kFailures);
    table_.last_row_counts_failures = true;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const auto in_column = [&](const TableItem& item) { return item.column == columns_[i]; };
      table_.columns[i].entries.push_back({FailedEstimates(in_column), {}, {}});
    }
  }

  void InsertPublished() {
    if (!options_.published) return;
    for (const auto& [label, values] : options_.published->columns) {
      const auto ours = std::ranges::find(columns_, label);
      if (ours == columns_.end()) continue;
      std::vector<double> present;
      for (const auto& value : values) {
        if (value) present.push_back(*value);
      }
      const NumberFormat format = KeepPrintedDigits(present);
      TableColumn published{
          Printed(label, false) + " (published)", {}, TableColumn::Kind::kPublished};
      published.entries.resize(table_.row_labels.size());
      for (std::size_t i = 0; i < std::min(values.size(), rows_.size()); ++i) {
        if (values[i]) published.entries[i] = {format.Print(*values[i]), *values[i], {}};
      }
      const auto beside =
          std::ranges::find(table_.columns, Printed(label, false), &TableColumn::header);
      table_.columns.insert(beside + 1, std::move(published));
    }
  }

  const TableOptions& options_;
  const std::vector<TableItem>& items_;
  const bool single_trials_;
  std::vector<std::string> rows_;     ///< Labels, in the order of the items.
  std::vector<std::string> columns_;  ///< Likewise.
  Table table_;
};

/// The caption, followed by the observer of the models that it lists, and by the labels that tell
/// this table from its siblings.
std::string CaptionOfTable(const TableOptions& options, const RunManifest& manifest,
                           const std::vector<std::string>& table,
                           const std::vector<TableItem>& items, const std::vector<TableItem>& all) {
  const std::string observer = items.empty() ? "" : items.front().estimator->observer;
  std::string caption = options.caption.empty() ? manifest.Title() : options.caption;
  std::string separator = caption.empty() ? "" : ": ";
  for (std::size_t i = 0; i < table.size(); ++i) {
    const bool differs =
        std::ranges::any_of(all, [&](const TableItem& item) { return item.table[i] != table[i]; });
    if (table[i].empty() || (!differs && table[i] != observer)) continue;
    caption += separator + table[i];
    separator = ", ";
  }
  return caption;
}

/// Without metrics that no estimator in the table can have: a note tells why.
std::vector<TableItem> WithoutAbsent(const std::vector<TableItem>& items) {
  std::set<std::string> had;
  for (const TableItem& item : items) {
    if (item.summary != nullptr || WhyAbsent(item) == nullptr) had.insert(item.metric.name);
  }
  std::vector<TableItem> shown;
  std::ranges::copy_if(items, std::back_inserter(shown),
                       [&](const TableItem& item) { return had.contains(item.metric.name); });
  return shown;
}

void AddTables(const Summary& summary, const RunManifest& manifest, const TableOptions& options,
               std::vector<Table>& tables) {
  const std::vector<TableItem> all = SelectItems(options, VocabularyOf(manifest), summary);
  std::vector<std::vector<std::string>> keys;
  for (const TableItem& item : all) AddOnce(keys, item.table);
  if (keys.empty()) keys.emplace_back();  // Notes still tell which metrics are absent, and why.
  for (const std::vector<std::string>& key : keys) {
    std::vector<TableItem> items;
    std::ranges::copy_if(all, std::back_inserter(items),
                         [&](const TableItem& item) { return item.table == key; });
    const std::vector<TableItem> shown = WithoutAbsent(items);
    Table table = TableBuilder(options, shown).Build();
    table.caption = CaptionOfTable(options, manifest, key, items, all);
    table.notes = MakeNotes(options, manifest, items);
    tables.push_back(std::move(table));
  }
}

/// How many metrics, each once for all its checkpoints, the tables leave out.
std::size_t OtherMetrics(const std::vector<TableOptions>& tables,
                         const std::vector<RunMetric>& metrics) {
  std::set<std::string> all, shown;
  for (const TableOptions& every : {TableOptions(), TableOptions{.rows = TableSide("observer")}}) {
    for (const RunMetric& metric : SelectMetrics(every, metrics)) all.insert(metric.name);
  }
  for (const TableOptions& table : tables) {
    for (const RunMetric& metric : SelectMetrics(table, metrics)) shown.insert(metric.name);
  }
  std::erase_if(all, [&shown](const std::string& name) { return shown.contains(name); });
  return all.size();
}

}  // namespace

std::string TableEntry::FewerText() const {
  return fewer ? fmt::format(" (of {})", *fewer) : std::string();
}

std::vector<Table> MakeTables(const Summary& summary, const RunManifest& manifest,
                              const std::vector<TableOptions>& wanted) {
  std::vector<Issue> issues = CheckTables(wanted, VocabularyOf(manifest), kPointer);
  if (!issues.empty()) throw ConfigError(kManifest, std::move(issues));
  std::vector<Table> tables;
  for (const TableOptions& options : wanted) AddTables(summary, manifest, options, tables);
  return tables;
}

std::vector<Table> MakeTables(const Summary& summary, const RunManifest& manifest) {
  std::vector<TableOptions> wanted;
  std::vector<Issue> issues;
  if (const auto declared = manifest.scenario->find("tables");
      declared != manifest.scenario->end()) {
    Binding<std::vector<TableOptions>>::Read(*declared, kPointer, {}, wanted, issues);
  }
  if (!issues.empty()) throw ConfigError(kManifest, std::move(issues));
  const bool declared_none = wanted.empty();
  if (declared_none) wanted = DefaultTables(summary, manifest);
  if (auto along = AlongCheckpoints(wanted, VocabularyOf(manifest).metrics)) {
    wanted.push_back(*std::move(along));
  }
  std::vector<Table> tables = MakeTables(summary, manifest, wanted);
  if (!declared_none) return tables;
  std::ranges::move(FailuresByCell(summary, manifest), std::back_inserter(tables));
  if (const std::size_t others = OtherMetrics(wanted, manifest.metrics); others > 0) {
    for (Table& table : tables) {
      if (!table.of_metrics || table.columns.empty()) continue;
      table.notes.push_back(fmt::format(
          "{} more metric{}: in tables/statistics.csv; in tables with \"metrics\": [\"all\"]",
          others, others == 1 ? "" : "s"));
    }
  }
  return tables;
}

}  // namespace idbench
