#include "reports/gate/compare.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "reports/gate/compared_samples_test.h"
#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("A change that all trials share is told with its interval, p and who wins") {
  std::vector<double> better = kOnes;
  for (std::size_t i = 0; i < better.size(); ++i) better[i] = i % 2 == 0 ? 0.8 : 0.9;
  const Comparison comparison = Compare({Samples(kOnes, better)}, kRatio, Better::kLower, 0.05);
  REQUIRE(comparison.pairs.size() == 1);
  const ComparedPair& pair = comparison.pairs[0];
  CHECK(pair.change == doctest::Approx(std::sqrt(0.72) - 1));
  CHECK(pair.b.average.value() == doctest::Approx(std::sqrt(0.72)));
  CHECK(pair.interval.value().upper < 0);
  CHECK(pair.p == std::exp2(-11.0));
  CHECK(pair.b_is_better);
  CHECK(pair.probability_of_improvement == 1.0);
  CHECK(pair.distinguishable(0.05));
}

TEST_CASE("Where higher is better, the change keeps its sign and the winner turns") {
  const std::vector<double> twice(12, 2.0);
  const Comparison comparison = Compare({Samples(kOnes, twice)}, kRatio, Better::kHigher, 0.05);
  CHECK(comparison.pairs[0].change == doctest::Approx(1.0));
  CHECK(comparison.pairs[0].b_is_better);
  CHECK(comparison.pairs[0].interval.value().lower == doctest::Approx(1.0));
}

TEST_CASE("The measure of a change is named: ratios, differences, or both") {
  std::vector<double> halves(12, 0.5), zeros(12, 0.0);
  const auto told = [](const std::vector<MatchedSamples>& samples) {
    return Compare(samples, kRatio, Better::kLower, 0.05).notes.front();
  };
  const std::string ratios = told({Samples(kOnes, halves)});
  CHECK(ratios.starts_with("paired by trial; change: geometric mean of the ratios with its"));
  const std::string differences = told({Samples(kOnes, zeros)});
  CHECK(differences.starts_with("paired by trial; change: mean difference over the mean of both "));
  const std::string both = told({Samples(kOnes, zeros), Samples(kOnes, halves)});
  CHECK(
      both.starts_with("paired by trial; change: geometric mean of the ratios; where not all "
                       "values are positive, mean difference over the mean of both sides (at "
                       "most 200 %) with its"));
}

TEST_CASE("Changes of an interval scale are differences, and no parts of what there was") {
  // −ln det of two motions: other units of the columns would shift both.
  RunMetric jd{"jd", "1", {}, Better::kLower};
  jd.interval_scale = true;
  for (const Pairing pairing : {Pairing::kTrials, Pairing::kNone}) {
    std::vector<double> before(12, -593.0), after(12, -587.0);
    for (std::size_t i = 0; i < 12; ++i) after[i] += i % 2 == 0 ? 0.5 : -0.5;
    before[3] -= 0.25;
    before[4] += 0.25;
    MatchedSamples samples = Samples(before, after);
    samples.interval_scale = true;
    const Comparison comparison = Compare({samples}, jd, Better::kLower, 0.05, pairing);
    const ComparedPair& pair = comparison.pairs[0];
    CHECK(pair.change == doctest::Approx(6.0));
    CHECK_FALSE(pair.b_is_better);
    CHECK(pair.interval.value().lower < 6.0);
    CHECK(pair.interval.value().lower > 5.0);
    CHECK(ToJson(comparison)["relative"] == false);
    const std::string text = RenderComparison(comparison);
    CHECK(text.find(" +6 [+5.") != std::string::npos);
    CHECK(text.find("% [") == std::string::npos);
    CHECK(text.find("change: mean difference, as ratios of these values mean nothing with its") !=
          std::string::npos);
  }
  CHECK(ToJson(Compare({Samples(kOnes, kOnes)}, kRatio, Better::kLower, 0.05))["relative"] == true);
}

