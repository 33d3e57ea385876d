#include "bench/identify/log_checks.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

const std::vector<LabFinding>& Two() {
  static const std::vector<LabFinding> findings = {
      {.check = "sign", .joint = "joint2", .evidence = "it fits better", .cure = "turn it"},
      {.check = "gaps", .joint = "", .evidence = "2 s are missing", .cure = "record again"}};
  return findings;
}

TEST_CASE("checks.json has each finding's check, joint, evidence and cure") {
  CHECK(ChecksJson(Two()) == ParseJson(R"([
    {"check": "sign", "joint": "joint2", "evidence": "it fits better", "cure": "turn it"},
    {"check": "gaps", "joint": "", "evidence": "2 s are missing", "cure": "record again"}])",
                                       "test"));
  CHECK(ChecksJson({}) == Json::array());
}

TEST_CASE("Of several logs a finding has the evidence of the clearest one, and names the others") {
  const auto sign = [](const char* evidence, double gain) {
    return LabFinding{
        .check = "sign", .joint = "joint2", .evidence = evidence, .cure = "turn it", .gain = gain};
  };
  const std::vector<LabFinding> joined = JoinFindings({{"run1", {sign("a", 0.5), Two()[1]}},
                                                       {"run2", {sign("b", 2.0)}},
                                                       {"run3", {sign("c", 1.0)}}});
  REQUIRE(joined.size() == 2);
  CHECK(joined[0].evidence == "run2: b (also in run1, run3)");
  CHECK(joined[0].cure == "turn it");
  CHECK(joined[1].evidence == "run1: 2 s are missing");
  CHECK(JoinFindings({{"run1", {sign("a", 0.5)}}}).front().evidence == "a");
  CHECK(JoinFindings({{"run1", {sign("a", 0.5)}}, {"run2", {}}, {"run3", {sign("c", 1.0)}}})
            .front()
            .cure.ends_with("of all its logs: change the values in run3, run1"));
}

TEST_CASE("What the names and the data of a log tell of all of it is one finding") {
  const std::vector<LabFinding> joined =
      JoinNamesAndData({{.check = "clock", .joint = "", .evidence = "a", .cure = "no rate"}},
                       {{.check = "gaps", .joint = "", .evidence = "b", .cure = "c"},
                        {.check = "clock", .joint = "", .evidence = "d", .cure = "e", .gain = 2.0},
                        {.check = "clock", .joint = "joint2", .evidence = "f", .cure = "g"},
                        {.check = "gaps", .joint = "", .evidence = "h", .cure = "c"}});
  REQUIRE(joined.size() == 4);
  CHECK(joined[0].evidence == "a; d");
  CHECK(joined[0].cure == "no rate");
  CHECK(joined[0].gain == 2.0);
  CHECK(joined[1].evidence == "b");
  CHECK(joined[2].evidence == "f");
  CHECK(joined[3].evidence == "h");  // the data's own are not joined
}

TEST_CASE("Findings that ask for other data put the data in doubt, each check once") {
  LogChecks checks{Two(), {}};
  checks.findings.push_back(Two()[0]);
  checks.findings.push_back({.check = "nothing_fits", .joint = "", .evidence = "", .cure = ""});
  CHECK(DoubtfulData(checks) == std::vector<std::string>{"sign", "nothing_fits"});
  CHECK(DoubtfulData({{Two()[1]}, {}}).empty());
}

TEST_CASE("Findings are told with their cures, and that nothing was corrected; none is told too") {
  CHECK(CheckSentences({Two(), {}}) ==
        std::vector<std::string>{
            "sign of joint2: it fits better. Cure: turn it",
            "gaps: 2 s are missing. Cure: record again",
            "nothing of this was corrected: what follows is of the logs as they are"});
  CHECK(CheckSentences({{}, {}}) ==
        std::vector<std::string>{fmt::format(
            "nothing: {} checks found no mistake, which does not prove that there is none",
            LabChecks().size())});
  CHECK(
      CheckSentences({{}, {"short.csv"}}) ==
      std::vector<std::string>{
          "nothing was seen in stamps and samples, which is not much, see below",
          "no robot was fitted to short.csv, which is too short, or too slow, or has what is said "
          "above of dead torques, jumps or spikes: only stamps and samples were looked at"});
}

}  // namespace
}  // namespace idbench
