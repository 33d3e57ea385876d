#include "reports/gate/gate.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>

#include "reports/gate/gate_report.h"
#include "reports/statistics/paired_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr double kSpread = 0.09;

/// n pairs that are `loss` worse, with a paired deviation of kSpread.
Pairs Worse(double loss, std::size_t n, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::vector<double> a(n, 1.0);
  std::vector<double> b(n);
  for (double& value : b) value = std::exp(std::log1p(loss) + kSpread * NormalDraw(engine));
  return MakePairs(a, b, OwnRollouts(n));
}

/// The last `failures` of n equal trials failed.
Pairs Failing(std::size_t failures, std::size_t n) {
  std::vector<double> a(n, 1.0);
  std::vector<double> b = a;
  for (std::size_t i = 0; i < failures; ++i) b[n - 1 - i] = kFailedValue;
  return MakePairs(a, b, OwnRollouts(n));
}

Pairs Same(std::size_t n) { return Failing(0, n); }

GateSubject Subject(const char* estimator, Pairs pairs) {
  return {0, {{"noise", "1"}}, estimator, {.name = "rmse"}, std::move(pairs)};
}

GateRules Rules() { return {.metrics = {{.name = "rmse"}}}; }

/// A reserve that holds these pairs of the flagged subjects.
GateReserve ReserveOf(std::vector<Pairs> pairs) {
  const std::size_t units = pairs.empty() ? 0 : pairs.front().size();
  return {.pairs = [pairs](const std::vector<std::size_t>&) { return pairs; }, .units = units};
}

/// Reserve trials that no gate should have asked for.
GateReserve NoReserve() {
  return {.pairs =
              [](const std::vector<std::size_t>&) {
                FAIL("reserve trials were asked for");
                return std::vector<Pairs>{};
              },
          .units = 200};
}

TEST_CASE("Absolute changes are judged and told in the unit of the metric") {
  const auto subject = [](double loss, std::size_t n, std::uint64_t seed) {
    std::mt19937_64 engine(seed);
    std::vector<double> a(n), b(n);
    for (std::size_t i = 0; i < n; ++i) {
      a[i] = -593.0 + NormalDraw(engine);
      b[i] = a[i] + loss + 0.1 * NormalDraw(engine);
    }
    GateSubject of{
        0, {}, "motion of a", {.name = "jd", .tolerance = 3, .must_find = 6, .absolute = true}, {}};
    of.pairs = MakePairs(a, b, OwnRollouts(n), Better::kLower, true);
    return of;
  };
  const GateReport worse =
      DecideGate({subject(6.0, 40, 1)}, Rules(), ReserveOf({subject(6.0, 40, 2).pairs}));
  CHECK(worse.verdict == GateVerdict::kRegression);
  CHECK(worse.members[0].effect == doctest::Approx(6.0).epsilon(0.02));
  CHECK(worse.members[0].sentence.find(" worse, more than the tolerance of 3 (p = ") !=
        std::string::npos);
  CHECK(worse.members[0].sentence.find('%') == std::string::npos);
  const std::string text = RenderGate(worse);
  CHECK(text.find("(asked for: 6), and their trials can decide a tolerance of ") !=
        std::string::npos);
  CHECK(text.find("(declared: 3)") != std::string::npos);
  CHECK(ToJson(worse)["members"][0]["absolute"] == true);
  // 6 of −593 would be 1 % alone.
  CHECK(DecideGate({subject(1.0, 40, 1)}, Rules(), NoReserve()).verdict == GateVerdict::kPass);
}

TEST_CASE("Equal values are identical, and cost no test") {
  const GateReport report =
      DecideGate({Subject("ols", Same(3)), Subject("wls", Same(3))}, Rules(), NoReserve());
  CHECK(report.verdict == GateVerdict::kPass);
  REQUIRE(report.members.size() == 2);
  CHECK(report.members[0].verdict == MemberVerdict::kIdentical);
  CHECK(SentencesOf(report).empty());
}

