#include "reports/tables/table_notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "reports/files/number_format.h"
#include "reports/run/metric_name.h"
#include "reports/tables/count_sentences.h"
#include "reports/tables/estimate_notes.h"
#include "reports/tables/fit_sentences.h"
#include "reports/tables/frame_sentence.h"
#include "reports/tables/held_out.h"
#include "reports/tables/sigma_sentences.h"

namespace idbench {
namespace {

constexpr const char* kChange = "change from the row above";

/// Of a record without the metric.
const std::string kNotRecorded = "it was not recorded";

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

/// The unit of a metric's values as they are printed: "N·m", "0.001 N·m", "%" or ""; a change of
/// percentages is a difference, and not a part of what there was.
std::string ScaledUnit(const RunMetric& metric, const TableOptions& options) {
  if (options.percent) return options.change ? "percentage points" : "%";
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
    if (ShowsNothing()) return WhyNothing();
    NoteSubject();
    NoteApproximate();
    NoteTrials();
    NoteEstimateFailures();
    NoteMetricFailures();
    NoteAbsentOfEstimators();
    NoteMissing();
    NoteFewer();
    AddAll(FitSentences(items_, manifest_));
    AddAll(EstimateNoteSentences(items_));
    AddAll(CountSentences(items_, options_.change));
    NoteBounds();
    NoteDoubts();
    if (std::string frames = FrameSentence(items_, manifest_); !frames.empty()) {
      notes_.push_back(std::move(frames));
    }
    AddAll(SigmaSentences(items_));
    AddAll(HeldOutDoubts(manifest_, items_));
    AddAll(JointsWorseThanPrior(manifest_, items_));
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

  void AddAll(std::vector<std::string> sentences) {
    std::ranges::move(sentences, std::back_inserter(notes_));
  }

  bool AnyOf(const auto& predicate) const { return std::ranges::any_of(items_, predicate); }

  /// Whether no estimator can have any of the metrics.
  bool ShowsNothing() const {
    return !items_.empty() && !AnyOf([](const TableItem& item) { return !WhyAbsent(item); });
  }

  /// Why; nothing else is of interest without a number.
  std::vector<std::string> WhyNothing() {
    NoteAbsentOfEstimators();
    NoteAbsentMetrics();
    return std::move(notes_);
  }

  /// "coverage95 [%]: mean of survivors with its 95 % interval"
  void NoteSubject() {
    if (items_.empty()) return;
    std::string subject;
    if (options_.rows.kind != SideKind::kMetric && options_.columns.kind != SideKind::kMetric) {
      subject = items_.front().table.front() + PrintedUnit(items_.front().metric, options_);
    }
    if (AreSingleTrials(items_)) {
      if (options_.change) subject += subject.empty() ? kChange : fmt::format(": {}", kChange);
    } else {
      const bool failures = AnyOf(
          [](const TableItem& item) { return item.statistics && item.statistics->failed > 0; });
      const bool intervals = AnyOf([this](const TableItem& item) {
        return !options_.change && item.statistics &&
               IntervalOf(*item.statistics, options_.statistic);
      });
      const StatisticInfo& statistic = InfoOf(options_.statistic);
      if (!subject.empty()) subject += ": ";
      if (options_.change) subject += fmt::format("{} of the ", kChange);
      subject += statistic.words;
      if (failures) subject += FailureNote(statistic.failure);
      if (intervals) subject += " with its 95 % interval";
      if (statistic.interval != nullptr && !intervals && !options_.change) {
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
    if (!approximate || options_.change || AreSingleTrials(items_)) return;
    Add("{}: of fewer than {} roll-outs, or trials on a single one: if the values are very skewed, "
        "such intervals hold the mean less often than 95 % says, as of 10 lognormal ones with σ = "
        "1.5 in 85 %, of 30 in 88 %",
        kApproximate, kFewestForSkewed);
  }

  void NoteTrials() {
    if (items_.empty()) return;
    const auto trials = [](const TableItem& item) { return item.estimator->tally.trials; };
    const auto [least, largest] = std::ranges::minmax(items_, {}, trials);
    if (!AreSingleTrials(items_)) {
      Add("{} trials{}", RangeText(trials(least), trials(largest)), RolloutsText());
    }
    if (static_cast<std::int64_t>(trials(least)) < manifest_.trials) {
      Add("incomplete: {} of {} trials were run", trials(least), manifest_.trials);
    }
  }

  /// " on 1 roll-out: conditional on one motion"; of several cells those of each, and of all.
  std::string RolloutsText() const {
    const auto rollouts = [](const TableItem& item) { return item.cell->rollouts; };
    const auto motions = [](const TableItem& item) { return item.cell->motions; };
    const auto [fewest, most] = std::ranges::minmax(items_, {}, rollouts);
    const auto [one, several] = std::ranges::minmax(items_, {}, motions);
    if (rollouts(most) == 0) return ", none of which got as far as a roll-out";
    std::map<std::size_t, std::size_t> rollout_sets, motion_sets;
    for (const TableItem& item : items_) {
      if (item.cell->rollouts == 0) continue;  // it was not run
      rollout_sets[item.cell->rollout_set] = item.cell->rollouts;
      motion_sets[item.cell->motion_set] = item.cell->motions;
    }
    std::string text = fmt::format(" on {} roll-out{}", RangeText(rollouts(fewest), rollouts(most)),
                                   rollouts(most) == 1 ? "" : "s");
    const bool own = motion_sets.size() > 1;
    if (rollout_sets.size() > 1) {
      text += fmt::format(" in each cell, {} in all, of {} motion{}", Sum(rollout_sets),
                          Sum(motion_sets), Sum(motion_sets) == 1 ? "" : "s");
    }
    if (motions(one) != 1) return text;
    if (motions(several) != 1) return text + ": those on one motion are conditional on it";
    return text + (own ? ": each conditional on its one motion, and cells differ by theirs too"
                       : ": conditional on one motion");
  }
  static std::size_t Sum(const std::map<std::size_t, std::size_t>& numbers) {
    std::size_t sum = 0;
    for (const auto& [set, number] : numbers) sum += number;
    return sum;
  }

  /// "failed: ols 3 of 200 estimates, 95 % interval 0.5–4.3 % (diverged 2: …; rank_deficient 1: …)"
  void NoteEstimateFailures() {
    std::map<std::string, EstimateTally> tallies;
    std::vector<std::string> labels;
    std::map<std::string, MetricSubject> subjects;
    std::set<std::pair<const CellSummary*, std::string>> seen;
    for (const TableItem& item : items_) {
      const std::string& label = item.estimator->label;
      subjects[label] = item.estimator->subject;
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
      Add("failed: {} {} of {} {}{}{} ({})", label, tally.failed, tally.trials,
          RecordNoun(subjects.at(label)), tally.trials == 1 ? "" : "s", interval, reasons);
    }
  }

  /// "ols, 14 values; of wls, 3 values: why", one for each metric and reason.
  struct Without {
    std::string metric;
    std::vector<std::pair<std::string, std::size_t>> counts;  ///< By estimator.
    std::string why;
  };
  static void Count(const std::string& metric, const std::string& why, const std::string& label,
                    std::size_t count, std::vector<Without>& all) {
    auto known = std::ranges::find_if(all, [&](const Without& without) {
      return without.metric == metric && without.why == why;
    });
    if (known == all.end()) known = all.insert(all.end(), {metric, {}, why});
    auto of = std::ranges::find(known->counts, label, &std::pair<std::string, std::size_t>::first);
    if (of == known->counts.end()) of = known->counts.emplace(of, label, 0);
    of->second += count;
  }

  /// One note for each metric that failed of estimates that did not, and for each reason.
  void NoteMetricFailures() {
    std::vector<Without> all;
    std::set<const MetricSummary*> seen;
    for (const TableItem& item : items_) {
      if (!item.summary || item.summary->failed == 0 || !seen.insert(item.summary).second) continue;
      const MetricSummary& summary = *item.summary;
      const std::string& label = item.estimator->label;
      std::size_t told = 0;
      for (const FailureReason& reason : summary.reasons) {
        Count(item.metric.name, reason.text, label, reason.trials, all);
        told += reason.trials;
      }
      if (told < summary.failed) {
        const std::string& why = told == 0 ? summary.first_failure : kNotRecorded;
        Count(item.metric.name, why, label, summary.failed - told, all);
      }
    }
    for (const Without& without : all) {
      std::vector<std::string> counts;
      for (const auto& [label, count] : without.counts) {
        counts.push_back(fmt::format("{}, {} value{}", label, count, count == 1 ? "" : "s"));
      }
      Add("failed: {} of {}: {}", without.metric, fmt::join(counts, "; of "), without.why);
    }
  }

  /// One note for all metrics and estimators with the same reason why these cannot have those.
  void NoteAbsentOfEstimators() {
    struct Absence {
      std::string why;
      std::vector<std::string> metrics, labels;
    };
    std::vector<Absence> all;
    for (const TableItem& item : items_) {
      const FailureReasons* const reasons = WhyAbsent(item);
      if (reasons == nullptr) continue;
      std::vector<std::string> each;
      for (const FailureReason& reason : *reasons) {
        each.push_back(reasons->size() == 1 ? reason.text
                                            : fmt::format("{} ({})", reason.text, reason.trials));
      }
      const std::string why = fmt::format("{}", fmt::join(each, ", or "));
      auto known = std::ranges::find(all, why, &Absence::why);
      if (known == all.end()) known = all.insert(all.end(), {why, {}, {}});
      AddOnce(known->metrics, item.metric.name);
      AddOnce(known->labels, item.is_bound ? std::string(kBoundLabel) : item.estimator->label);
    }
    for (const Absence& absence : all) {
      Add("–: {} of {}: {}", fmt::join(absence.metrics, ", "), fmt::join(absence.labels, ", "),
          absence.why);
    }
  }

  void NoteFewer() {
    if (AreSingleTrials(items_)) return;
    const FewerValues fewer(items_);
    if (!AnyOf(
            [&](const TableItem& item) { return fewer.Of(item, options_.statistic).has_value(); }))
      return;
    Add("(of n): of n values, where others of that metric are of more: not of the same trials, not "
        "comparable with them, and never the best");
  }

  void NoteMissing() {
    if (AnyOf([](const TableItem& item) { return !item.summary && !WhyAbsent(item); })) {
      Add("–: that {} gives no such metric", ToString(items_.front().estimator->subject));
    }
    if (AnyOf([](const TableItem& item) { return item.summary && !item.statistics; })) {
      Add("–: that metric has no overall value; put joint or link on a side");
    }
    if (AnyOf(LacksComponent)) Add("–: no such unknown there, or no value of it that is finite");
    if (AreSingleTrials(items_)) return;
    const auto absent = [&](const TableItem& item) {
      return item.statistics && item.statistics->n > 0 &&
             !ValueOf(*item.statistics, options_.statistic);
    };
    if (AnyOf(absent)) {
      Add("–: too few samples for this statistic, or failures decide it");
    }
  }

  /// "prediction_excess_bound_nm bounds the root mean square of prediction_excess_nm over trials,
  /// not its mean, which may be less": where another statistic stands beside a bound, or is its
  /// own.
  void NoteBounds() {
    const Statistic shown = options_.statistic;
    if (options_.change || !InfoOf(shown).ranks) return;
    std::vector<std::string> told;
    for (const TableItem& item : items_) {
      const auto& bounded = item.metric.bounded;
      // A root mean square is not less than a mean.
      const bool holds = !bounded || *bounded == shown ||
                         (bounded == Statistic::kMean && shown == Statistic::kRootMeanSquare);
      if (holds) continue;
      AddOnce(told, fmt::format("{} bounds the {} of {} over trials, not its {}, which may be less",
                                MetricName(item.metric.name).quantity, InfoOf(*bounded).words,
                                MetricName(item.metric.bounds).quantity, InfoOf(shown).words));
    }
    AddAll(std::move(told));
  }

  /// "link_mass_error_bound, parameter_error_bound: a bound on means over …"
  void NoteDoubts() {
    Labelled<std::vector<std::string>> doubts;  // by text: metrics
    for (const TableItem& item : items_) {
      if (item.metric.doubt.empty()) continue;
      auto alike =
          std::ranges::find(doubts, item.metric.doubt, [](const auto& each) { return each.first; });
      if (alike == doubts.end()) alike = doubts.insert(alike, {item.metric.doubt, {}});
      AddOnce(alike->second, MetricName(item.metric.name).quantity);
    }
    for (const auto& [doubt, metrics] : doubts) Add("{}: {}", fmt::join(metrics, ", "), doubt);
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
