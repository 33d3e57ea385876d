#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/gate/compare.h"
#include "reports/gate/compared_samples_test.h"
#include "scenarios/options/json.h"

/// What sides have in common: trials, seeds, or nothing.
namespace idbench {
namespace {

TEST_CASE("Different trials are compared as independent samples, and that is said first") {
  std::vector<double> a, b;
  for (int k = 0; k < 12; ++k) {
    a.push_back(1.0 + 0.1 * (k % 3));
    b.push_back(2.0 + 0.1 * (k % 4));
  }
  const Comparison comparison =
      Compare({Samples(a, b)}, kRatio, Better::kLower, 0.05, Pairing::kNone);
  const ComparedPair& pair = comparison.pairs[0];
  CHECK(pair.tested);
  // Geometric means 1.096 and 2.147.
  CHECK(pair.change == doctest::Approx(*pair.b.average / *pair.a.average - 1.0));
  CHECK(pair.interval->lower < pair.change);
  CHECK(pair.interval->upper > pair.change);
  CHECK(pair.p < 1e-6);
  CHECK_FALSE(pair.b_is_better);
  CHECK(comparison.notes.front().starts_with(
      "not paired: the sides are taken as independent samples; "));
  CHECK(RenderComparison(comparison)
            .starts_with("## m, lower is better, of trials that are not the same\n"));
  const Json json = ToJson(comparison);
  CHECK(json["paired"] == false);
  CHECK(json["pairing"] == "none");
  CHECK_FALSE(json["pairs"][0].contains("failure_p"));
}

/// What is said first of samples that are paired by their seeds alone.
Comparison ByTheirSeeds(std::optional<bool> same_rollouts, bool same_motions, bool moved_once) {
  MatchedSamples samples = Samples(kOnes, Twelve(0.8));
  samples.same_rollouts = same_rollouts;
  samples.same_motions = same_motions;
  if (moved_once) samples.a.rollouts.assign(12, 0);
  return Compare({samples}, kRatio, Better::kLower, 0.05, Pairing::kSeeds);
}

TEST_CASE("Trials that have their seeds alone in common are paired, and what they share is told") {
  const Comparison alike = ByTheirSeeds(true, true, true);
  CHECK(alike.notes.size() == 1);
  CHECK(alike.notes[0].starts_with(
      "paired by the number of a trial: these are not the same trials, but have the same seeds and "
      "roll-outs; change: "));
  CHECK(RenderComparison(alike).starts_with("## m, lower is better, of trials that are not the "));
  CHECK(ToJson(alike)["paired"] == true);
  CHECK(ToJson(alike)["pairing"] == "seeds");
  CHECK(ToJson(alike)["pairs"][0].contains("failure_p"));
  CHECK(ByTheirSeeds(std::nullopt, false, false).notes[0].find("the same seeds; change") !=
        std::string::npos);
  const Comparison other = ByTheirSeeds(false, false, false);
  CHECK(other.notes.size() == 1);
  CHECK(other.notes[0].find("the same seeds, on other roll-outs; change") != std::string::npos);
  const Comparison once = ByTheirSeeds(false, false, true);
  REQUIRE(once.notes.size() == 2);
  CHECK(once.notes[1] ==
        "a side that has one motion, and not that of the other side, speaks for this motion alone: "
        "a change may be that of the motions");
}

TEST_CASE("Recordings have no draws: nothing is tested, and a change is of these data") {
  const Comparison comparison = Compare({Samples({1.0}, {0.8}), Samples({1.0}, {1.0})}, kRatio,
                                        Better::kLower, 0.05, Pairing::kRecordings);
  CHECK(comparison.pairs[0].no_winner == NoWinner::kUntested);
  CHECK(comparison.pairs[0].change == doctest::Approx(-0.2));
  CHECK(comparison.pairs[1].identical);
  CHECK(comparison.notes ==
        std::vector<std::string>{
            "1 of 2 are identical, bit for bit, and not shown",
            "recordings have no random draws: each side has one value, nothing is tested, and a "
            "change is of these data alone"});
  CHECK(RenderComparison(comparison).find("**") == std::string::npos);
  const Json json = ToJson(comparison);
  CHECK(json["paired"] == false);
  CHECK(json["pairing"] == "recordings");
  CHECK_FALSE(json["pairs"][0].contains("p"));
  CHECK_FALSE(json["pairs"][0].contains("failure_p"));
  CHECK_FALSE(json["pairs"][0].contains("probability_of_improvement"));
}

TEST_CASE("So few independent values that no arrangement is rare are not told apart") {
  const auto compared = [](std::vector<double> a, std::vector<double> b) {
    return Compare({Samples(std::move(a), std::move(b))}, kRatio, Better::kLower, 0.05,
                   Pairing::kNone);
  };
  const Comparison few = compared({1.0, 1.001, 1.002}, {2.0, 2.001, 2.002});
  CHECK(few.pairs[0].no_winner == NoWinner::kTooFew);
  CHECK(few.notes.back() ==
        "3 independent values (least adjusted p 0.1) cannot tell anything apart at 0.05: no side "
        "is bold there, and there is no p and no P(B better)");
  CHECK(ToJson(few)["pairs"][0]["least_p"] == doctest::Approx(0.1));
  CHECK_FALSE(ToJson(few)["pairs"][0].contains("p"));
  const Comparison enough = compared({1.0, 1.001, 1.002, 1.003}, {2.0, 2.001, 2.002, 2.003});
  CHECK_FALSE(enough.pairs[0].no_winner.has_value());
  CHECK(ToJson(enough)["pairs"][0].contains("p"));
}

TEST_CASE("Of sides that each moved once and not alike nothing is tested, nor bold") {
  MatchedSamples samples = Samples(kOnes, std::vector<double>(12, 2.0));
  samples.b.overall[0] = 2.5;
  samples.a.rollouts.assign(12, 0);
  samples.b.rollouts.assign(12, 0);
  samples.same_motions = false;
  const Comparison comparison = Compare({samples}, kRatio, Better::kLower, 0.05, Pairing::kNone);
  CHECK_FALSE(comparison.pairs[0].tested);
  CHECK(comparison.pairs[0].no_winner == NoWinner::kUntested);
  CHECK(comparison.notes ==
        std::vector<std::string>{"not paired and not tested where there is no p: a side has one "
                                 "motion, and not that of the "
                                 "other side, or one value, so that a difference may be that of "
                                 "the motions; draw motions per trial, "
                                 "or compare runs with one seed"});

  CHECK(RenderComparison(comparison).find("**") == std::string::npos);
  CHECK_FALSE(ToJson(comparison)["pairs"][0].contains("p"));
  samples.b.rollouts = Samples(kOnes, kOnes).b.rollouts;  // nor against a side with many
  CHECK_FALSE(Compare({samples}, kRatio, Better::kLower, 0.05, Pairing::kNone).pairs[0].tested);
  samples.b.rollouts = samples.a.rollouts;
  // Fresh noise on the same motion is another thing.
  samples.same_motions = true;
  CHECK(Compare({samples}, kRatio, Better::kLower, 0.05, Pairing::kNone).pairs[0].tested);
}

}  // namespace
}  // namespace idbench
