#include "bench/gate/interleaved.h"

#include <doctest/doctest.h>

#include <cmath>

namespace idbench {
namespace {

TEST_CASE("Times are judged by the median of the pairs, and one disturbed pair moves nothing") {
  GateRules rules;
  const auto judge = [&rules](double change) {
    std::vector<double> ratios(12);
    for (std::size_t k = 0; k < 12; ++k) ratios[k] = std::log1p(change) + (k % 2 ? 0.004 : -0.004);
    ratios[5] += 3.0;
    return JudgeTimes({{0, {}, "ols", TimedQuantity::kEstimate, ratios}}, rules);
  };
  const GateReport slower = judge(0.10);
  CHECK(slower.verdict == GateVerdict::kRegression);
  CHECK(slower.members[0].effect == doctest::Approx(0.10).epsilon(0.06));
  CHECK(slower.members[0].interval.value().lower > 0.09);
  CHECK(judge(0.0).verdict == GateVerdict::kPass);
  CHECK(judge(-0.10).members[0].verdict == MemberVerdict::kImproved);
  const GateReport few = JudgeTimes({{.name = "ols", .log_ratios = {0.2, 0.2, 0.2, 0.2}}}, rules);
  CHECK(few.verdict == GateVerdict::kInconclusive);
}

TEST_CASE("A case is inconclusive while its interval reaches beyond the tolerance") {
  GateRules rules;
  std::vector<double> ratios(12, 0.0);
  for (std::size_t k = 0; k < 4; ++k) ratios[k] = 0.2;
  const auto verdict = [&rules](const std::vector<double>& log_ratios) {
    return JudgeTimes({{.name = "ols", .log_ratios = log_ratios}}, rules).members[0].verdict;
  };
  CHECK(verdict(ratios) == MemberVerdict::kInconclusive);
  for (std::size_t k = 0; k < 4; ++k) ratios[k] = 0.02;
  CHECK(verdict(ratios) == MemberVerdict::kSame);
}

TEST_CASE("A workload has no cell, and each duration is printed by name and unit") {
  const std::vector<double> same(6, 0.0);
  const GateReport report = JudgeTimes(
      {{.name = "kernel", .quantity = TimedQuantity::kCall, .log_ratios = same},
       {.cell = 2, .name = "ekf", .quantity = TimedQuantity::kUpdate, .log_ratios = same}},
      {});
  REQUIRE(report.members.size() == 2);
  CHECK_FALSE(report.members[0].cell.has_value());
  CHECK(report.members[0].metric == "ns");
  CHECK(report.members[0].kind == GateMemberKind::kDuration);
  CHECK(report.members[1].cell == 2);
  CHECK(report.members[1].metric == "update_us");
}

}  // namespace
}  // namespace idbench
