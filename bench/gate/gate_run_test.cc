#include "bench/gate/gate_run.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "bench/gate/baseline.h"
#include "bench/gate/planted_changes.h"
#include "bench/run/exit_code.h"
#include "bench/small_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr const char* kMetric = "base_parameter_relative_error";

/// The small run of both cells, as it is gated.
Json GatedDescription() {
  Json json = Description();
  json["metrics"] = {kMetric};
  json["gate"] = {{"metric", kMetric}};
  json["trials"] = 8;
  json["timing_trials"] = 0;
  return json;
}

void ChangeManifest(const std::filesystem::path& folder, const char* key, const Json& value) {
  Json manifest = ReadJsonFile(folder / "manifest.json");
  manifest[key] = value;
  std::ofstream(folder / "manifest.json") << manifest.dump();
}

bool Says(const GateReport& report, const std::string& text) {
  return std::ranges::any_of(report.sentences, [&text](const std::string& sentence) {
    return sentence.find(text) != std::string::npos;
  });
}

TEST_CASE("Each verdict has an exit code of its own") {
  CHECK(ExitCodeOf(GateVerdict::kPass) == kExitFine);
  CHECK(ExitCodeOf(GateVerdict::kRegression) == kExitRegression);
  CHECK(ExitCodeOf(GateVerdict::kInconclusive) == kExitInconclusive);
  CHECK(ExitCodeOf(GateVerdict::kIncomparable) == kExitIncomparable);
}

TEST_CASE("Without a reserve every second trial is kept back, of each subject its own") {
  std::vector<GateSubject> subjects(2);
  subjects[0].pairs =
      MakePairs(std::vector{1.0, 1.0, 1.0, 1.0, 1.0}, std::vector{1.0, 2.0, 3.0, 4.0, 5.0},
                std::vector<std::uint32_t>{0, 1, 2, 3, 4});
  subjects[1].pairs =
      MakePairs(std::vector{1.0, 1.0}, std::vector{1.0, 7.0}, std::vector<std::uint32_t>{0, 1});
  const GateReserve reserve = HalvedReserve(subjects);
  CHECK(subjects[0].pairs.size() == 3);
  CHECK(subjects[0].pairs.change[1] == doctest::Approx(std::log(3.0)));
  CHECK(reserve.units == 2);
  const std::vector<Pairs> kept = reserve.pairs({1, 0});
  CHECK(kept[0].change == std::vector{std::log(7.0)});
  REQUIRE(kept[1].size() == 2);
  CHECK(kept[1].change[1] == doctest::Approx(std::log(4.0)));
}

TEST_CASE("Subjects are the metrics of cells and estimators that both have, and those lost") {
  const TemporaryFolder folder;
  Records(GatedDescription(), folder / "base");
  Json json = GatedDescription();
  json["estimators"].erase("wls");
  Records(json, folder / "run");
  const RunFolder base(folder / "base"), run(folder / "run");
  const GateRules rules = GateRulesOf(run.manifest(), "test", {});
  std::vector<GateSubject> subjects = SubjectsOf(base, run, rules);
  REQUIRE(subjects.size() == 2);
  CHECK(subjects[1].cell == 1);
  CHECK(subjects[1].estimator == "ols");
  CHECK(subjects[1].pairs.identical);
  // A metric that the estimates of a cell no longer have.
  std::string kept;
  for (std::istringstream lines(ReadText(folder / "run" / "records.jsonl")); lines.peek() > 0;) {
    std::string line;
    std::getline(lines, line);
    Json record = Json::parse(line);
    if (record["cell"] == 1) record["metrics"].erase(kMetric);
    kept += record.dump() + '\n';
  }
  folder.Write("run/records.jsonl", kept);
  subjects = SubjectsOf(base, RunFolder(folder / "run"), rules);
  REQUIRE(subjects.size() == 2);
  CHECK_FALSE(subjects[0].lost);
  CHECK(subjects[1].lost);
  CHECK(subjects[1].cell == 1);
}

TEST_CASE("A gate tells of a replaced estimator, and of a reserve that another program made") {
  const TemporaryFolder folder;
  Records(GatedDescription(), folder / "run");
  CHECK_FALSE(HasReserve(folder / "run"));
  WriteBaseline(folder / "run", folder / "base");
  REQUIRE(HasReserve(folder / "base"));
  CHECK(GateRun(folder / "run", folder / "base").sentences ==
        std::vector<std::string>{"trials share one motion: what is said holds for that motion"});
  ChangeManifest(folder / "base" / kReserveFolder, "commit", "0123456789ab");
  Json json = GatedDescription();
  json["estimators"]["wls"] = {{"type", "ols"}};
  Records(json, folder / "other");
  const GateReport report = GateRun(folder / "other", folder / "base");
  CHECK(Says(report,
             "wls is another estimator: /type is \"wls\" in the baseline, \"ols\" in the "
             "run"));
  CHECK(Says(report, "in the baseline, \"0123456789ab\" in its reserve"));
}

