#include "bench/nightly/nightly_result.h"

#include <doctest/doctest.h>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("The worst scenario decides the exit code") {
  using Verdict = NightlyVerdict;
  const auto worst = [](std::initializer_list<Verdict> verdicts) {
    std::vector<NightlyResult> results;
    for (const Verdict verdict : verdicts) results.emplace_back().verdict = verdict;
    return WorstExitCode(results);
  };
  CHECK(worst({}) == 0);
  CHECK(worst({Verdict::kPass, Verdict::kInconclusive}) == 3);
  CHECK(worst({Verdict::kInconclusive, Verdict::kIncomparable, Verdict::kPass}) == 4);
  CHECK(worst({Verdict::kIncomparable, Verdict::kRegression, Verdict::kInconclusive}) == 1);
  CHECK(worst({Verdict::kRegression, Verdict::kRefused, Verdict::kIncomparable}) == 2);
  CHECK(worst({Verdict::kRefused, Verdict::kNotRun, Verdict::kRegression}) == 5);
}

TEST_CASE("The worst comparison is the first one of those") {
  using Verdict = NightlyVerdict;
  CHECK(WorstOf({}) == nullptr);
  const auto worst = [](Verdict accepted, Verdict pinned) {
    const std::vector<NightlyComparison> comparisons = {
        {BaselineRole::kAccepted, "a", accepted, ""}, {BaselineRole::kPinned, "p", pinned, ""}};
    return WorstOf(comparisons)->against;
  };
  CHECK(worst(Verdict::kPass, Verdict::kPass) == BaselineRole::kAccepted);
  CHECK(worst(Verdict::kPass, Verdict::kRegression) == BaselineRole::kPinned);
  CHECK(worst(Verdict::kRegression, Verdict::kInconclusive) == BaselineRole::kAccepted);
}

TEST_CASE("A result is read from JSON as it was written") {
  NightlyResult result;
  result.label = "a";
  result.verdict = NightlyVerdict::kRegression;
  result.sentence = "5 % \"worse\"";
  result.scenario = "r";
  result.folder = "out/a/1";
  result.comparisons = {{BaselineRole::kPinned, "out/a/0", NightlyVerdict::kRegression, "5 %"}};
  result.duration_s = 1.25;
  const Json json = WriteValue(result);
  NightlyResult read;
  std::vector<Issue> issues;
  ReadFields(Visit(read), json, "", issues);
  CHECK(issues.empty());
  CHECK(WriteValue(read) == json);
  CHECK(read.comparisons[0].against == BaselineRole::kPinned);
}

}  // namespace
}  // namespace idbench
