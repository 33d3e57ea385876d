#include "bench/gate/trials_anew.h"

#include <doctest/doctest.h>

#include <cmath>
#include <sstream>

#include "bench/gate/baseline.h"
#include "bench/gate/gate_run.h"
#include "bench/gate/planted_changes.h"
#include "bench/small_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr const char* kJudgedMetric = "base_parameter_relative_error";

/// Two cells that share their motions, drawn trial by trial.
Json DrawnDescription(std::int64_t trials) {
  Json json = Description();
  json["experiments"]["identification"]["motion"]["draw"] = "trial";
  json["metrics"] = {kJudgedMetric};
  json["trials"] = trials;
  json["timing_trials"] = 0;
  return json;
}

/// The records of a run, those before trial `first` left out, and trials counted from there.
std::vector<Json> RecordsFrom(const std::string& text, std::int64_t first) {
  std::vector<Json> records;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    Json record = Json::parse(line);
    const auto trial = record["trial"].get<std::int64_t>();
    if (trial < first) continue;
    record["trial"] = trial - first;
    records.push_back(std::move(record));
  }
  return records;
}

GateSubject Subject(std::size_t cell, const Labelled<std::string>& axes, const char* estimator) {
  GateSubject subject;
  subject.cell = cell;
  subject.axes = axes;
  subject.estimator = estimator;
  subject.metric.name = kJudgedMetric;
  return subject;
}

TEST_CASE("Further trials are those that a longer run has behind its first ones") {
  const TemporaryFolder folder;
  const std::string whole = Records(DrawnDescription(7), folder / "whole");
  Records(DrawnDescription(4), folder / "run");
  const LoadedScenario run = LoadScenario(
      ReadJsonFile(folder / "run" / "manifest.json")["scenario"], "test", {}, AllMetrics());
  const LoadedScenario reserve =
      LoadScenario(*run.expanded, "test", FurtherTrials(run.scenario, 3), AllMetrics());
  RunScenario(reserve, {.folder = folder / "reserve"});
  CHECK(RecordsFrom(ReadText(folder / "reserve" / "records.jsonl"), 0) == RecordsFrom(whole, 4));
  // And behind these come those after them.
  const LoadedScenario third =
      LoadScenario(*reserve.expanded, "test", FurtherTrials(reserve.scenario, 1), AllMetrics());
  CHECK(third.scenario.seeds().DrawOf(0) == 7);
  CHECK(third.scenario.keep_series.empty());
  CHECK(third.scenario.timing_trials == 0);
}

TEST_CASE("Trials of a reserve are made with its own seeds, first trial and number") {
  Json json = DrawnDescription(3);
  json["seed"] = 5;
  json["noise_seed"] = 6;
  json["first_trial"] = 2;
  const std::vector<Override> overrides = TrialsOfReserve(ManifestAsRead(Load(json)));
  const LoadedScenario made = LoadScenario(DrawnDescription(9), "test", overrides, AllMetrics());
  CHECK(made.scenario.seed == 5);
  CHECK(made.scenario.noise_seed == 6);
  CHECK(made.scenario.first_trial == 2);
  CHECK(made.scenario.trials == 3);
}

TEST_CASE("Kept trials are paired with the same ones run anew, subject by subject") {
  const TemporaryFolder folder;
  Records(DrawnDescription(4), folder / "run");
  const RunManifest manifest = ReadManifest(folder / "run" / "manifest.json");
  const std::vector<GateSubject> subjects = {Subject(1, manifest.cells[1].axes, "wls"),
                                             Subject(0, manifest.cells[0].axes, "ols"),
                                             Subject(1, manifest.cells[1].axes, "ols")};
  const TrialsAnew same(folder / "run", {}, folder / "run", RecordsRunHere(1));
  CHECK(same.trials() == 4);
  for (const Pairs& pairs : same.PairsOf(subjects)) {
    CHECK(pairs.identical);
    CHECK(pairs.size() == 4);
    CHECK(Units(pairs.rollouts).size() == 4);
  }
  // Twice as large where one estimator of one cell is judged, and there alone.
  const RecordSource worse = ChangedRecords(RecordsRunHere(1), [](Json& record) {
    if (record["cell"] != 1 || record["estimator"] != "ols") return;
    Json& value = record["metrics"][kJudgedMetric]["value"];
    value = 2 * value.get<double>();
  });
  const std::vector<Pairs> pairs =
      TrialsAnew(folder / "run", {}, folder / "run", worse).PairsOf(subjects);
  CHECK(pairs[0].identical);
  CHECK(pairs[1].identical);
  for (const double change : pairs[2].change) CHECK(change == doctest::Approx(std::log(2.0)));
}

