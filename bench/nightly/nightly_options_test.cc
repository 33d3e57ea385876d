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

TEST_CASE("A baseline is the last run, none, or a folder, and is written as it was read") {
  const auto read = [](const char* text) {
    std::vector<Issue> issues;
    NightlyEntry entry = EntryFrom({{"file", "a.json"}, {"baseline", text}}, issues);
    CHECK(issues.empty());
    CHECK(WriteFields(Visit(entry))["baseline"] == text);
    return entry.baseline;
  };
  CHECK(read("last").kind == BaselineKind::kLast);
  CHECK(read("none").kind == BaselineKind::kNone);
  CHECK(read("kept/last").kind == BaselineKind::kFolder);
  CHECK(read("kept/last").folder == "kept/last");
  CHECK(read("none").folder.empty());
}

TEST_CASE("An entry without a baseline is compared with the last run") {
  std::vector<Issue> issues;
  CHECK(EntryFrom({{"file", "a.json"}}, issues).baseline.kind == BaselineKind::kLast);
  CHECK(issues.empty());
}

TEST_CASE("A baseline that is no text is refused as any other text") {
  std::vector<Issue> issues;
  EntryFrom({{"file", "a.json"}, {"baseline", 3}}, issues);
  CHECK(std::string(ConfigError("s", issues).what()) ==
        "s: /baseline: got 3\n  accepted here: a text in quotes");
}

}  // namespace
}  // namespace idbench
