#include "reports/tables/table_notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "reports/files/number_format.h"
#include "reports/run/metric_name.h"

namespace idbench {
namespace {

/// "7" or "3–7".
std::string RangeText(std::size_t least, std::size_t largest) {
  return least == largest ? fmt::format("{}", least) : fmt::format("{}–{}", least, largest);
}

/// "0.5–4.3" or "44–100": the range in percent, with the digits of its upper end.
std::string PercentRange(const ConfidenceInterval& interval) {
  const double upper = 100 * interval.upper;
  const NumberFormat format = ChooseFormat(std::span(&upper, 1), 2);
  return fmt::format("{}–{}", format.Print(100 * interval.lower), format.Print(upper));
}

/// What a note adds to a statistic of which some trials failed.
std::string_view FailureNote(StatisticInfo::Failure failure) {
  switch (failure) {
    case StatisticInfo::Failure::kLeftOut:
      return " of survivors";
    case StatisticInfo::Failure::kInfinite:
      return ", a failure as +∞";
    case StatisticInfo::Failure::kCounted:
      break;
  }
  return "";
}

/// The unit of a metric's values as they are printed: "N·m", "0.001 N·m", "%" or "".
std::string ScaledUnit(const RunMetric& metric, const TableOptions& options) {
  if (options.percent) return "%";
  std::string unit = metric.unit == "1" ? "" : metric.unit;
  if (options.scale == 1) return unit;
  return fmt::format("{}{}{}", 1 / options.scale, unit.empty() ? "" : " ", unit);
}

class NoteWriter {
 public:
  NoteWriter(const TableOptions& options, const RunManifest& manifest,
             const std::vector<TableItem>& items)
      : options_(options), manifest_(manifest), items_(items) {}

  std::vector<std::string> Write() && {
    NoteSubject();
    NoteApproximate();
    NoteTrials();
    NoteEstimateFailures();
    NoteMetricFailures();
    NoteMissing();
    NoteCounts();
    if (options_.published) Add("published: {}", options_.published->source);
    NoteAbsentMetrics();
    for (const std::string& mark : manifest_.marks) notes_.push_back(mark);
    return std::move(notes_);
  }

