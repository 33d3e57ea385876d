#include "reports/gate/gate.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

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
  return {0, {{"noise", "1"}}, estimator, std::move(pairs)};
}

GateOptions Options() {
  GateOptions options;
  options.metric = "rmse";
  return options;
}

/// Reserve trials that no gate should have asked for.
std::vector<Pairs> NoReserve(const std::vector<std::size_t>&) {
  FAIL("reserve trials were asked for");
  return {};
}

TEST_CASE("Equal values are identical, and cost no test") {
  const GateReport report =
      DecideGate({Subject("ols", Same(3)), Subject("wls", Same(3))}, Options(), &NoReserve);
  CHECK(report.verdict == GateVerdict::kPass);
  REQUIRE(report.members.size() == 2);
  CHECK(report.members[0].verdict == MemberVerdict::kIdentical);
  CHECK(report.sentences.empty());
}

TEST_CASE("A loss above the tolerance that reserve trials confirm is a regression") {
  std::vector<std::size_t> asked;
  const GateReport report =
      DecideGate({Subject("ols", Same(200)), Subject("wls", Worse(0.05, 200, 1))}, Options(),
                 [&asked](const std::vector<std::size_t>& subjects) {
                   asked = subjects;
                   return std::vector<Pairs>{Worse(0.05, 200, 2)};
                 });
  CHECK(asked == std::vector<std::size_t>{1});
  CHECK(report.verdict == GateVerdict::kRegression);
  REQUIRE(report.members.size() == 2);
  const GateMember& worst = report.members[0];
  CHECK(worst.estimator == "wls");
  CHECK(worst.verdict == MemberVerdict::kRegression);
  CHECK(worst.effect == doctest::Approx(0.05).epsilon(0.4));
  CHECK(worst.reserve.has_value());
  CHECK(worst.sentence.find("noise 1, wls: rmse is ") == 0);
  CHECK(report.members[1].verdict == MemberVerdict::kIdentical);
}

TEST_CASE("What reserve trials do not confirm is chance") {
  const GateReport report = DecideGate({Subject("ols", Worse(0.05, 400, 1))}, Options(),
                                       [](const auto&) { return std::vector{Worse(0, 400, 2)}; });
  CHECK(report.verdict == GateVerdict::kPass);
  CHECK(report.members[0].verdict == MemberVerdict::kSame);
  CHECK(report.members[0].sentence.ends_with(": chance"));
}

TEST_CASE("Reserve trials that are too few to confirm leave it open") {
  const GateReport report = DecideGate({Subject("ols", Worse(0.05, 400, 1))}, Options(),
                                       [](const auto&) { return std::vector{Worse(0.05, 5, 2)}; });
  CHECK(report.verdict == GateVerdict::kInconclusive);
  CHECK(report.members[0].sentence.find("5 reserve trials would find a change of ") !=
        std::string::npos);
}

TEST_CASE("A certain change below the tolerance is no regression") {
  const std::vector<double> a(30, 1.0);
  const std::vector<double> b(30, 1.01);
  const GateReport report =
      DecideGate({Subject("ols", MakePairs(a, b, OwnRollouts(30)))}, Options(), &NoReserve);
  CHECK(report.verdict == GateVerdict::kPass);
  CHECK(report.members[0].verdict == MemberVerdict::kSame);
  CHECK(report.members[0].adjusted_p.value() <= 0.05);
}

TEST_CASE("A gate that cannot fire says so, and how many trials would do") {
  const GateReport report = DecideGate({Subject("ols", Worse(0.0, 20, 6))}, Options(), &NoReserve);
  CHECK(report.verdict == GateVerdict::kInconclusive);
  CHECK(report.sentences.empty());
  // ((1.96 + 0.84) 0.09/ln 1.02)² = 162 times χ²(19)/19, which lies in [0.36, 2.03] at 99 %.
  CHECK(report.units_needed >= 58);
  CHECK(report.units_needed <= 329);
  CHECK_FALSE(report.units_are_rollouts);
  CHECK(SentencesOf(report) == std::vector{std::to_string(report.units_needed) +
                                           " trials would do for all that is inconclusive"});
  CHECK(ToJson(report)["sentences"] == Json(SentencesOf(report)));
  // That number does, on other draws of the same spread; somewhat more against their chance.
  const auto enough = static_cast<std::size_t>(1.3 * 162);
  CHECK(DecideGate({Subject("ols", Worse(0.0, enough, 5))}, Options(), &NoReserve).verdict ==
        GateVerdict::kPass);
}

TEST_CASE("Few pairs are inconclusive even if all of them changed by the same") {
  const std::vector<double> a(4, 1.0);
  const std::vector<double> b(4, 1.5);
  const GateReport report =
      DecideGate({Subject("ols", MakePairs(a, b, OwnRollouts(4)))}, Options(), &NoReserve);
  CHECK(report.verdict == GateVerdict::kInconclusive);
  CHECK(report.units_needed == 6);
  CHECK(SentencesOf(report)[0] == "6 trials would do for all that is inconclusive");
  const GateReport one =
      DecideGate({Subject("ols", MakePairs(std::vector{1.0}, std::vector{1.5}, OwnRollouts(1)))},
                 Options(), &NoReserve);
  CHECK(one.members[0].sentence == "noise 1, ols: 1 trials tell nothing of the spread");
}