TEST_CASE("A loss above the tolerance that reserve trials confirm is a regression") {
  std::vector<std::size_t> asked;
  const GateReserve reserve{.pairs =
                                [&asked](const std::vector<std::size_t>& subjects) {
                                  asked = subjects;
                                  return std::vector<Pairs>{Worse(0.05, 200, 2)};
                                },
                            .units = 200};
  const GateReport report = DecideGate(
      {Subject("ols", Same(200)), Subject("wls", Worse(0.05, 200, 1))}, Rules(), reserve);
  CHECK(asked == std::vector<std::size_t>{1});
  CHECK(report.verdict == GateVerdict::kRegression);
  REQUIRE(report.members.size() == 2);
  const GateMember& worst = report.members[0];
  CHECK(worst.estimator == "wls");
  CHECK(worst.verdict == MemberVerdict::kRegression);
  CHECK(worst.effect == doctest::Approx(0.05).epsilon(0.4));
  CHECK(worst.reserve.value().p <= 0.05);
  CHECK(worst.sentence.find("noise 1, wls: rmse is ") == 0);
  CHECK(report.members[1].verdict == MemberVerdict::kIdentical);
}

TEST_CASE("What reserve trials do not confirm is open, even if they are fine themselves") {
  const std::vector<GateSubject> flagged = {Subject("ols", Worse(0.05, 400, 1))};
  for (const Pairs& reserve : {Worse(0, 400, 2), Worse(0.02, 20, 2)}) {
    const GateReport open = DecideGate(flagged, Rules(), ReserveOf({reserve}));
    CHECK(open.verdict == GateVerdict::kInconclusive);
    CHECK(open.members[0].sentence.ends_with(": not confirmed"));
    CHECK(open.needed.has_value());
  }
}

TEST_CASE("Reserve trials that are too few to confirm anything leave it open") {
  const GateReport report =
      DecideGate({Subject("ols", Worse(0.05, 400, 1))}, Rules(), ReserveOf({Worse(0.05, 4, 2)}));
  CHECK(report.verdict == GateVerdict::kInconclusive);
  CHECK(report.members[0].sentence.find(
            "but 4 reserve trials can show nothing, whatever changed") != std::string::npos);
}

TEST_CASE("A certain change below the tolerance is no regression") {
  const std::vector<double> a(30, 1.0);
  const std::vector<double> b(30, 1.01);
  const GateReport report =
      DecideGate({Subject("ols", MakePairs(a, b, OwnRollouts(30)))}, Rules(), NoReserve());
  CHECK(report.verdict == GateVerdict::kPass);
  CHECK(report.members[0].verdict == MemberVerdict::kSame);
  CHECK(report.members[0].p == 1);
}

TEST_CASE("Below the tolerance at most α are red, at what must be found at least four of five") {
  constexpr int kGates = 300;
  const auto verdicts = [](double loss) {
    std::array<int, 4> counts{};
    for (int k = 0; k < kGates; ++k) {
      const auto seed = static_cast<std::uint64_t>(2 * k) + 100;
      // What the advice is for a spread of 0.09: 1.3 · 223.5 and 1.3 · 183.2.
      const GateReport report = DecideGate({Subject("ols", Worse(loss, 291, seed))}, Rules(),
                                           ReserveOf({Worse(loss, 239, seed + 1)}));
      ++counts[static_cast<std::size_t>(report.verdict)];
    }
    return counts;
  };
  const auto red = static_cast<std::size_t>(GateVerdict::kRegression);
  const auto open = static_cast<std::size_t>(GateVerdict::kInconclusive);
  // 5 % of 300 are 15 ± 3.8; at the tolerance both stages must err, which is 0.25 %.
  CHECK(verdicts(0.02)[red] <= 5);
  CHECK(verdicts(0)[red] == 0);
  CHECK(verdicts(0)[open] <= 15);
  CHECK(verdicts(0.04)[red] >= 240);
}

TEST_CASE("A gate with too few trials says so, and how many would do") {
  const GateReport report = DecideGate({Subject("ols", Worse(0.02, 20, 6))}, Rules(), NoReserve());
  CHECK(report.verdict == GateVerdict::kInconclusive);
  REQUIRE(report.needed.has_value());
  // 1.3 (2 · 1.645 · 0.09/ln 1.02)² = 291 times χ²(19)/19, which lies in [0.36, 2.03] at 99 %.
  CHECK(report.needed->first >= 100);
  CHECK(report.needed->first <= 595);
  CHECK_FALSE(report.units_are_rollouts);
  CHECK(SentencesOf(report)[0] ==
        std::to_string(report.needed->first) + " trials and " +
            std::to_string(report.needed->reserve) +
            " reserve trials would decide all that is inconclusive: set /trials and "
            "/gate/reserve_trials, and make both run and baseline anew");
  REQUIRE(report.powers.size() == 1);
  CHECK(report.powers[0].finds > 0.04);
  CHECK(report.powers[0].decides > 0.02);
}

