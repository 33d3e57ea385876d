#include "reports/gate/compare_notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

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

/// What a change is: values that are not all positive have no ratios.
std::string Measure(const std::vector<ComparedPair>& pairs) {
  constexpr const char* kRatios = "geometric mean of the ratios";
  constexpr const char* kDifferences = "mean difference over the mean of both sides";
  std::size_t ratios = 0, others = 0;
  for (const ComparedPair& pair : pairs) {
    if (pair.identical) continue;
    ++(pair.ratios ? ratios : others);
  }
  if (ratios > 0 && others > 0) {
    return fmt::format("{}; where not all values are positive, {} (at most 200 %)", kRatios,
                       kDifferences);
  }
  return ratios > 0 ? kRatios : kDifferences;
}

void AddNotesOfUnpaired(const Comparison& comparison, std::vector<std::string>& notes) {
  const auto any = [&comparison](auto&& holds) {
    return std::ranges::any_of(comparison.pairs, holds);
  };
  if (any(&ComparedPair::tested)) {
    notes.push_back(fmt::format(
        "not paired: the sides are independent samples; change: {} with its 95 % interval; p: "
        "Welch's "
        "test of roll-outs, or of trials where all share one motion, adjusted by Holm over {} "
        "comparisons; ≈: not told apart at {}",
        Measure(comparison.pairs), comparison.pairs.size(), comparison.alpha));
  }
  if (any([](const ComparedPair& pair) { return !pair.tested; })) {
    notes.emplace_back(
        "not paired and not tested where there is no p: each side has one motion of its own, or "
        "one "
        "value, so that a difference may be that of the motions; draw motions per trial, or "
        "compare "
        "runs with one seed");
  }
  if (any([](const ComparedPair& pair) { return pair.a.failed + pair.b.failed > 0; })) {
    notes.emplace_back("averages and tests are of survivors: failures are counted beside them");
  }
}

void AddNotes(const Comparison& comparison, std::vector<std::string>& notes) {
  const auto any = [&comparison](auto&& holds) {
    return std::ranges::any_of(comparison.pairs, holds);
  };
  const auto cut = std::ranges::find_if(comparison.pairs, &ComparedPair::cut);
  if (cut != comparison.pairs.end()) notes.push_back(DescribeCut(*cut));
  if (comparison.pairs.empty()) {
    notes.emplace_back("nothing to compare: the two sides have no cell and estimator in common");
    return;
  }
  if (!any([](const ComparedPair& pair) { return !pair.identical; })) {
    notes.emplace_back(cut == comparison.pairs.end()
                           ? "nothing changed: all values are the same, bit for bit"
                           : "nothing changed in these: their values are the same, bit for bit");
    return;
  }
  const auto identical = std::ranges::count(comparison.pairs, true, &ComparedPair::identical);
  if (identical > 0) {
    notes.push_back(fmt::format("{} of {} are identical, bit for bit, and not shown", identical,
                                comparison.pairs.size()));
  }
  if (!comparison.paired) return AddNotesOfUnpaired(comparison, notes);
  notes.push_back(
      fmt::format("paired by trial; change: {} with its 95 % interval; p: sign-flip test, adjusted "
                  "by Holm over "
                  "{} comparisons; ≈: not told apart at {}",
                  Measure(comparison.pairs), comparison.pairs.size(), comparison.alpha));
  if (any([](const ComparedPair& pair) { return pair.a.failed + pair.b.failed > 0; })) {
    notes.emplace_back(
        "averages are of survivors; in a pair a failure loses by as much as the worst pair, and at "
        "least by a factor of 2");
  }
  if (any([](const ComparedPair& pair) {
        return pair.units < pair.a.trials && pair.units < pair.b.trials;
      })) {
    notes.emplace_back("trials share roll-outs: these, not the trials, are what is tested");
  }
}

/// Says of which numbers of pairs nothing can be told.
void TellTooFew(const Comparison& comparison, std::vector<std::string>& notes) {
  std::vector<std::string> numbers;
  for (const ComparedPair& pair : comparison.pairs) {
    if (pair.identical || pair.no_winner != NoWinner::kTooFew) continue;
    AddOnce(numbers, fmt::format("{} {} (least adjusted p {:.2g})", pair.units,
                                 pair.units == 1 ? "pair" : "pairs", pair.least_p));
  }
  if (numbers.empty()) return;
  notes.push_back(
      fmt::format("{} cannot tell anything apart: no side is bold there, and there is no "
                  "P(B better)",
                  fmt::join(numbers, ", ")));
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
  if (comparison.framed && !comparison.pairs.empty()) {
    notes.push_back(fmt::format(
        "{} depends on the choice of body frames: others may rank otherwise, so that no side is "
        "better",
        comparison.metric));
  }
  return notes;
}

}  // namespace idbench