TEST_CASE("The table bolds the better side and marks what cannot be told apart") {
  std::vector<double> clear(12, 1.25);
  std::vector<double> noise = kOnes;
  for (std::size_t i = 0; i < noise.size(); ++i) noise[i] = i % 2 == 0 ? 1.25 : 0.81;
  clear[3] = 1.0;
  const Comparison comparison =
      Compare({Samples(kOnes, clear), Samples(kOnes, noise), Samples(kOnes, kOnes)},
              {"m", "N·m", {}}, Better::kLower, 0.05);
  const std::string text = RenderComparison(comparison);
  CHECK(
      text ==
      "## m [N·m], lower is better\n\n"
      "| cell   | estimator |         A |       B |           change [95 %] |       p | p (Holm) | "
      "P(B better) | failed |\n"
      "| ------ | --------: | --------: | ------: | ----------------------: | ------: | -------: | "
      "----------: | -----: |\n"
      "| cell 0 |       ols | **1.000** |   1.227 |  +22.7 % [+17.8, +27.8] | 0.00098 |   0.0029 | "
      "       0.04 |    0/0 |\n"
      "| cell 0 |       ols | **1.000** | 1.006 ≈ | +0.623 % [-12.9, +16.2] |    0.77 |        1 | "
      "       0.50 |    0/0 |\n\n"
      "- 1 of 3 are identical, bit for bit, and not shown\n"
      "- paired by trial; change: geometric mean of the ratios with its 95 % interval; p: "
      "sign-flip test, adjusted by Holm over 3 comparisons; bold: better on average; ≈: not told "
      "apart at 0.05\n");
}

TEST_CASE("Equal values say that nothing changed") {
  const Comparison comparison = Compare({Samples(kOnes, kOnes)}, kRatio, Better::kLower, 0.05);
  CHECK(comparison.pairs[0].identical);
  CHECK(RenderComparison(comparison) ==
        "## m, lower is better\n\n- nothing changed: all values are the same, bit for bit\n");
  CHECK(comparison.notes ==
        std::vector<std::string>{"nothing changed: all values are the same, bit for bit"});
}

TEST_CASE("Sides of unequal length are compared as far as both go, and that is told") {
  std::vector<double> longer = kOnes;
  longer.insert(longer.end(), {100.0, 200.0});
  const Comparison same = Compare({Samples(longer, kOnes)}, kRatio, Better::kLower, 0.05);
  CHECK(same.pairs[0].identical);
  CHECK(same.pairs[0].a.trials == 12);
  CHECK(same.pairs[0].a.average == 1.0);  // of the trials that are compared
  CHECK(same.pairs[0].left_out == std::pair<std::size_t, std::size_t>(2, 0));
  CHECK(same.notes ==
        std::vector<std::string>{
            "the sides have 14 and 12 trials: the first 12 of each are compared, with averages of "
            "these, and nothing is said of the others",
            "nothing changed in these: their values are the same, bit for bit"});
  CHECK(ToJson(same)["pairs"][0]["left_out"] == Json{{"a", 2}, {"b", 0}});
  CHECK_FALSE(
      ToJson(Compare({Samples(kOnes, kOnes)}, kRatio, Better::kLower, 0.05))["pairs"][0].contains(
          "left_out"));
}

TEST_CASE("Where nothing can be paired, nothing is called unchanged") {
  CHECK(Compare({}, kRatio, Better::kLower, 0.05).notes ==
        std::vector<std::string>{
            "nothing to compare: the two sides have no cell and estimator in common"});
}

TEST_CASE("Failures are counted on both sides, and too few pairs are told") {
  constexpr double kFailed = std::numeric_limits<double>::quiet_NaN();
  const Comparison comparison = Compare(
      {Samples({1, 1, 1, kFailed}, {1, kFailed, kFailed, kFailed})}, kRatio, Better::kLower, 0.05);
  const ComparedPair& pair = comparison.pairs[0];
  CHECK(pair.a.failed == 1);
  CHECK(pair.b.failed == 3);
  CHECK(pair.failure_p == 0.5);
  CHECK(pair.change == doctest::Approx(std::sqrt(2.0) - 1));  // two of four lose by a factor of 2
  CHECK(pair.least_p == 0.125);
  REQUIRE(comparison.notes.size() == 3);
  CHECK(comparison.notes[1] ==
        "averages are of survivors; in a pair a failure loses by as much as the worst pair, and at "
        "least by a factor of 2");
  CHECK(comparison.notes[2] ==
        "4 pairs (least adjusted p 0.12) cannot tell anything apart at 0.05: no side is bold "
        "there, and "
        "there is no p and no P(B better)");
}

const std::vector<double> kAllFailed(12, std::numeric_limits<double>::quiet_NaN());