TEST_CASE("Few pairs are inconclusive even if all of them changed by the same") {
  const std::vector<double> a(4, 1.0);
  const std::vector<double> b(4, 1.5);
  const GateReport report =
      DecideGate({Subject("ols", MakePairs(a, b, OwnRollouts(4)))}, Rules(), NoReserve());
  CHECK(report.verdict == GateVerdict::kInconclusive);
  CHECK(report.members[0].sentence == "noise 1, ols: 4 trials can show nothing, whatever changed");
  CHECK(report.needed == GateNeeds{7, 7});  // five can, and the margin of 1.3
}

TEST_CASE("Ten members that are ten times as bad are red once the trials can show it") {
  std::vector<GateSubject> subjects;
  std::vector<Pairs> reserve;
  for (std::uint64_t k = 0; k < 10; ++k) {
    subjects.push_back(Subject("ols", Worse(9, 8, k + 1)));
    reserve.push_back(Worse(9, 8, k + 101));
  }
  // 2⁻⁸ = 0.0039 is below 0.05/10; seven would not do, which WhyItCannotAlarm() tells beforehand.
  CHECK(DecideGate(subjects, Rules(), ReserveOf(reserve)).verdict == GateVerdict::kRegression);
  CHECK(WhyItCannotAlarm(0.05, 10, 8, 8) == "");
  CHECK(WhyItCannotAlarm(0.05, 10, 8, 7) ==
        "the gate can never alarm, whatever changes: 8 trials and 7 reserve trials decide nothing "
        "at alpha 0.05 among 10 members; at least 5 and 8 are needed");
  CHECK(WhyItCannotAlarm(0.05, 1, 4, 100) != "");
}

TEST_CASE("Without anything random a change above the tolerance is a regression by itself") {
  const auto gate = [](double value) {
    return DecideFixedGate(
        {Subject("ols", MakePairs(std::vector{1.0}, std::vector{value}, OwnRollouts(1)))}, Rules());
  };
  CHECK(gate(1.03).verdict == GateVerdict::kRegression);
  CHECK(gate(1.03).members[0].sentence ==
        "noise 1, ols: rmse is 3 % worse, and nothing in the data is random");
  CHECK(gate(1.01).members[0].verdict == MemberVerdict::kSame);
  CHECK(gate(0.9).members[0].verdict == MemberVerdict::kImproved);
  CHECK(gate(1.0).members[0].verdict == MemberVerdict::kIdentical);
  CHECK(gate(kFailedValue).verdict == GateVerdict::kRegression);
}

TEST_CASE("The same score at another smoothing can withdraw a verdict, and give none") {
  const auto one = [](double value) {
    return MakePairs(std::vector{1.0}, std::vector{value}, OwnRollouts(1));
  };
  const auto gate = [&](double value, double first, double second) {
    GateSubject subject = Subject("ols", one(value));
    subject.beside = {{"rmse(2)", one(first)}, {"rmse(none)", one(second)}};
    return DecideFixedGate({subject}, Rules());
  };
  CHECK(gate(0.9, 0.8, 0.95).members[0].verdict == MemberVerdict::kImproved);
  const GateReport contradicted = gate(0.9, 0.8, 1.2);
  CHECK(contradicted.verdict == GateVerdict::kInconclusive);
  CHECK(
      contradicted.members[0].sentence ==
      "noise 1, ols: rmse is 10 % better, but rmse(none) is 20 % worse: the same score at another "
      "smoothing decides who is better");
  const GateReport unsure = gate(0.9, 1.01, 1.0);
  CHECK(unsure.verdict == GateVerdict::kPass);
  CHECK(unsure.members[0].verdict == MemberVerdict::kSame);
  CHECK(unsure.members[0].sentence ==
        "noise 1, ols: rmse is 10 % better, but rmse(2) is not: no improvement");
  CHECK(gate(1.1, 1.2, 1.0).verdict == GateVerdict::kRegression);
  const GateReport withdrawn = gate(1.1, 1.2, 0.9);
  CHECK(withdrawn.verdict == GateVerdict::kInconclusive);
  CHECK(withdrawn.members[0].sentence.find("rmse is 10 % worse, but rmse(none) is 10 % better") !=
        std::string::npos);
  CHECK(gate(1.01, 1.2, 0.9).members[0].verdict == MemberVerdict::kSame);
  // What a side does not have agrees with no gain, and excuses no loss.
  for (const double value : {0.9, 1.1}) {
    GateSubject subject = Subject("ols", one(value));
    subject.not_beside = {"rmse(2)"};
    const GateReport report = DecideFixedGate({subject}, Rules());
    CHECK(report.members[0].verdict ==
          (value < 1.0 ? MemberVerdict::kSame : MemberVerdict::kRegression));
    CHECK(report.members[0].sentence.find(value < 1.0 ? "there is no rmse(2) on both sides"
                                                      : "nothing in the data is random") !=
          std::string::npos);
  }
}

