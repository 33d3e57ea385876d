#include "reports/tables/estimate_notes.h"

#include <doctest/doctest.h>

#include <functional>

#include "reports/run/sample_run_test.h"
#include "reports/tables/table.h"

namespace idbench {
namespace {

std::vector<std::string> NoteSentences(const std::function<void(Json& record)>& change) {
  const TemporaryFolder folder;
  SampleRun run;
  run.change = change;
  run.WriteTo(folder.path());
  const RunFolder read(folder.path());
  const Summary summary = Summarise(read);
  const TableOptions options = {.rows = TableSide("cell"), .metric = "relative_error"};
  return EstimateNoteSentences(SelectItems(options, VocabularyOf(read.manifest()), summary));
}

TEST_CASE("Without notes, or with notes that say nothing of health, nothing is told") {
  CHECK(NoteSentences([](Json&) {}).empty());
  CHECK(NoteSentences([](Json& record) { record["notes"] = {{"start", "prior"}}; }).empty());
}

TEST_CASE("A note is counted by estimator over the cells, with what the first adds") {
  const auto sentences = NoteSentences([](Json& record) {
    const int trial = record["trial"].get<int>();
    if (record["estimator"] == "ols" && trial % 2 == 1) return;
    record["notes"] = {{"sigma", fmt::format("that of slow noise; {} times", trial)},
                       {"solver", "QR"}};
  });
  CHECK(sentences == std::vector<std::string>{
                         "σ is that of slow noise: ols 12 of 24, wls 24 of 24 estimates; first: 0 "
                         "times",
                         "solved by QR: ols 12 of 24, wls 24 of 24 estimates"});
}

TEST_CASE("Of many texts the three of most estimates are told, and how many more there are") {
  const auto sentences = NoteSentences([](Json& record) {
    const int trial = record["trial"].get<int>();
    record["notes"] = {{"residuals", fmt::format("follow {}", trial < 3 ? 0 : trial)}};
  });
  REQUIRE(sentences.size() == 4);
  CHECK(sentences.front() == "residuals follow 0: ols 6 of 24, wls 6 of 24 estimates");
  CHECK(sentences.back() == "7 more notes on residuals: see records.jsonl");
}

TEST_CASE("Unknowns that contradict their prior are counted by name, the most frequent first") {
  const auto sentences = NoteSentences([](Json& record) {
    const int trial = record["trial"].get<int>();
    if (record["estimator"] == "ols") return;
    record["notes"] = {{"prior", fmt::format("contradicted; {}joint1.fc (z = {})",
                                             trial == 0 ? "joint2.fv (z = 9), " : "", trial)}};
  });
  CHECK(sentences == std::vector<std::string>{
                         "the prior of some unknowns is contradicted: wls 24 of 24 estimates; most "
                         "often joint1.fc (24), joint2.fv (2)"});
}

TEST_CASE("Of one estimate its notes are told in full, in the order of tables") {
  CHECK(
      HealthNotes({{"residuals", "follow q̇; also q̈"}, {"sigma", "withheld: x"}, {"start", "p"}}) ==
      std::vector<std::string>{"σ is withheld: x", "residuals follow q̇; also q̈"});
}

TEST_CASE("A note that is no text is refused by name") {
  CHECK_THROWS_WITH_AS(NoteSentences([](Json& record) {
                         record["notes"] = {{"sigma", 3}};
                       }),
                       doctest::Contains("/notes/sigma: got 3"), ConfigError);
}

}  // namespace
}  // namespace idbench
