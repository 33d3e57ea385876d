#include "bench/nightly/nightly_options.h"

#include <doctest/doctest.h>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

using BaselineKind = NightlyBaseline::Kind;

NightlyEntry EntryFrom(const Json& json, std::vector<Issue>& issues) {
  NightlyEntry entry;
  ReadFields(Visit(entry), json, "", issues);
  return entry;
}

NightlyBaseline BaselineFrom(const std::string& text) {
  std::vector<Issue> issues;
  const NightlyEntry entry = EntryFrom({{"file", "a.json"}, {"baseline", text}}, issues);
  CHECK(issues.empty());
  return entry.baseline;
}

TEST_CASE("A baseline is accepted runs, none, or a folder, and is written as it was read") {
  for (const char* text : {"accepted", "none", "kept/last"}) {
    NightlyEntry entry;
    entry.baseline = BaselineFrom(text);
    CHECK(WriteFields(Visit(entry))["baseline"] == text);
  }
  CHECK(BaselineFrom("accepted").kind == BaselineKind::kAccepted);
  CHECK(BaselineFrom("none").kind == BaselineKind::kNone);
  CHECK(BaselineFrom("kept/last").kind == BaselineKind::kFolder);
  CHECK(BaselineFrom("kept/last").folder == "kept/last");
  CHECK(BaselineFrom("none").folder.empty());
}

TEST_CASE("The old spelling of a baseline has the new meaning, and is written anew") {
  NightlyEntry entry;
  entry.baseline = BaselineFrom("last");
  CHECK(entry.baseline.kind == BaselineKind::kAccepted);
  CHECK(WriteFields(Visit(entry))["baseline"] == "accepted");
}

TEST_CASE("An entry without a baseline is compared with accepted runs") {
  std::vector<Issue> issues;
  CHECK(EntryFrom({{"file", "a.json"}}, issues).baseline.kind == BaselineKind::kAccepted);
  CHECK(issues.empty());
}

TEST_CASE("A scenario has its own limits, else the suite's, else the defaults") {
  NightlyOptions suite;
  std::vector<Issue> issues;
  ReadFields(Visit(suite),
             ParseJson(R"({"budget_s": 60, "memory_mib": 512, "scenarios": {
                 "a": {"file": "a.json"},
                 "b": {"file": "b.json", "budget_s": 7, "grace_s": 0, "memory_mib": 64}}})",
                       "suite"),
             "", issues);
  CHECK(issues.empty());
  const NightlyLimits a = LimitsOf(suite.scenarios[0].second, suite.limits);
  CHECK(a.budget_s == 60);
  CHECK(a.grace_s == NightlyLimits().grace_s);
  CHECK(a.memory_mib == 512);
  const NightlyLimits b = LimitsOf(suite.scenarios[1].second, suite.limits);
  CHECK(b.budget_s == 7);
  CHECK(b.grace_s == 0);
  CHECK(b.memory_mib == 64);
}

TEST_CASE("A baseline that is no text is refused as any other text") {
  std::vector<Issue> issues;
  EntryFrom({{"file", "a.json"}, {"baseline", 3}}, issues);
  CHECK(std::string(ConfigError("s", issues).what()) ==
        "s: /baseline: got 3\n  accepted here: a text in quotes");
}

}  // namespace
}  // namespace idbench