TEST_CASE("A certain gain of noisy trials, too, needs the other smoothings") {
  GateSubject subject = Subject("ols", Worse(-0.1, 200, 3));
  subject.beside = {{"rmse(none)", Worse(0.1, 200, 4)}};
  CHECK(DecideGate({subject}, Rules(), NoReserve()).verdict == GateVerdict::kInconclusive);
  subject.beside[0].pairs = Worse(-0.05, 200, 4);
  CHECK(DecideGate({subject}, Rules(), NoReserve()).members[0].verdict == MemberVerdict::kImproved);
}

TEST_CASE("Of an estimator that fails everywhere its failures are told, and no loss of accuracy") {
  const auto refused = [](std::size_t n) {
    GateSubject subject = Subject("ols", Failing(n, n));
    subject.why_failed = "refused: it wants masses";
    return subject;
  };
  const GateReport report = DecideGate({refused(60)}, Rules(), ReserveOf({Failing(60, 60)}));
  CHECK(report.verdict == GateVerdict::kRegression);
  REQUIRE(report.members.size() == 1);
  CHECK(report.members[0].kind == GateMemberKind::kFailureRate);
  CHECK(report.members[0].sentence.find(
            "noise 1, ols: 60 of 60 trials failed (refused: it wants masses), 0 before") == 0);
  const GateReport fixed = DecideFixedGate({refused(1)}, Rules());
  REQUIRE(fixed.members.size() == 1);
  CHECK(fixed.verdict == GateVerdict::kRegression);
  CHECK(fixed.members[0].sentence ==
        "noise 1, ols: 1 of 1 trials failed (refused: it wants masses), 0 before, and nothing in "
        "the data is random");
  // Where some succeed, what is said of accuracy says what failures count for.
  GateSubject some = Subject("ols", Failing(1, 2));
  some.why_failed = "diverged: step 4 grew";
  CHECK(DecideFixedGate({some}, Rules())
            .members[0]
            .sentence.find(
                "worse, failures of 1 of 2 trials (diverged: step 4 grew) counted as losses") !=
        std::string::npos);
}

TEST_CASE("New failures are a regression of their own") {
  const GateReport report =
      DecideGate({Subject("ols", Failing(10, 100))}, Rules(), ReserveOf({Failing(12, 100)}));
  CHECK(report.verdict == GateVerdict::kRegression);
  REQUIRE(report.members.size() == 2);
  const auto failures =
      std::ranges::find(report.members, GateMemberKind::kFailureRate, &GateMember::kind);
  REQUIRE(failures != report.members.end());
  CHECK(failures->verdict == MemberVerdict::kRegression);
  CHECK(failures->effect == doctest::Approx(0.1));
  CHECK(failures->sentence.find("noise 1, ols: 10 of 100 trials failed, 0 before") == 0);
}

TEST_CASE("A new failure is open while the trials do not exclude an increase above the tolerance") {
  const auto failures = [](std::size_t trials) {
    GateRules rules = Rules();
    rules.metrics[0].tolerance = 0.5;  // the failure's own loss is not what this is about
    rules.metrics[0].must_find = 1;
    const GateReport report = DecideGate({Subject("ols", Failing(1, trials))}, rules, NoReserve());
    const auto member =
        std::ranges::find(report.members, GateMemberKind::kFailureRate, &GateMember::kind);
    return std::pair(member->verdict, report.needed);
  };
  CHECK(failures(400).first == MemberVerdict::kSame);
  const auto [verdict, needed] = failures(50);
  CHECK(verdict == MemberVerdict::kInconclusive);
  CHECK(failures(needed.value().first).first == MemberVerdict::kSame);
}

TEST_CASE("A certain gain is an improvement") {
  const GateReport report = DecideGate({Subject("ols", Worse(-0.1, 200, 3))}, Rules(), NoReserve());
  CHECK(report.verdict == GateVerdict::kPass);
  CHECK(report.members[0].verdict == MemberVerdict::kImproved);
}