 private:
  template <class... Args>
  void Add(fmt::format_string<Args...> format, Args&&... args) {
    notes_.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  bool AnyOf(const auto& predicate) const { return std::ranges::any_of(items_, predicate); }

  /// "coverage95 [%]: mean of survivors with its 95 % interval"
  void NoteSubject() {
    if (items_.empty()) return;
    std::string subject;
    if (options_.rows.kind != SideKind::kMetric && options_.columns.kind != SideKind::kMetric) {
      subject = items_.front().table.front() + PrintedUnit(items_.front().metric, options_);
    }
    if (!AreSingleTrials(items_)) {
      const bool failures = AnyOf(
          [](const TableItem& item) { return item.statistics && item.statistics->failed > 0; });
      const bool intervals = AnyOf([this](const TableItem& item) {
        return item.statistics && IntervalOf(*item.statistics, options_.statistic);
      });
      const StatisticInfo& statistic = InfoOf(options_.statistic);
      if (!subject.empty()) subject += ": ";
      subject += statistic.words;
      if (failures) subject += FailureNote(statistic.failure);
      if (intervals) subject += " with its 95 % interval";
      if (statistic.interval != nullptr && !intervals) {
        subject += fmt::format(" (an interval needs {0} roll-outs, or {0} trials on a single one)",
                               kFewestForInterval);
      }
    }
    if (!subject.empty()) notes_.push_back(std::move(subject));
  }

  void NoteApproximate() {
    const bool approximate = AnyOf([this](const TableItem& item) {
      const auto interval = item.statistics && !item.is_bound
                                ? IntervalOf(*item.statistics, options_.statistic)
                                : std::nullopt;
      return interval && interval->approximate;
    });
    if (!approximate || AreSingleTrials(items_)) return;
    Add("{}: of fewer than {} roll-outs, or trials on a single one: if the values are very skewed, "
        "such intervals hold the mean less often than 95 % says, as of 10 lognormal ones with σ = "
        "1.5 in 85 %, of 30 in 88 %",
        kApproximate, kFewestForSkewed);
  }

  void NoteTrials() {
    if (items_.empty()) return;
    const auto trials = [](const TableItem& item) { return item.estimator->tally.trials; };
    const auto rollouts = [](const TableItem& item) { return item.cell->rollouts; };
    const auto [least, largest] = std::ranges::minmax(items_, {}, trials);
    const auto motions = [](const TableItem& item) { return item.cell->motions; };
    const auto [fewest, most] = std::ranges::minmax(items_, {}, rollouts);
    const auto [one, several] = std::ranges::minmax(items_, {}, motions);
    if (!AreSingleTrials(items_)) {
      Add("{} trials on {} roll-out{}{}", RangeText(trials(least), trials(largest)),
          RangeText(rollouts(fewest), rollouts(most)), rollouts(most) == 1 ? "" : "s",
          motions(one) != 1       ? ""
          : motions(several) == 1 ? ": conditional on one motion"
                                  : ": those on one motion are conditional on it");
    }
    if (static_cast<std::int64_t>(trials(least)) < manifest_.trials) {
      Add("incomplete: {} of {} trials were run", trials(least), manifest_.trials);
    }
  }

  /// "failed: ols 3 of 200 estimates, 95 % interval 0.5–4.3 % (diverged 2: …; rank_deficient 1: …)"
  void NoteEstimateFailures() {
    std::map<std::string, EstimateTally> tallies;
    std::vector<std::string> labels;
    std::set<std::pair<const CellSummary*, std::string>> seen;
    for (const TableItem& item : items_) {
      const std::string& label = item.estimator->label;
      if (!seen.emplace(item.cell, label).second) continue;
      const EstimateTally& tally = item.estimator->tally;
      const bool first = !tallies.contains(label);
      if (first) labels.push_back(label);
      EstimateTally& sum = tallies[label];
      // Cells differ in how often an estimator fails: only a single one has a rate.
      sum.ci95_failure_rate = first ? tally.ci95_failure_rate : std::nullopt;
      sum.trials += tally.trials;
      sum.failed += tally.failed;
      for (const auto& [outcome, count] : tally.reasons) sum.reasons[outcome] += count;
      sum.sentences.insert(tally.sentences.begin(), tally.sentences.end());
    }
    for (const std::string& label : labels) {
      const EstimateTally& tally = tallies[label];
      if (tally.failed == 0) continue;
      std::string reasons;
      for (const auto& [outcome, count] : tally.reasons) {
        const std::string& sentence = tally.sentences.at(outcome);
        reasons += fmt::format("{}{} {}{}{}", reasons.empty() ? "" : "; ", outcome, count,
                               sentence.empty() ? "" : ": ", sentence);
      }
      std::string interval;
      if (tally.trials > 1 && tally.ci95_failure_rate) {
        interval = fmt::format(", 95 % interval {} %", PercentRange(*tally.ci95_failure_rate));
      }
      Add("failed: {} {} of {} estimate{}{} ({})", label, tally.failed, tally.trials,
          tally.trials == 1 ? "" : "s", interval, reasons);
    }
  }

  /// Metrics that failed of estimates that did not.
  /// One note for each metric, of all estimators that have no value of it somewhere.
  void NoteMetricFailures() {
    struct Failures {
      std::string metric;
      std::vector<std::pair<std::string, std::size_t>> counts;  ///< By estimator.
      std::string reason;                                       ///< Of the first of them.
    };
    std::vector<Failures> all;
    std::set<const MetricSummary*> seen;
    for (const TableItem& item : items_) {
      if (!item.summary || item.summary->failed == 0 || !seen.insert(item.summary).second) continue;
      auto known = std::ranges::find(all, item.metric.name, &Failures::metric);
      if (known == all.end()) {
        known = all.insert(all.end(), {item.metric.name, {}, item.summary->first_failure});
      }
      const std::string& label = item.estimator->label;
      auto count =
          std::ranges::find(known->counts, label, &std::pair<std::string, std::size_t>::first);
      if (count == known->counts.end()) {
        count = known->counts.emplace(known->counts.end(), label, 0);
      }
      count->second += item.summary->failed;
    }
    for (const Failures& failures : all) {
      std::vector<std::string> counts;
      for (const auto& [label, count] : failures.counts) {
        counts.push_back(fmt::format("{}, {} value{}", label, count, count == 1 ? "" : "s"));
      }
      Add("failed: {} of {}: {}", failures.metric, fmt::join(counts, "; of "),
          (counts.size() == 1 ? "" : "e.g. ") + failures.reason);
    }
  }

  void NoteMissing() {
    if (AnyOf([](const TableItem& item) { return !item.summary; })) {
      Add("–: that estimator gives no such metric");
    }
    if (AnyOf([](const TableItem& item) { return item.summary && !item.statistics; })) {
      Add("–: that metric has no overall value; put joint or link on a side");
    }
    if (AreSingleTrials(items_)) return;
    const auto absent = [&](const TableItem& item) {
      return item.statistics && item.statistics->n > 0 &&
             !ValueOf(*item.statistics, options_.statistic);
    };
    if (AnyOf(absent)) {
      Add("–: too few samples for this statistic, or failures decide it");
    }
  }

  void NoteCounts() {
    std::vector<std::pair<std::string, std::pair<std::size_t, std::size_t>>> ranges;
    for (const TableItem& item : items_) {
      if (!item.summary || !item.summary->count_range) continue;
      const std::string what = fmt::format("{} of {}", item.metric.name, item.estimator->label);
      const auto [least, largest] = *item.summary->count_range;
      const auto known = std::ranges::find(ranges, what, [](const auto& r) { return r.first; });
      if (known == ranges.end()) {
        ranges.push_back({what, {least, largest}});
      } else {
        known->second = {std::min(known->second.first, least),
                         std::max(known->second.second, largest)};
      }
    }
    for (const auto& [what, range] : ranges) {
      Add("{} counts over {}", what, RangeText(range.first, range.second));
    }
  }

  void NoteAbsentMetrics() {
    const std::vector<std::string> requests = options_.RequestedMetrics();
    for (const auto& [metric, reason] : manifest_.absent_metrics) {
      // Of a table of all metrics, the report tells on top.
      const bool wanted = std::ranges::any_of(requests, [&](const std::string& request) {
        return Requests(request, metric) || Requests(metric, request);
      });
      if (wanted) Add("absent: {}: {}", metric, reason);
    }
  }

  const TableOptions& options_;
  const RunManifest& manifest_;
  const std::vector<TableItem>& items_;
  std::vector<std::string> notes_;
};

}  // namespace

bool AreSingleTrials(const std::vector<TableItem>& items) {
  return std::ranges::all_of(
      items, [](const TableItem& item) { return item.estimator->tally.trials <= 1; });
}

std::string PrintedUnit(const RunMetric& metric, const TableOptions& options) {
  const StatisticInfo::Unit power = InfoOf(options.statistic).unit;
  const std::string unit = ScaledUnit(metric, options);
  if (unit.empty() || power == StatisticInfo::Unit::kCount) return "";
  return power == StatisticInfo::Unit::kSquare ? fmt::format(" [({})²]", unit)
                                               : fmt::format(" [{}]", unit);
}

std::vector<std::string> MakeNotes(const TableOptions& options, const RunManifest& manifest,
                                   const std::vector<TableItem>& items) {
  return NoteWriter(options, manifest, items).Write();
}

}  // namespace idbench