TEST_CASE("Without anything random a change above the tolerance is a regression by itself") {
  const auto gate = [](double value) {
    return DecideFixedGate(
        {Subject("ols", MakePairs(std::vector{1.0}, std::vector{value}, OwnRollouts(1)))},
        Options());
  };
  CHECK(gate(1.03).verdict == GateVerdict::kRegression);
  CHECK(gate(1.03).members[0].sentence ==
        "noise 1, ols: rmse is 3 % worse, and nothing in the data is random");
  CHECK(gate(1.01).members[0].verdict == MemberVerdict::kSame);
  CHECK(gate(0.9).members[0].verdict == MemberVerdict::kImproved);
  CHECK(gate(1.0).members[0].verdict == MemberVerdict::kIdentical);
  CHECK(gate(kFailedValue).verdict == GateVerdict::kRegression);
}

TEST_CASE("New failures are a regression of their own, by McNemar's test") {
  const GateReport report = DecideGate({Subject("ols", Failing(10, 100))}, Options(),
                                       [](const auto&) { return std::vector{Failing(12, 100)}; });
  CHECK(report.verdict == GateVerdict::kRegression);
  REQUIRE(report.members.size() == 2);
  CHECK(report.members[0].verdict == MemberVerdict::kRegression);
  const GateMember& failures = report.members[0].kind == GateMemberKind::kFailureRate
                                   ? report.members[0]
                                   : report.members[1];
  CHECK(failures.effect == doctest::Approx(0.1));
  CHECK(failures.p.value() == doctest::Approx(2.0 / 1024));
  CHECK(failures.sentence.find("noise 1, ols: 10 of 100 trials failed, 0 before") == 0);
}

TEST_CASE("A single new failure in a hundred is below the tolerance") {
  const GateReport report = DecideGate({Subject("ols", Failing(1, 100))}, Options(), &NoReserve);
  CHECK(report.verdict == GateVerdict::kPass);
}

TEST_CASE("A certain gain is an improvement") {
  const GateReport report =
      DecideGate({Subject("ols", Worse(-0.1, 200, 3))}, Options(), &NoReserve);
  CHECK(report.verdict == GateVerdict::kPass);
  CHECK(report.members[0].verdict == MemberVerdict::kImproved);
}

TEST_CASE("Identical members do not weaken the others: Holm counts what could reject") {
  std::vector<GateSubject> subjects = {Subject("ols", Worse(0.05, 200, 1))};
  const auto adjusted = [&subjects] {
    return DecideGate(subjects, Options(),
                      [](const auto&) { return std::vector{Worse(0.05, 200, 2)}; })
        .members[0]
        .adjusted_p.value();
  };
  const double alone = adjusted();
  for (int k = 0; k < 50; ++k) subjects.push_back(Subject("same", Same(200)));
  CHECK(adjusted() == alone);
}

TEST_CASE("Label-swapped gates alarm in less than 5 % of all cases, and are flagged at about 5 %") {
  GateOptions options = Options();
  options.tolerance = 1e-6;  // the tests alone decide
  std::vector<GateSubject> subjects;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    subjects.push_back(Subject("ols", Worse(0, 40, 10 + seed)));
  }
  const PseudoGates result = RunPseudoGates(subjects, options, 1000);
  CHECK(result.gates == 1000);
  // Two-sided tests at a family-wise 5 %, half of them for the worse: 25 expected, sd 4.9.
  CHECK(result.flagged >= 10);
  CHECK(result.flagged <= 45);
  CHECK(result.alarms <= 5);  // about 0.025² × 1,000
}

TEST_CASE("A gate is told as text and as JSON") {
  GateReport report = DecideGate({Subject("ols", Failing(10, 100))}, Options(),
                                 [](const auto&) { return std::vector{Failing(12, 100)}; });
  report.baseline = "base";
  const Json json = ToJson(report);
  CHECK(json["format"] == 1);
  CHECK(json["baseline"] == "base");
  CHECK(json["verdict"] == "regression");
  CHECK(json["members"][0]["axes"]["noise"] == "1");
  CHECK(json["members"][0]["reserve"]["effect"].is_number());
  CHECK(
      RenderGate(report) ==
      "gate: regression: 2 regression\n\n## What changed\n\n"
      "| verdict    |    cell | estimator |         what |                   change | p (Holm) |   "
      "          reserve |\n"
      "| ---------- | ------: | --------: | -----------: | -----------------------: | -------: | -"
      "-----------------: |\n"
      "| regression | noise 1 |       ols |         rmse |  +7.18 % [+2.82, +11.72] |   0.0039 |  "
      "+8.67 %, p 0.00098 |\n"
      "| regression | noise 1 |       ols | failure rate | +10.00 % [+4.02, +15.98] |   0.0039 | +"
      "12.00 %, p 0.00098 |\n\n"
      "- noise 1, ols: rmse is 7.18 % worse (p = 0.0039 after Holm), and on 100 reserve trials "
      "8.67 % (p = 0.00098)\n"
      "- noise 1, ols: 10 of 100 trials failed, 0 before (p = 0.0039 after Holm), and on 100 "
      "reserve trials 12 % (p = 0.00098)\n");
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
      {Subject("ols", MakePairs(std::vector<double>(8, 1.0), b, rollouts))}, Options(), &NoReserve);
  CHECK(report.units_needed > 4);
  CHECK(report.units_are_rollouts);
  CHECK(SentencesOf(report) == std::vector{std::to_string(report.units_needed) +
                                           " roll-outs would do for all that is inconclusive"});
}

TEST_CASE("A report's tally and reason are values, and its text is made of them") {
  GateReport report = Incomparable("other seeds");
  CHECK(PrintTally(report).empty());
  CHECK(ReasonOf(report) == "other seeds");
  CHECK(RenderGate(report) == "gate: incomparable\n- other seeds\n");
  report.verdict = GateVerdict::kInconclusive;
  report.units_needed = 7;
  CHECK(ReasonOf(report) == "7 trials would do for all that is inconclusive");
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