TEST_CASE("A metric that a side never has does not change, but that side loses") {
  for (const Pairing pairing : {Pairing::kTrials, Pairing::kNone}) {
    const Comparison comparison =
        Compare({Samples(kOnes, kAllFailed)}, kRatio, Better::kLower, 0.05, pairing);
    CHECK_FALSE(comparison.pairs[0].HasChange());
    CHECK(RenderComparison(comparison).find('+') == std::string::npos);
    CHECK_FALSE(ToJson(comparison)["pairs"][0].contains("change"));
    CHECK_FALSE(ToJson(comparison)["pairs"][0].contains("interval"));
    CHECK(comparison.pairs[0].no_winner.has_value() == (pairing == Pairing::kNone));
  }
  CHECK(Compare({Samples(kOnes, kOnes)}, kRatio, Better::kLower, 0.05).pairs[0].HasChange());
}

TEST_CASE("Beside unequal numbers of failures stands p of their rates, which is not adjusted") {
  const Comparison comparison = Compare({Samples(kOnes, kAllFailed)}, kRatio, Better::kLower, 0.05);
  CHECK(RenderComparison(comparison).find("0/12, p 0.00049 |") != std::string::npos);
  CHECK(comparison.notes[1].ends_with(
      "; p beside numbers of failures is that of their rates, not adjusted"));
}

TEST_CASE("What failed on both sides is not called unchanged values") {
  const MatchedSamples failed = Samples(kAllFailed, kAllFailed);
  CHECK(Compare({failed}, kRatio, Better::kLower, 0.05).notes ==
        std::vector<std::string>{"nothing to compare: all trials failed on both sides"});
  CHECK(Compare({failed, Samples(kOnes, kOnes)}, kRatio, Better::kLower, 0.05).notes ==
        std::vector<std::string>{"nothing changed: all values are the same, bit for bit",
                                 "all trials of 1 of 2 failed on both sides"});
  const Comparison changed =
      Compare({failed, Samples(kOnes, Twelve(0.8))}, kRatio, Better::kLower, 0.05);
  CHECK(changed.notes[0] == "1 of 2 are identical, bit for bit, and not shown");
  CHECK(changed.notes[1] == "all trials of 1 of 2 failed on both sides");
}

TEST_CASE("Fewer trials than can tell anything apart name no better side and no probability") {
  const auto compared = [](std::size_t trials) {
    const std::vector<double> ones(trials, 1.0), less(trials, 0.8);
    return Compare({Samples(ones, less)}, kRatio, Better::kLower, 0.05);
  };
  for (const std::size_t trials : {1, 5}) {  // at 0.05, of 2^(1 − n), 5 trials are too few
    const Comparison few = compared(trials);
    CHECK(few.pairs[0].no_winner == NoWinner::kTooFew);
    const std::string text = RenderComparison(few);
    CHECK(text.find("**") == std::string::npos);
    CHECK(text.find("0.800 |") != std::string::npos);
    CHECK(text.find("≈") == std::string::npos);
    CHECK(text.find(" – |        – |           – |    0/0 |") != std::string::npos);
    const Json pair = ToJson(few)["pairs"][0];
    CHECK(pair["no_winner"] == "too few units");
    CHECK(pair["least_p"] == std::exp2(1.0 - static_cast<double>(trials)));
    for (const char* absent : {"probability_of_improvement", "p", "adjusted_p", "failure_p"}) {
      CHECK_FALSE(pair.contains(absent));
    }
    const std::vector<double> ones(trials, 1.0);
    std::vector<double> failed = ones;
    failed.front() = std::numeric_limits<double>::quiet_NaN();
    const Comparison other = Compare({Samples(ones, failed)}, kRatio, Better::kLower, 0.05);
    CHECK(RenderComparison(other).find("0/1 |") != std::string::npos);
  }
  const Comparison enough = compared(6);
  CHECK_FALSE(enough.pairs[0].no_winner.has_value());
  CHECK(RenderComparison(enough).find("**0.8") != std::string::npos);
  CHECK(ToJson(enough)["pairs"][0]["probability_of_improvement"] == 1.0);
  CHECK_FALSE(ToJson(enough)["pairs"][0].contains("no_winner"));
}

