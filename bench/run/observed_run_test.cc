#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "bench/run/trial_runner.h"
#include "bench/small_run_test.h"
#include "bench/trial/labelled_estimators.h"
#include "reports/run/lost_estimators.h"
#include "reports/run/merge_runs.h"
#include "reports/run/run_folder.h"
#include "reports/run/summary.h"
#include "robots/plant/plant_error.h"

namespace idbench {
namespace {

/// Drawn touches on the last link of a planar arm, whose prior is 20 % off.
Json Watched() {
  Json json = Description();
  json.erase("sweep");
  json["problem"]["prior"] = {{"mass_scale", 1.2}};
  json["trials"] = 4;
  json["timing_trials"] = 0;
  json["experiments"]["contact"] = ParseJson(R"({
    "role": "application",
    "motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 6, "candidates": 1},
    "environment": {"touches": [{"type": "drawn_touches", "link": "link2", "axis_from_m": [0, 0, 0],
      "axis_to_m": [0.2, 0, 0], "radius_m": 0.03, "tangential_fraction": 0.2, "force_n": [3, 10],
      "ramp_s": [0.02, 0.1], "hold_s": [0.3, 0.6], "gap_s": [0.3, 0.8], "draw": "trial"}]}})",
                                             "contact");
  json["observers"] = ParseJson(R"({
    "T2": {"type": "contact_statistic"},
    "load": {"type": "payload_change", "models": ["truth", "ols"], "window_s": 0.2}})",
                                "observers");
  return json;
}

TEST_CASE("Observers have a record for each of their models, behind those of the estimators") {
  const TemporaryFolder folder;
  const std::vector<Json> lines = LinesIn(Records(Watched(), folder / "run"));
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"", "ols"},   {"", "wls"},     {"T2", "prior"},   {"T2", "ols"},
      {"T2", "wls"}, {"T2", "truth"}, {"load", "truth"}, {"load", "ols"}};
  REQUIRE(lines.size() == 4 * expected.size());
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const auto& [observer, model] = expected[k % expected.size()];
    CHECK(lines[k].value("observer", "") == observer);
    CHECK(lines[k]["estimator"] == model);
    CHECK(lines[k]["trial"] == k / expected.size());
    CHECK(lines[k]["outcome"] == "ok");
    // Estimators are not judged by what observers watch, and the other way round.
    for (const auto& [name, metric] : lines[k]["metrics"].items()) {
      CHECK((name.find("@contact") != std::string::npos) == !observer.empty());
    }
  }
}

TEST_CASE("A better model detects better") {
  const TemporaryFolder folder;
  RunScenario(Load(Watched()), {.folder = folder / "run"});
  const RunFolder run(folder / "run");
  const Json summary = ToJson(Summarise(run));
  const Json& observers = summary["cells"][0]["observers"];
  REQUIRE(observers.size() == 6);
  CHECK(summary["cells"][0]["estimators"].size() == 2);
  const auto value = [&](std::size_t observer, const char* metric) {
    return observers[observer]["metrics"][std::string(metric) + "@contact"]["mean"].get<double>();
  };
  CHECK(observers[0]["label"] == "T2");
  CHECK(observers[0]["model"] == "prior");
  CHECK(observers[3]["model"] == "truth");
  for (const char* metric : {"detection_auc", "detection_tpr(fpr=0.06)"}) {
    CAPTURE(metric);
    CHECK(value(0, metric) < value(1, metric));
    CHECK(value(3, metric) > 0.8);
  }
  CHECK(value(1, "detection_auc") == doctest::Approx(value(3, "detection_auc")).epsilon(0.05));
}

TEST_CASE("Records of observers depend on neither jobs nor shards, nor on who wrote defaults") {
  const TemporaryFolder folder;
  Json json = Watched();
  json["keep_series"] = {1, 2};
  const std::string whole = Records(json, folder / "whole");
  const auto traces = [&](const char* run) {
    return ReadText(folder / run / "series" / "observations.jsonl");
  };
  CHECK(Records(json, folder / "jobs", 3) == whole);
  CHECK(LinesIn(traces("whole")).size() == 2 * 8);  // T2 of each model, load and its mass
  CHECK(traces("jobs") == traces("whole"));
  const LoadedScenario loaded = Load(json);
  std::vector<std::filesystem::path> shards;
  for (const int index : {2, 1}) {
    shards.push_back(folder / std::to_string(index));
    RunScenario(loaded, {.folder = shards.back(), .shard = Shard{index, 2}});
  }
  MergeRuns(shards, folder / "merged");
  CHECK(ReadText(folder / "merged" / "records.jsonl") == whole);
  CHECK(traces("merged") == traces("whole"));
  CHECK(Records(*loaded.expanded, folder / "expanded") == whole);
}

