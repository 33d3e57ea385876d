#include "reports/gate/gate_report.h"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

GateReport ReportOfAll() {
  GateReport report;
  report.baseline = "base";
  report.verdict = GateVerdict::kRegression;
  report.alpha = 0.01;
  report.tolerance = 0.1;
  report.sentences = {"one", "two"};
  GateMember regression;
  regression.cell = 3;
  regression.axes = {{"noise", "0.1"}, {"duration", "5"}};
  regression.estimator = "ols";
  regression.kind = GateMemberKind::kFailureRate;
  regression.metric = "failure rate";
  regression.verdict = MemberVerdict::kRegression;
  regression.effect = 0.25;
  regression.interval = {0.125, 0.375};
  regression.p = 0.5;
  regression.adjusted_p = 0.75;
  regression.reserve = GateMember::Reserve{0.5, 0.0625};
  regression.sentence = "ols failed";
  GateMember same;
  same.estimator = "wls";
  same.verdict = MemberVerdict::kSame;
  report.members = {regression, same};
  report.powers = {{.metric = {.name = "rmse", .tolerance = 0.1, .must_find = 0.2},
                    .finds = 0.25,
                    .decides = 0.125}};
  report.needed = GateNeeds{360, 290};
  report.units_are_rollouts = true;
  return report;
}

TEST_CASE("gate.json is read as it was written") {
  const TemporaryFolder folder;
  CHECK_FALSE(ReadGate(folder.path()).has_value());
  const Json written = ToJson(ReportOfAll());
  std::ofstream(folder.path() / "gate.json") << written.dump();
  const std::optional<GateReport> read = ReadGate(folder.path());
  REQUIRE(read.has_value());
  CHECK(ToJson(*read) == written);
  CHECK(read->members[0].kind == GateMemberKind::kFailureRate);
  CHECK(read->members[0].reserve.value().p == 0.0625);
}

TEST_CASE("What a gate lacks to be whole has a default, an effect that is no number is none") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "gate.json")
      << R"({"verdict":"pass","members":[{"cell":1,"estimator":"a","verdict":"improved",
             "effect":null,"interval":[null,1]}]})";
  const GateReport read = ReadGate(folder.path()).value();
  CHECK(read.verdict == GateVerdict::kPass);
  CHECK(read.sentences.empty());
  const GateMember& member = read.members.at(0);
  CHECK(member.kind == GateMemberKind::kAccuracy);
  CHECK(std::isnan(member.effect));
  CHECK_FALSE(member.interval.has_value());
  CHECK_FALSE(member.reserve.has_value());
}

TEST_CASE("What a gate finds is told, rounded so that it is found") {
  GateReport report = ReportOfAll();
  report.powers[0].finds = 0.041201;
  const std::vector<std::string> sentences = SentencesOf(report);
  REQUIRE(sentences.size() == 4);
  CHECK(sentences[0] ==
        "360 roll-outs and 290 reserve roll-outs would decide all that is inconclusive: set "
        "/trials and /gate/reserve_trials, and make both run and baseline anew");
  CHECK(sentences[1] ==
        "rmse: four of five such gates find a change of 4.2 % for the worse (asked for: 20 %), and "
        "their trials can decide a tolerance of 13 % (declared: 10 %)");
  report.powers[0].finds = std::numeric_limits<double>::infinity();
  CHECK(SentencesOf(report)[1] == "rmse: so few trials find no change, however large");
}

TEST_CASE("A damaged gate.json is refused with the place") {
  const TemporaryFolder folder;
  const auto message = [&folder](const char* text) -> std::string {
    std::ofstream(folder.path() / "gate.json") << text;
    try {
      ReadGate(folder.path());
    } catch (const ConfigError& error) {
      return std::string(error.what()).substr(folder.path().string().size() + 1);
    }
    return "";
  };
  CHECK(message("{}").starts_with("gate.json: [json.exception.out_of_range.403]"));
  CHECK(message(R"({"verdict":"paas"})") ==
        "gate.json: /verdict: got \"paas\"\n"
        "  accepted here: pass, regression, inconclusive, incomparable\n  did you mean 'pass'?");
  CHECK(message(R"({"verdict":"pass","members":[{"cell":0,"estimator":"a","verdict":"pass"}]})") ==
        "gate.json: /members/0/verdict: got \"pass\"\n"
        "  accepted here: regression, inconclusive, improved, same, identical");
}

TEST_CASE("A workload stands in no cell of the table, and in cell 0 of the file") {
  GateReport report;
  GateMember member;
  member.cell.reset();
  member.estimator = "kernel";
  member.kind = GateMemberKind::kInstructionCount;
  member.metric = "instructions";
  member.verdict = MemberVerdict::kImproved;
  member.effect = -0.5;
  report.members = {member};
  CHECK(ToJson(report)["members"][0]["cell"] == 0);
  CHECK(RenderGate(report).find("| improved |      |    kernel |") != std::string::npos);
  report.members[0].cell = 7;
  CHECK(RenderGate(report).find("| improved | cell 7 |") != std::string::npos);
}

}  // namespace
}  // namespace idbench