TEST_CASE("The least p is what Holm's method leaves of the least p of all pairs") {
  // Six trials of a family of two: 2 · 2⁻⁵ beside equals, 2⁻⁵ beside one that may be rejected
  // first.
  const MatchedSamples six = Samples(std::vector<double>(6, 1.0), std::vector<double>(6, 0.8));
  const Comparison equals = Compare({six, six}, kRatio, Better::kLower, 0.05);
  CHECK(equals.pairs[0].least_p == 0.0625);
  CHECK(equals.pairs[0].no_winner == NoWinner::kTooFew);
  const Comparison mixed =
      Compare({six, Samples(kOnes, Twelve(0.8))}, kRatio, Better::kLower, 0.05);
  CHECK(mixed.pairs[0].least_p == 0.03125);
  CHECK(mixed.pairs[0].adjusted_p == 0.03125);
  CHECK_FALSE(mixed.pairs[0].no_winner.has_value());
  for (const std::string& note : mixed.notes) CHECK(note.find("cannot tell") == std::string::npos);
  const MatchedSamples one = Samples({1.0}, {0.8}), four = Samples({1, 1, 1, 1}, {2, 2, 2, 2});
  CHECK(Compare({one, four, one}, kRatio, Better::kLower, 0.05).notes.back() ==
        "1 pair (least adjusted p 1), 4 pairs (least adjusted p 0.38) cannot tell anything apart "
        "at 0.05: no "
        "side is bold there, and there is no p and no P(B better)");
}

TEST_CASE("No side is better by a metric that other body frames may rank otherwise") {
  RunMetric framed = kRatio;
  framed.better = Better::kLower;
  framed.framed = true;
  const Comparison comparison =
      Compare({Samples(kOnes, Twelve(0.8))}, framed, Better::kLower, 0.05);
  CHECK(comparison.pairs[0].no_winner == NoWinner::kFramed);
  CHECK(RenderComparison(comparison).find("**") == std::string::npos);
  CHECK(ToJson(comparison)["pairs"][0]["no_winner"] == "body frames may decide");
  CHECK(comparison.notes.back() ==
        "m depends on the choice of body frames: others may rank otherwise, so that no side is "
        "better");
  CHECK(Compare({Samples(kOnes, kOnes)}, framed, Better::kLower, 0.05).notes.size() == 1);
}

TEST_CASE("No side is better where the mean change is none") {
  std::vector<double> a, b;
  for (int i = 0; i < 12; ++i) {
    a.push_back(1 + i % 2);
    b.push_back(2 - i % 2);
  }
  for (const Better better : {Better::kLower, Better::kHigher}) {
    const Comparison paired = Compare({Samples(a, b)}, kRatio, better, 0.05);
    CHECK(paired.pairs[0].change == 0.0);
    CHECK(paired.pairs[0].no_winner == NoWinner::kEqual);
    CHECK(RenderComparison(paired).find("**") == std::string::npos);
    CHECK(paired.pairs[0].probability_of_improvement == 0.5);
    const Comparison unpaired = Compare({Samples(a, b)}, kRatio, better, 0.05, Pairing::kNone);
    CHECK(unpaired.pairs[0].no_winner == NoWinner::kEqual);
  }
}

TEST_CASE("Estimators of one run are compared cell by cell, each against the first") {
  const TemporaryFolder folder;
  SampleRun().WriteTo(folder.path());
  const RunFolder run(folder.path());
  const std::vector<MatchedSamples> matched =
      MatchEstimators(run, "rmse_nm@validation", {"ols", "wls"});
  REQUIRE(matched.size() == 2);
  CHECK(matched[1].cell.index == 1);
  CHECK(matched[1].b_label == "wls");
  const Comparison comparison = Compare(matched, {"m", "N·m", {}}, Better::kLower, 0.05);
  CHECK(comparison.pairs[1].change == doctest::Approx(-0.5));
  CHECK_THROWS_WITH_AS(MatchEstimators(run, "rmse_nm@validation", {"ols", "wl"}),
                       "the run has no estimator \"wl\"\n  accepted here: ols, wls\n  did you mean "
                       "'wls'?",
                       std::invalid_argument);
}

/// Samples with a metric beside their own.
MatchedSamples With(MatchedSamples samples, const std::string& metric, std::vector<double> a,
                    std::vector<double> b) {
  const MatchedSamples other = Samples(std::move(a), std::move(b));
  samples.beside.push_back({metric, other.a, other.b});
  return samples;
}

