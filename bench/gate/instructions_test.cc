#include "bench/gate/instructions.h"

#include <doctest/doctest.h>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("Instructions are the program's own, without libraries and without what it calls") {
  const char* const text =
      "version: 1\nevents: Ir\n\nob=/bin/p\nfl=a\nfn=f\n10 100\n+1 20\n"
      "cob=/lib/libc.so\ncfn=malloc\ncalls=3 0\n10 5000\n12 7\n\n"
      "ob=/lib/libc.so\nfn=malloc\n0 5000\nob=/bin/p\nfn=g\n3 4\ntotals: 5131\n";
  CHECK(OwnInstructions(text, "/bin/p") == 131);
  CHECK(OwnInstructions(text, "/bin/q") == 0);
}

TEST_CASE("Counts are compared exactly, with the tolerance that their baseline declares") {
  InstructionCounts counts;
  *counts.build = {{"compiler", "12.2.0"}};
  counts.cases = {{"a", 1000}, {"b", 1000}, {"c", 1000}};
  const Json baseline = ToJson(counts);
  CHECK(JudgeInstructions(baseline, "f", counts).verdict == GateVerdict::kPass);
  InstructionCounts changed = counts;
  changed.cases = {{"a", 1100}, {"b", 1009}, {"d", 5}};
  const GateReport report = JudgeInstructions(baseline, "f", changed);
  CHECK(report.verdict == GateVerdict::kRegression);
  CHECK(report.members[0].sentence == "a: 1100 instructions a call, 1000 before");
  CHECK(report.members[1].verdict == MemberVerdict::kSame);
  CHECK(report.sentences == std::vector<std::string>{
                                "d is not in the baseline",
                                "c is in the baseline alone: count it, or make the baseline anew"});
  changed.cases.erase("a");
  CHECK(JudgeInstructions(baseline, "f", changed).verdict == GateVerdict::kIncomparable);
  changed.cases = {{"a", 1000}, {"b", 1000}, {"c", 1000}, {"d", 5}};
  CHECK(JudgeInstructions(baseline, "f", changed).verdict == GateVerdict::kPass);
  (*changed.build)["compiler"] = "13.1.0";
  const GateReport other = JudgeInstructions(baseline, "f", changed);
  CHECK(other.verdict == GateVerdict::kIncomparable);
  CHECK(other.sentences[0] ==
        "another build: /compiler is \"13.1.0\" here, \"12.2.0\" in the baseline");
  CHECK_THROWS_WITH_AS(JudgeInstructions(Json::object(), "f", counts),
                       "f: is no baseline of instruction counts\n  make one with `idbench gate "
                       "--instructions --write-baseline FILE`",
                       ConfigError);
}

constexpr const char* kErrors =
    "==7== Callgrind, a call-graph generating cache profiler\n"
    "workload left out: ols: it wants: a flat robot\n"
    "workload left out: map: no prior\n"
    "==7== For interactive control, run 'callgrind_control -h'.\n";

TEST_CASE("Estimators that refuse are no workloads, and are named with their reasons") {
  InstructionCounts counts;
  *counts.build = {{"compiler", "12.2.0"}};
  counts.cases = {{"MassMatrix/wam7", 10}, {"ols/wam7/80", 1000}};
  const Json baseline = ToJson(counts);
  CHECK(baseline["left_out"] == Json::object());
  counts.cases.erase("ols/wam7/80");
  counts.left_out = WorkloadsLeftOut(kErrors);
  CHECK(counts.left_out ==
        std::map<std::string, std::string>{{"ols", "it wants: a flat robot"}, {"map", "no prior"}});
  CHECK(ToJson(counts)["left_out"]["map"] == "no prior");
  // One that was no workload before is told alone; of one that was, nothing can be said any more.
  const GateReport report = JudgeInstructions(baseline, "f", counts);
  CHECK(report.verdict == GateVerdict::kIncomparable);
  CHECK(report.sentences ==
        std::vector<std::string>{
            "map is no workload, for it refuses: no prior",
            "ols is no workload, for it refuses: it wants: a flat robot",
            "ols/wam7/80 is in the baseline alone: now it refuses, see above; mend that, or make "
            "the baseline anew"});
  const GateReport alone = JudgeInstructions(ToJson(counts), "f", counts);
  CHECK(alone.verdict == GateVerdict::kPass);
  CHECK(alone.sentences.size() == 2);
}

TEST_CASE("Why counting ended is what the program said, not valgrind's greeting") {
  CHECK(CauseUnderValgrind(std::string(kErrors) + "idbench: no memory\n==7== Events: Ir\n") ==
        "idbench: no memory");
  CHECK(CauseUnderValgrind(kErrors) ==
        "==7== For interactive control, run 'callgrind_control -h'.");
}

}  // namespace
}  // namespace idbench
