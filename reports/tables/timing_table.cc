#include "reports/tables/timing_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "reports/files/number_format.h"

namespace idbench {
namespace {

constexpr int kTimeDigits = 3;

/// One estimator over all cells.
struct Timing {
  std::string label;
  std::optional<double> estimate, estimate_p99, update, update_p99, allocations, misses;
  std::size_t fewest = 0, most = 0;  ///< Estimates that were timed in a cell.
};

void KeepLargest(std::optional<double>& largest, const std::optional<double>& value) {
  if (value) largest = std::max(largest.value_or(*value), *value);
}

void Keep(const std::optional<DurationStatistics>& duration, std::optional<double>& median,
          std::optional<double>& p99) {
  if (!duration) return;
  KeepLargest(median, duration->median);
  KeepLargest(p99, duration->p99);
}

Timing TimingOf(const Summary& summary, std::size_t estimator) {
  Timing timing;
  for (const CellSummary& cell : summary.cells) {
    const EstimatorSummary& here = cell.estimators[estimator];
    timing.label = here.label;
    Keep(here.estimate_ms, timing.estimate, timing.estimate_p99);
    if (here.estimate_ms) {
      const std::size_t n = here.estimate_ms->n;
      timing.fewest = timing.most == 0 ? n : std::min(timing.fewest, n);
      timing.most = std::max(timing.most, n);
    }
    Keep(here.update_us, timing.update, timing.update_p99);
    KeepLargest(timing.allocations, here.update_allocations);
    if (here.deadline && here.deadline->updates > 0) {
      KeepLargest(timing.misses, 100.0 * static_cast<double>(here.deadline->misses) /
                                     static_cast<double>(here.deadline->updates));
    }
  }
  return timing;
}

/// Adds a column, if any row has a value in it.
void AddColumn(const char* header, const std::vector<Timing>& timings,
               std::optional<double> Timing::*member, Table& table) {
  std::vector<double> values;
  for (const Timing& timing : timings) {
    if (timing.*member) values.push_back(*(timing.*member));
  }
  if (values.empty()) return;
  const NumberFormat format = ChooseFormat(values, kTimeDigits);
  TableColumn column;
  column.header = header;
  for (const Timing& timing : timings) {
    TableEntry entry;
    entry.value = timing.*member;
    entry.text = entry.value ? format.Print(*entry.value) : kEmptyEntry;
    column.entries.push_back(std::move(entry));
  }
  table.columns.push_back(std::move(column));
}

/// The declared rate, if all cells and estimators have the same.
std::optional<double> DeadlineRate(const Summary& summary) {
  std::optional<double> rate;
  for (const CellSummary& cell : summary.cells) {
    for (const EstimatorSummary& estimator : cell.estimators) {
      if (!estimator.deadline) continue;
      if (rate && *rate != estimator.deadline->rate_hz) return std::nullopt;
      rate = estimator.deadline->rate_hz;
    }
  }
  return rate;
}

/// What the times stand on.
std::string SourceOf(const std::vector<Timing>& timings, std::size_t cells) {
  std::size_t fewest = 0, most = 0;
  for (const Timing& timing : timings) {
    if (timing.most == 0) continue;
    fewest = most == 0 ? timing.fewest : std::min(fewest, timing.fewest);
    most = std::max(most, timing.most);
  }
  std::string text = "medians and 99 % quantiles, alone on one thread";
  if (most > 0) {
    text +=
        fmt::format(", of {} estimate{} each",
                    fewest == most ? fmt::format("{}", most) : fmt::format("{}–{}", fewest, most),
                    most == 1 ? "" : "s");
  }
  if (cells > 1) text += fmt::format("; the largest of {} cells each", cells);
  return text;
}

/// Estimators of which some estimate has a note about `about`.
std::vector<std::string> LabelsWithNoteOn(std::string_view about, const Summary& summary) {
  std::vector<std::string> labels;
  for (const CellSummary& cell : summary.cells) {
    for (const EstimatorSummary& estimator : cell.estimators) {
      const bool noted = std::ranges::any_of(
          estimator.tally.notes, [&](const auto& note) { return note.first.first == about; });
      if (noted && std::ranges::find(labels, estimator.label) == labels.end()) {
        labels.push_back(estimator.label);
      }
    }
  }
  return labels;
}

}  // namespace

std::optional<Table> MakeTimingTable(const Summary& summary) {
  std::vector<Timing> timings;
  const std::size_t estimators = summary.cells.empty() ? 0 : summary.cells[0].estimators.size();
  for (std::size_t e = 0; e < estimators; ++e) {
    Timing timing = TimingOf(summary, e);
    if (timing.estimate || timing.update) timings.push_back(std::move(timing));
  }
  if (timings.empty()) return std::nullopt;
  Table table;
  table.of_metrics = false;
  table.caption = "Time of an estimate, regressors included, and of one update of online methods";
  table.row_header = "estimator";
  for (const Timing& timing : timings) table.row_labels.push_back(timing.label);
  AddColumn("estimate [ms]", timings, &Timing::estimate, table);
  AddColumn("estimate, p99 [ms]", timings, &Timing::estimate_p99, table);
  AddColumn("update [µs]", timings, &Timing::update, table);
  AddColumn("update, p99 [µs]", timings, &Timing::update_p99, table);
  AddColumn("allocations an update", timings, &Timing::allocations, table);
  AddColumn("deadlines missed [%]", timings, &Timing::misses, table);
  table.notes.push_back(SourceOf(timings, summary.cells.size()));
  const std::vector<std::string> reviewed = LabelsWithNoteOn("sigma", summary);
  if (!reviewed.empty()) {
    table.notes.push_back(
        fmt::format("{}: with σ for residuals correlated in time, which may take far longer than x",
                    fmt::join(reviewed, ", ")));
  }
  if (const std::optional<double> rate = DeadlineRate(summary)) {
    table.notes.push_back(fmt::format("deadline of an update: 1/{} s", *rate));
  }
  return table;
}

}  // namespace idbench