TEST_CASE("A subject of which nothing is kept is refused by its name") {
  const TemporaryFolder folder;
  Records(DrawnDescription(2), folder / "run");
  const TrialsAnew anew(folder / "run", {}, folder / "run", RecordsRunHere(1));
  const RunManifest manifest = ReadManifest(folder / "run" / "manifest.json");
  GateSubject gone = Subject(0, manifest.cells[0].axes, "ols");
  gone.axes[0].second = "0.3";
  CHECK_THROWS_WITH_AS(anew.PairsOf({gone}),
                       doctest::Contains("no base_parameter_relative_error of ols\n  make the "
                                         "baseline again with --write-baseline"),
                       ConfigError);
}

/// A drawn scenario in which an observer watches touches.
Json WatchedDescription() {
  Json json = DrawnDescription(6);
  json.erase("sweep");
  json["metrics"] = {kJudgedMetric, "detection_auc"};
  json["gate"] = {{"metric", "detection_auc@contact"}};
  json["observers"] = {{"T2", {{"type", "contact_statistic"}, {"models", {"truth", "ols"}}}}};
  json["experiments"]["contact"] = ParseJson(R"({
    "role": "application",
    "motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 4, "candidates": 1},
    "environment": {"touches": [{"type": "drawn_touches", "link": "link2", "axis_from_m": [0, 0, 0],
      "axis_to_m": [0.2, 0, 0], "radius_m": 0.03, "tangential_fraction": 0.2, "force_n": [3, 10],
      "ramp_s": [0.02, 0.1], "hold_s": [0.3, 0.6], "gap_s": [0.3, 0.8], "draw": "trial"}]}})",
                                             "contact");
  return json;
}

TEST_CASE("What observers find is kept in a baseline and run anew, by observer and model") {
  const TemporaryFolder folder;
  Records(WatchedDescription(), folder / "run");
  WriteBaseline(folder / "run", folder / "base", 1);
  const RunFolder run(folder / "run"), base(folder / "base");
  CHECK(base.manifest().estimators == run.manifest().estimators);
  const GateRules rules = GateRulesOf(run.manifest(), "test");
  const std::vector<GateSubject> subjects = SubjectsOf(base, run, rules);
  REQUIRE(subjects.size() == 2);
  CHECK(subjects[0].estimator == "T2 of truth");
  CHECK(subjects[1].estimator == "T2 of ols");
  CHECK(MostMembers(rules, run.manifest()) == 2);
  const TrialsAnew anew(folder / "run", {}, folder / "base", RecordsRunHere(1));
  for (const Pairs& pairs : anew.PairsOf(subjects)) CHECK(pairs.identical);
  // In the reserve, too, a model that detects worse is found.
  const RecordSource worse = ChangedRecords(RecordsRunHere(1), [](Json& record) {
    if (record.value("observer", "") != "T2" || record["estimator"] != "ols") return;
    record["metrics"]["detection_auc@contact"]["value"] = 0.1;
  });
  const TrialsAnew changed(folder / "run", {}, folder / "base", worse);
  const std::vector<Pairs> pairs = changed.PairsOf(subjects);
  CHECK(pairs[0].identical);
  CHECK(!pairs[1].identical);
  CHECK(GateRun(folder / "run", folder / "base", RecordsRunHere(1)).verdict == GateVerdict::kPass);
}

}  // namespace
}  // namespace idbench
