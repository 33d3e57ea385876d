#include "bench/nightly/nightly_result.h"

#include <algorithm>

#include "bench/run/exit_code.h"

namespace idbench {
namespace {

/// The worst element, the first one of several; nullptr if there is none.
template <class T>
const T* FirstOfWorst(const std::vector<T>& values) {
  const auto worst = std::ranges::min_element(
      values, [](const T& a, const T& b) { return IsWorse(a.verdict, b.verdict); });
  return worst == values.end() ? nullptr : &*worst;
}

}  // namespace

FieldTable Visit(NightlyComparison& comparison) {
  FieldTable table;
  table.Add("against", comparison.against, {.doc = "Part that the baseline plays"})
      .Add("folder", comparison.folder, {.doc = "Run folder of the baseline"})
      .Add("verdict", comparison.verdict, {.doc = "Verdict against this baseline"})
      .Add("sentence", comparison.sentence, {.doc = "Reason of the verdict"});
  return table;
}

FieldTable Visit(NightlyResult& result) {
  FieldTable table;
  table.Add("label", result.label, {.doc = "Label of the scenario in the suite"})
      .Add("scenario", result.scenario, {.doc = "Name of the scenario"})
      .Add("verdict", result.verdict, {.doc = "How the run ended"})
      .Add("sentence", result.sentence, {.doc = "Reason of the verdict"})
      .Add("duration_s", result.duration_s, {.doc = "Wall-clock time", .unit = "s"})
      .Add("folder", result.folder, {.doc = "Run folder; empty: none"})
      .Add("comparisons", result.comparisons, {.doc = "Runs that this one was compared with"});
  return table;
}

const NightlyComparison* WorstOf(const std::vector<NightlyComparison>& comparisons) {
  return FirstOfWorst(comparisons);
}

int WorstExitCode(const std::vector<NightlyResult>& results) {
  const NightlyResult* const worst = FirstOfWorst(results);
  return worst == nullptr ? kExitFine : InfoOf(worst->verdict).exit_code;
}

}  // namespace idbench
