#include "reports/gate/compare_notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "reports/statistics/bootstrap.h"
#include "reports/tables/table_selection.h"

namespace idbench {
namespace {

std::string DescribeCut(const ComparedPair& pair) {
  const auto& [of_a, of_b] = pair.left_out;
  const std::size_t trials = pair.a.trials;
  return fmt::format(
      "the sides have {} and {} trials: the first {} of each are compared, with averages of these, "
      "and nothing is said of the others",
      trials + of_a, trials + of_b, trials);
}

/// What a change is: values that are not all positive have no ratios, nor have those of an interval
/// scale.
std::string Measure(const Comparison& comparison) {
  if (comparison.interval_scale) {
    return "mean difference, as ratios of these values mean nothing";
  }
  constexpr const char* kRatios = "geometric mean of the ratios";
  constexpr const char* kDifferences = "mean difference over the mean of both sides";
  std::size_t ratios = 0, others = 0;
  for (const ComparedPair& pair : comparison.pairs) {
    if (pair.identical) continue;
    ++(pair.ratios ? ratios : others);
  }
  if (ratios > 0 && others > 0) {
    return fmt::format("{}; where not all values are positive, {} (at most 200 %)", kRatios,
                       kDifferences);
  }
  return ratios > 0 ? kRatios : kDifferences;
}

/// What bold and ≈ mean, where they stand.
std::string MarksText(const Comparison& comparison) {
  const bool marked = std::ranges::any_of(comparison.pairs, [](const ComparedPair& pair) {
    return !pair.identical && !pair.no_winner;
  });
  if (!marked) return "";
  return fmt::format("; bold: better on average; ≈: not told apart at {}", comparison.alpha);
}

/// How changes are told and tested: "change: … with its 95 % interval; p: … test …".
std::string TestedBy(const char* test, const Comparison& comparison) {
  const bool intervals = std::ranges::any_of(comparison.pairs, [](const ComparedPair& pair) {
    return !pair.identical && pair.HasChange() && pair.interval.has_value();
  });
  const std::string interval =
      intervals ? " with its 95 % interval"
                : fmt::format(" (an interval needs {} pairs)", kFewestForInterval);
  const std::size_t family = comparison.pairs.size();
  return fmt::format("change: {}{}; p: {}, adjusted by Holm over {} comparison{}{}",
                     Measure(comparison), interval, test, family, family == 1 ? "" : "s",
                     MarksText(comparison));
}

void AddNotesOfUnpaired(const Comparison& comparison, std::vector<std::string>& notes) {
  const auto any = [&comparison](auto&& holds) {
    return std::ranges::any_of(comparison.pairs, holds);
  };
  if (any(&ComparedPair::tested)) {
    notes.push_back(
        "not paired: the sides are taken as independent samples; " +
        TestedBy("Welch's test of roll-outs, or of trials where all share one motion", comparison));
  }
  if (any([](const ComparedPair& pair) { return !pair.tested; })) {
    notes.emplace_back(
        "not paired and not tested where there is no p: a side has one motion, and not that of the "
        "other side, or one value, so that a difference may be that of the motions; draw motions "
        "per trial, or compare runs with one seed");
  }
  if (any([](const ComparedPair& pair) { return pair.a.failed + pair.b.failed > 0; })) {
    notes.emplace_back("averages and tests are of survivors: failures are counted beside them");
  }
}

/// What makes pairs of the trials.
std::string PairedBy(const Comparison& comparison) {
  if (comparison.pairing == Pairing::kTrials) return "paired by trial";
  const auto all = [&comparison](bool same) {
    return std::ranges::all_of(
        comparison.pairs, [same](const ComparedPair& pair) { return pair.same_rollouts == same; });
  };
  const char* const rollouts = all(true)    ? " and roll-outs"
                               : all(false) ? ", on other roll-outs"
                                            : "";
  return fmt::format(
      "paired by the number of a trial: these are not the same trials, but have the same seeds{}",
      rollouts);
}

/// Says what did not change.
/// @return true if nothing did.
bool TellUnchanged(const Comparison& comparison, std::vector<std::string>& notes) {
  const auto all = std::ssize(comparison.pairs);
  if (all == 0) {
    notes.emplace_back("nothing to compare: the two sides have no cell and estimator in common");
    return true;
  }
  const auto identical = std::ranges::count(comparison.pairs, true, &ComparedPair::identical);
  const auto failed = std::ranges::count_if(comparison.pairs, [](const ComparedPair& pair) {
    return pair.identical && !pair.HasChange();
  });
  if (failed == all) {
    notes.emplace_back("nothing to compare: all trials failed on both sides");
    return true;
  }
  if (identical == all) {
    const bool cut = std::ranges::any_of(comparison.pairs, &ComparedPair::cut);
    notes.emplace_back(cut ? "nothing changed in these: their values are the same, bit for bit"
                           : "nothing changed: all values are the same, bit for bit");
  } else if (identical > 0) {
    notes.push_back(
        fmt::format("{} of {} are identical, bit for bit, and not shown", identical, all));
  }
  if (failed > 0) {
    notes.push_back(fmt::format("all trials of {} of {} failed on both sides", failed, all));
  }
  return identical == all;
}

void AddNotesOfPaired(const Comparison& comparison, std::vector<std::string>& notes) {
  const auto any = [&comparison](auto&& holds) {
    return std::ranges::any_of(comparison.pairs, holds);
  };
  notes.push_back(PairedBy(comparison) + "; " + TestedBy("sign-flip test", comparison));
  if (comparison.pairing == Pairing::kSeeds && any(&ComparedPair::one_motion)) {
    notes.emplace_back(
        "a side that has one motion, and not that of the other side, speaks for this motion alone: "
        "a change may be that of the motions");
  }
  if (any([](const ComparedPair& pair) { return pair.a.failed + pair.b.failed > 0; })) {
    const bool differ =
        any([](const ComparedPair& pair) { return pair.HasP() && pair.a.failed != pair.b.failed; });
    notes.push_back(fmt::format(
        "averages are of survivors; in a pair a failure loses by as much as the worst pair, and at "
        "least by {}{}",
        comparison.interval_scale ? "ln 2" : "a factor of 2",
        differ ? "; p beside numbers of failures is that of their rates, not adjusted" : ""));
  }
  if (any([](const ComparedPair& pair) {
        return pair.units < pair.a.trials && pair.units < pair.b.trials;
      })) {
    notes.emplace_back("trials share roll-outs: these, not the trials, are what is tested");
  }
}

void AddNotes(const Comparison& comparison, std::vector<std::string>& notes) {
  const auto cut = std::ranges::find_if(comparison.pairs, &ComparedPair::cut);
  if (cut != comparison.pairs.end()) notes.push_back(DescribeCut(*cut));
  if (TellUnchanged(comparison, notes)) return;
  switch (comparison.pairing) {
    case Pairing::kTrials:
    case Pairing::kSeeds:
      return AddNotesOfPaired(comparison, notes);
    case Pairing::kNone:
      return AddNotesOfUnpaired(comparison, notes);
    case Pairing::kRecordings:
      notes.emplace_back(
          "recordings have no random draws: each side has one value, nothing is tested, and a "
          "change is of these data alone");
  }
}

/// Says of which numbers of pairs nothing can be told.
void TellTooFew(const Comparison& comparison, std::vector<std::string>& notes) {
  std::vector<std::string> numbers;
  const char* const unit = ArePaired(comparison.pairing) ? "pair" : "independent value";
  for (const ComparedPair& pair : comparison.pairs) {
    if (pair.identical || pair.no_winner != NoWinner::kTooFew) continue;
    AddOnce(numbers, fmt::format("{} {}{} (least adjusted p {:.2g})", pair.units, unit,
                                 pair.units == 1 ? "" : "s", pair.least_p));
  }
  if (numbers.empty()) return;
  notes.push_back(
      fmt::format("{} cannot tell anything apart at {}: no side is bold there, and there is no "
                  "p and no P(B better)",
                  fmt::join(numbers, ", "), comparison.alpha));
}

/// Says where nobody is better, because a metric beside that which is compared disagrees.
void TellDisagreeing(const Comparison& comparison, std::vector<std::string>& notes) {
  constexpr std::size_t kShown = 4;
  std::vector<std::string> places;
  for (const ComparedPair& pair : comparison.pairs) {
    if (pair.identical || pair.disagreeing.empty()) continue;
    std::vector<std::string> others;
    for (const auto& [metric, change] : pair.disagreeing) {
      others.push_back(change ? fmt::format("{} {:+.3g} %", metric, 100 * *change)
                              : fmt::format("no {}", metric));
    }
    places.push_back(
        fmt::format("{}, {}: {}", pair.cell.Label(), pair.Estimators(), fmt::join(others, ", ")));
  }
  if (places.empty()) return;
  const std::size_t more = places.size() > kShown ? places.size() - kShown : 0;
  places.resize(places.size() - more);
  notes.push_back(fmt::format(
      "no side is better where the same score at other smoothings does not say so, too: {}{}",
      fmt::join(places, "; "), more > 0 ? fmt::format("; and {} more", more) : ""));
}

}  // namespace

std::vector<std::string> NotesOf(const Comparison& comparison) {
  std::vector<std::string> notes;
  AddNotes(comparison, notes);
  TellTooFew(comparison, notes);
  TellDisagreeing(comparison, notes);
  if (std::ranges::any_of(comparison.pairs, [](const ComparedPair& pair) {
        return !pair.identical && pair.no_winner == NoWinner::kFramed;
      })) {
    notes.push_back(fmt::format(
        "{} depends on the choice of body frames: others may rank otherwise, so that no side is "
        "better",
        comparison.metric));
  }
  return notes;
}

}  // namespace idbench