TEST_CASE("A metric that an estimator no longer gives is a regression") {
  GateSubject lost = Subject("wls", {});
  lost.metric.name = "nees";
  lost.lost = true;
  const std::vector<GateSubject> subjects = {Subject("ols", Same(20)), lost};
  for (const GateReport& report :
       {DecideGate(subjects, Rules(), NoReserve()), DecideFixedGate(subjects, Rules())}) {
    CHECK(report.verdict == GateVerdict::kRegression);
    CHECK(report.members[0].sentence ==
          "noise 1, wls gives no nees any more; in the baseline it does");
    CHECK(RenderGate(report).find("| regression | noise 1 |       wls | nees |") !=
          std::string::npos);
  }
}

TEST_CASE("Failures that several metrics share are one member") {
  GateSubject first = Subject("ols", Failing(10, 100));
  GateSubject second = first;
  second.metric.name = "other";
  const GateReport report =
      DecideGate({first, second}, Rules(), ReserveOf({Failing(10, 100), Failing(10, 100)}));
  CHECK(std::ranges::count(report.members, GateMemberKind::kFailureRate, &GateMember::kind) == 1);
  CHECK(report.members.size() == 3);
}

TEST_CASE("Identical members do not weaken the others: Holm counts what was flagged") {
  std::vector<GateSubject> subjects = {Subject("ols", Worse(0.05, 200, 1))};
  const auto adjusted = [&subjects] {
    return DecideGate(subjects, Rules(), ReserveOf({Worse(0.05, 200, 2)}))
        .members[0]
        .reserve.value()
        .p;
  };
  const double alone = adjusted();
  for (int k = 0; k < 50; ++k) subjects.push_back(Subject("same", Same(200)));
  CHECK(adjusted() == alone);
}

TEST_CASE("A gate is told as text and as JSON") {
  GateReport report =
      DecideGate({Subject("ols", Failing(10, 100))}, Rules(), ReserveOf({Failing(12, 100)}));
  report.baseline = "base";
  const Json json = ToJson(report);
  CHECK(json["format"] == 2);
  CHECK(json["baseline"] == "base");
  CHECK(json["verdict"] == "regression");
  CHECK(json["members"][0]["axes"]["noise"] == "1");
  CHECK(json["members"][0]["reserve"]["effect"].is_number());
  const std::string text = RenderGate(report);
  CHECK(
      text.find("## What changed\n\n"
                "| verdict    |    cell | estimator |         what |                 worse by |") !=
      std::string::npos);
  CHECK(
      text.find("| regression | noise 1 |       ols | failure rate | +10.00 % [+4.02, +15.98] |") !=
      std::string::npos);
  CHECK(text.find("- noise 1, ols: 10 of 100 trials failed, 0 before, more than the tolerance of "
                  "2 % (p = ") != std::string::npos);
  CHECK(ToString(GateVerdict::kIncomparable) == "incomparable");
  CHECK(ToString(MemberVerdict::kImproved) == "improved");
}

TEST_CASE("Over roll-outs that trials share, roll-outs are what is lacking") {
  std::vector<std::uint32_t> rollouts(8);
  std::vector<double> b(8);
  for (std::size_t i = 0; i < 8; ++i) {
    rollouts[i] = static_cast<std::uint32_t>(i / 2);
    b[i] = i % 4 < 2 ? 1.1 : 0.9;
  }
  const GateReport report = DecideGate(
      {Subject("ols", MakePairs(std::vector<double>(8, 1.0), b, rollouts))}, Rules(), NoReserve());
  CHECK(report.needed.value().first > 4);
  CHECK(report.units_are_rollouts);
  CHECK(SentencesOf(report)[0].find(" roll-outs and ") != std::string::npos);
}

TEST_CASE("A report's tally and reason are values, and its text is made of them") {
  GateReport report = Incomparable("other seeds");
  CHECK(PrintTally(report).empty());
  CHECK(ReasonOf(report) == "other seeds");
  CHECK(RenderGate(report) == "gate: incomparable\n- other seeds\n");
  report.verdict = GateVerdict::kInconclusive;
  report.needed = GateNeeds{.first = 7};
  CHECK(ReasonOf(report) ==
        "7 trials, half of them kept back, would decide all that is inconclusive: make both run "
        "and baseline with so many");
  report.members.resize(3);
  report.members[0].verdict = MemberVerdict::kInconclusive;
  report.members[1].verdict = MemberVerdict::kSame;
  report.members[1].sentence = "it was chance";
  CHECK(report.Tally() == std::array<std::size_t, kMemberVerdicts>{0, 1, 0, 1, 1});
  CHECK(PrintTally(report) == "1 inconclusive, 1 same, 1 identical");
  CHECK(ReasonOf(report) == "it was chance");
  CHECK(ReasonOf({}).empty());
}

}  // namespace
}  // namespace idbench