TEST_CASE("Observers watch recordings, of which nobody knows what acted, if that is kept") {
  const TemporaryFolder folder;
  Json json = Watched();
  json["keep_series"] = {0};
  Records(json, folder / "simulated");
  for (const char* key : {"control", "sensors", "trials", "seed"}) json.erase(key);
  json["recording"] = {{"root", (folder / "simulated" / "series").string()},
                       {"columns",
                        {{"time", "t_s"},
                         {"joint_position", "q{1..2}_rad"},
                         {"joint_velocity", "qd{1..2}_rad_s"},
                         {"joint_acceleration", "qdd{1..2}_rad_s2"},
                         {"joint_torque", "tau{1..2}_nm"}}}};
  json["experiments"] = {
      {"identification", {{"file", "cell0_identification_trial0.csv"}}},
      {"contact", {{"file", "cell0_contact_trial0.csv"}, {"role", "application"}}}};
  json["observers"]["load"]["models"] = {"ols"};
  const std::vector<Json> lines = LinesIn(Records(json, folder / "recorded"));
  // There is no model of the truth.
  REQUIRE(lines.size() == 6);
  for (std::size_t k = 2; k < lines.size(); ++k) {
    CHECK(lines[k]["outcome"] == "ok");
    CHECK(lines[k]["metrics"].empty());
  }
  json["keep_series"] = Json::array();
  CHECK(FirstRefusal(json) ==
        "/keep_series: keeps nothing of what observers find, which in a recording nothing judges");
}

TEST_CASE("Without observers records of estimators are the same") {
  const TemporaryFolder folder;
  Json without = Watched();
  without.erase("observers");
  without["experiments"].erase("contact");
  std::string estimators;
  for (const Json& line : LinesIn(Records(Watched(), folder / "with"))) {
    if (!line.contains("observer")) estimators += line.dump() + '\n';
  }
  CHECK(estimators == Records(without, folder / "without"));
}

/// Estimator that refuses all data.
class Refusing : public Estimator {
 public:
  FieldTable Fields() override { return {}; }
  EstimatorNeeds needs() const override { return {}; }

 protected:
  Estimate Identify(const Problem&, std::span<const Dataset>) override { Refuse("on purpose"); }
};

TEST_CASE("What a model's estimator lost, no observer finds, and its record says so") {
  const LoadedScenario loaded = Load(Watched());
  RolloutStore rollouts;
  const PreparedCell cell(loaded, loaded.cells[0], rollouts);
  TrialRunner runner(cell, 0, loaded.metrics, nullptr, [](const Scenario& scenario) {
    LabelledEstimators estimators = MakeEstimators(scenario);
    estimators[0].second = std::make_unique<Refusing>();
    return estimators;
  });
  const std::vector<Json> lines = LinesIn(runner.Run(0));
  REQUIRE(lines.size() == 8);
  CHECK(runner.failures() == 1);
  for (const Json& line : lines) {
    const bool lost = line["estimator"] == "ols";
    CHECK(line["outcome"] == (lost ? "refused" : "ok"));
    if (line.contains("observer")) {
      CHECK(line.value("reason", "") == (lost ? "the model: on purpose" : ""));
      CHECK(line["metrics"].empty() == lost);
    }
  }
}

TEST_CASE("A run without the plant's data says so of observers too") {
  const LoadedScenario loaded = Load(Watched());
  RolloutStore rollouts;
  const PreparedCell cell(loaded, loaded.cells[0], rollouts);
  TrialRunner runner(cell, 0, loaded.metrics, nullptr, MakeEstimators,
                     [](const PreparedCell&, std::int64_t) -> Trial { throw PlantError("fell"); });
  const std::vector<Json> lines = LinesIn(runner.Run(0));
  REQUIRE(lines.size() == 8);
  for (const Json& line : lines) CHECK(line["reason"] == "fell");
}

TEST_CASE("An observer that fails in every trial is told, one whose model failed is not") {
  const TemporaryFolder folder;
  RunScenario(Load(Watched()), {.folder = folder / "run"});
  Summary summary = Summarise(RunFolder(folder / "run"));
  RunManifest manifest = RunFolder(folder / "run").manifest();
  CHECK(FindLostEstimators(summary, manifest).everywhere.empty());
  const auto lose = [&](std::size_t e) {
    EstimateTally& tally = summary.cells[0].estimators[e].tally;
    tally.failed = tally.trials;
    tally.reasons = {{"diverged", tally.trials}};
  };
  lose(5);  // T2 of truth
  LostEstimators lost = FindLostEstimators(summary, manifest);
  REQUIRE(lost.everywhere.size() == 1);
  CHECK(lost.everywhere[0].starts_with("T2 of truth failed in every trial"));
  CHECK(lost.outcomes.empty());                   // an expected failure is of an estimator
  for (const std::size_t e : {0, 3, 7}) lose(e);  // ols and those that take it
  lost = FindLostEstimators(summary, manifest);
  REQUIRE(lost.everywhere.size() == 2);
  CHECK(lost.everywhere[0].starts_with("ols failed"));
  CHECK(lost.in_cells.empty());
  // In a further cell T2 fails with the model of ols, which did not: that is told, of this cell.
  summary.cells.push_back(Summarise(RunFolder(folder / "run")).cells[0]);
  manifest.cells.push_back(manifest.cells[0]);
  EstimateTally& tally = summary.cells[1].estimators[3].tally;
  tally.failed = tally.trials;
  tally.reasons = {{"diverged", tally.trials}};
  lost = FindLostEstimators(summary, manifest);
  CHECK(lost.everywhere.empty());
  CHECK(std::ranges::count_if(lost.in_cells, [](const std::string& sentence) {
          return sentence.starts_with("T2 of ols has no success in 1 of 2 cells");
        }) == 1);
}

}  // namespace
}  // namespace idbench
