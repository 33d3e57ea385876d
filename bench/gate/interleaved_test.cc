#include "bench/gate/interleaved.h"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <sstream>
#include <string>

#include "bench/run/exit_code.h"
#include "bench/small_run_test.h"
#include "robots/temporary_folder_test.h"

namespace idbench {
namespace {

TEST_CASE("Times are judged by the median of the pairs, and one disturbed pair moves nothing") {
  const GateRules rules;
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

TEST_CASE("A case is inconclusive while its pairs lie on both sides of the tolerance") {
  std::vector<double> ratios(12, 0.001);
  for (std::size_t k = 0; k < 4; ++k) ratios[k] = 0.2;
  const auto judge = [](const std::vector<double>& log_ratios) {
    return JudgeTimes({{.name = "ols", .log_ratios = log_ratios}}, {});
  };
  // Against ln 1.05 the ranks of the four are the greatest, 9-12 of 12: W⁻ = 36 of 78.
  CHECK(judge(ratios).members[0].verdict == MemberVerdict::kInconclusive);
  CHECK(judge(ratios).sentences[0].ends_with(
      " pairs would do for all that is inconclusive (--pairs); a rough number: it rests on the "
      "spread of 12 pairs"));
  std::vector<double> more = ratios;
  more.insert(more.end(), ratios.begin(), ratios.end());
  CHECK(
      judge(more).sentences[0].ends_with(" pairs would do for all that is inconclusive (--pairs)"));
  for (std::size_t k = 0; k < 4; ++k) ratios[k] = 0.02;
  CHECK(judge(ratios).members[0].verdict == MemberVerdict::kSame);
}

TEST_CASE("A slow-down among many cases needs as many pairs as Holm's method asks for") {
  const auto verdict = [](std::size_t cases, std::size_t pairs) {
    std::vector<TimedCase> timed(cases, {.name = "ols", .log_ratios = std::vector(pairs, 0.001)});
    timed[0].log_ratios.assign(pairs, 0.5);
    return JudgeTimes(timed, {}).verdict;
  };
  CHECK(verdict(102, 11) == GateVerdict::kRegression);  // 2⁻¹¹ · 102 = 0.0498
  CHECK(verdict(103, 11) == GateVerdict::kInconclusive);
}

TEST_CASE("The noise of the machine is that of a program against itself") {
  TimedCase timed{.name = "ols", .log_ratios = std::vector(8, 0.0)};
  for (int k = 1; k <= 21; ++k) {
    timed.repeated_log_ratios.push_back((k % 2 ? 1 : -1) * std::log1p(0.01 * k));
  }
  CHECK(JudgeTimes({timed}, {}).sentences.back() ==
        "noise of this machine: one program against itself in the same turn differs by 11 % in "
        "half of all pairs, by 20 % in one of twenty");
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

/// A program that answers every call of `run` with a folder made before, with its times multiplied.
std::string PretendedProgram(const TemporaryFolder& folder, const std::string& name,
                             double factor) {
  const std::filesystem::path made = folder / (name + "_run");
  std::filesystem::copy(folder / "run", made, std::filesystem::copy_options::recursive);
  std::istringstream lines(ReadText(folder / "run/timings.jsonl"));
  std::string timings;
  for (std::string line; std::getline(lines, line);) {
    Json json = ParseJson(line, "timings");
    json["estimate_ms"] = factor;
    timings += json.dump() + '\n';
  }
  folder.Write(name + "_run/timings.jsonl", timings);
  // As called: run SCENARIO --jobs 1 --out FOLDER
  std::string program =
      folder.Write(name, "#!/bin/sh\n[ \"$1\" = run ] && cp -r '" + made.string() + "' \"$6\"\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  return program;
}

TEST_CASE("Two programs are compared by the times that their runs tell") {
  const TemporaryFolder folder;
  Records(Description(), folder / "run");
  const std::string fast = PretendedProgram(folder, "fast", 1.0);
  const std::string slow = PretendedProgram(folder, "slow", 2.0);
  const GateReport slower = GateTimes(folder / "run", {.here = slow, .there = fast}, 7);
  CHECK(slower.verdict == GateVerdict::kRegression);
  REQUIRE(slower.members.size() == 4);  // two cells, two estimators
  for (const GateMember& member : slower.members) {
    CHECK(member.effect == doctest::Approx(1.0));
  }
  CHECK(slower.baseline == fast);
  CHECK(slower.sentences.back() == "the other program has no workloads: kernels were not compared");
  CHECK(GateTimes(folder / "run", {.here = fast, .there = fast}, 6).verdict == GateVerdict::kPass);
}

TEST_CASE("A program to compare with that is no idbench is refused by what it does") {
  const TemporaryFolder folder;
  Records(Description(), folder / "run");
  const std::string fine = PretendedProgram(folder, "fine", 1.0);
  const auto refusal = [&](const std::string& program) -> std::string {
    try {
      GateTimes(folder / "run", {.here = fine, .there = program}, 6);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(refusal("/bin/true") == "/bin/true wrote no run folder: it is no idbench");
  CHECK(refusal("/bin/false") == "/bin/false does not run the scenario:\n");
  for (const std::string& none : {std::string("/"), (folder / "missing").string()}) {
    CHECK(refusal(none) == none +
                               ": no such program, or none that can be run\n"
                               "  name the file of another idbench, as built");
  }
}

}  // namespace
}  // namespace idbench