TEST_CASE("No side is better where the same score at another smoothing says the other one is") {
  const auto compared = [](double unsmoothed) {
    return Compare({With(With(Samples(kOnes, Twelve(0.8)), "m(2)", kOnes, Twelve(0.9)), "m(none)",
                         kOnes, Twelve(unsmoothed))},
                   kRatio, Better::kLower, 0.05);
  };
  const Comparison agreed = compared(0.7);
  CHECK(agreed.pairs[0].disagreeing.empty());
  CHECK(RenderComparison(agreed).find("**0.8") != std::string::npos);
  CHECK_FALSE(ToJson(agreed)["pairs"][0].contains("disagreeing"));
  const Comparison denied = compared(1.25);
  REQUIRE(denied.pairs[0].disagreeing.size() == 1);
  CHECK(denied.pairs[0].disagreeing[0].metric == "m(none)");
  CHECK(RenderComparison(denied).find("**") == std::string::npos);
  CHECK(denied.pairs[0].no_winner == NoWinner::kDisagreeing);
  CHECK_FALSE(ToJson(denied)["pairs"][0].contains("probability_of_improvement"));
  CHECK(denied.notes.back() ==
        "no side is better where the same score at other smoothings does not say so, too: cell 0, "
        "ols: m(none) +25 %");
  CHECK(ToJson(denied)["pairs"][0]["disagreeing"][0]["metric"] == "m(none)");
  CHECK(ToJson(denied)["pairs"][0]["disagreeing"][0]["change"].get<double>() ==
        doctest::Approx(0.25));
  // Equal by one of them is no contradiction, what has no value none of an agreement.
  CHECK(compared(1.0).pairs[0].disagreeing.empty());
  const Comparison failed = compared(std::numeric_limits<double>::quiet_NaN());
  CHECK(failed.notes.back().ends_with("cell 0, ols: no m(none)"));
  CHECK_FALSE(ToJson(failed)["pairs"][0]["disagreeing"][0].contains("change"));
}

TEST_CASE("Where higher is better, so it is of the metrics beside") {
  const auto disagreeing = [](double other) {
    return Compare({With(Samples({1.0}, {2.0}), "other", {1.0}, {other})}, kRatio, Better::kHigher,
                   0.05)
        .pairs[0]
        .disagreeing.size();
  };
  CHECK(disagreeing(1.5) == 0);
  CHECK(disagreeing(0.5) == 1);
}

TEST_CASE("Estimators of one run are compared by what ranks with the metric, too") {
  const TemporaryFolder folder;
  SampleRun sample;
  sample.manifest["metrics"]["rmse_nm@validation"]["ranks_with"] = {"relative_error", "not there"};
  sample.change = [](Json& record) {
    Json& value = record["metrics"]["relative_error"]["value"];
    if (record["estimator"] == "wls") value = 2.0 * value.get<double>();
  };
  sample.WriteTo(folder.path());
  const RunFolder run(folder.path());
  const Comparison comparison = Compare(MatchEstimators(run, "rmse_nm@validation", {"ols", "wls"}),
                                        {"m", "N·m", {}}, Better::kLower, 0.05);
  CHECK(comparison.pairs[0].b_is_better);
  REQUIRE(comparison.pairs[0].disagreeing.size() == 2);
  CHECK(comparison.pairs[0].disagreeing[0].change.value() == doctest::Approx(1.0));
  CHECK_FALSE(comparison.pairs[0].disagreeing[1].change.has_value());
}

TEST_CASE("A comparison as JSON has all its numbers") {
  const MatchedSamples doubled = Samples({1, 2, 3, 4, 5, 6}, {2, 4, 6, 8, 10, 12});
  const Json json = ToJson(Compare({doubled}, kRatio, Better::kLower, 0.05));
  CHECK(json["format"] == 1);
  CHECK(json["pairs"][0]["change"].get<double>() == doctest::Approx(1.0));
  CHECK(json["pairs"][0]["p"] == 0.03125);
  CHECK(json["pairs"][0]["failure_p"] == 1.0);
  CHECK(json["pairs"][0]["a"]["trials"] == 6);
  CHECK_FALSE(json["pairs"][0].contains("interval"));
}

TEST_CASE("An interval is promised where there is one, and a single comparison is one") {
  const auto said = [](std::size_t trials) {
    const std::vector<double> ones(trials, 1.0), less(trials, 0.8);
    return Compare({Samples(ones, less)}, kRatio, Better::kLower, 0.05).notes.front();
  };
  CHECK(
      said(10) ==
      "paired by trial; change: geometric mean of the ratios with its 95 % interval; p: sign-flip "
      "test, adjusted by Holm over 1 comparison; bold: better on average; ≈: not told apart at "
      "0.05");
  CHECK(said(9).find("ratios (an interval needs 10 pairs); p") != std::string::npos);
}

TEST_CASE("Which values are better is told, whichever side has them") {
  for (const Better better : {Better::kLower, Better::kHigher}) {
    const Comparison comparison = Compare({Samples({1.0}, {0.8})}, kRatio, better, 0.05);
    const std::string name(ToString(better));
    CHECK(RenderComparison(comparison).starts_with("## m, " + name + " is better\n"));
    CHECK(ToJson(comparison)["better"] == name);
  }
}

}  // namespace
}  // namespace idbench