TEST_CASE("What the call asks for is told, and no verdict of another call is left") {
  const TemporaryFolder folder;
  Records(GatedDescription(), folder / "run");
  const GateReport report = GateRun(folder / "run", folder / "run", RecordsRunHere(1),
                                    {.tolerance = 9, .allow_missing = true});
  CHECK(Says(report, "in place of the scenario's: tolerance 9, estimators may be missing"));
  REQUIRE(std::filesystem::exists(folder / "run" / "gate.json"));
  CHECK_THROWS_AS(GateRun(folder / "run", folder / "gone"), ConfigError);
  CHECK_FALSE(std::filesystem::exists(folder / "run" / "gate.json"));
}

TEST_CASE("Reserve trials that another program ran than the run are told") {
  const TemporaryFolder folder;
  Json json = GatedDescription();
  json["gate"]["tolerance"] = 0.02;
  Records(json, folder / "run");
  WriteBaseline(folder / "run", folder / "base");
  std::string worse;
  for (std::istringstream lines(ReadText(folder / "run" / "records.jsonl")); lines.peek() > 0;) {
    std::string line;
    std::getline(lines, line);
    Json record = Json::parse(line);
    Json& value = record["metrics"][kMetric]["value"];
    value = 2 * value.get<double>();
    worse += record.dump() + '\n';
  }
  folder.Write("run/records.jsonl", worse);
  ChangeManifest(folder / "run", "commit", "0123456789ab");
  const GateReport report = GateRun(folder / "run", folder / "base");
  CHECK(report.verdict == GateVerdict::kInconclusive);
  CHECK(Says(report, "in this program, which ran the reserve trials"));
}

TEST_CASE("A baseline of an older version confirms by trials of another seed, which is told") {
  const TemporaryFolder folder;
  Json json = GatedDescription();
  json["gate"]["tolerance"] = 0.02;
  Records(json, folder / "run");
  WriteBaseline(folder / "run", folder / "base");
  CHECK_FALSE(Says(GateRun(folder / "run", folder / "base"), "another seed"));
  std::filesystem::remove_all(folder / "base" / kReserveFolder);
  json["seed"] = 77;
  Records(json, folder / "base" / kReserveFolder);
  // Twice as large in all trials: the reserve is run again with its own seed, and confirms it.
  const auto twice = [](Json& record) {
    Json& value = record["metrics"][kMetric]["value"];
    value = 2 * value.get<double>();
  };
  std::string worse;
  for (std::istringstream lines(ReadText(folder / "run" / "records.jsonl")); lines.peek() > 0;) {
    std::string line;
    std::getline(lines, line);
    Json record = Json::parse(line);
    twice(record);
    worse += record.dump() + '\n';
  }
  folder.Write("run/records.jsonl", worse);
  const GateReport report =
      GateRun(folder / "run", folder / "base", ChangedRecords(RecordsRunHere(1), twice));
  CHECK(report.verdict == GateVerdict::kRegression);
  for (const GateMember& member : report.members) {
    CHECK(member.reserve.value().effect == doctest::Approx(1.0));
  }
  CHECK(Says(report,
             "the reserve is of another seed, 77, not 1, as older versions made it: what it "
             "confirms has other robots, priors and motions where cells draw them; make the "
             "baseline anew with --write-baseline"));
}

TEST_CASE("Changes of values that are not all positive are told to be differences") {
  const TemporaryFolder folder;
  Json json = GatedDescription();
  json["metrics"] = {"coverage95"};
  json["gate"] = {{"metric", "coverage95"}, {"better", "higher"}};
  Records(json, folder / "a");
  Records(json, folder / "b");
  std::string zeros;
  for (std::istringstream lines(ReadText(folder / "b" / "records.jsonl")); lines.peek() > 0;) {
    std::string line;
    std::getline(lines, line);
    Json record = Json::parse(line);
    record["metrics"]["coverage95"]["value"] = 0.0;
    zeros += record.dump() + '\n';
  }
  folder.Write("b/records.jsonl", zeros);
  CHECK(Says(GateRun(folder / "b", folder / "a"),
             "coverage95: not all values are positive, so a change is their difference over the "
             "mean of both sides, at most 200 %"));
}

}  // namespace
}  // namespace idbench
