#include "bench/run/kept_trials.h"

#include <doctest/doctest.h>

#include <atomic>
#include <optional>
#include <stdexcept>

#include "bench/run/export_run.h"
#include "bench/small_run_test.h"
#include "estimators/interface/online_estimator.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// A batch method and an online one, with all that asks for their estimates: checkpoints, a window,
/// series, what was identified.
Json KeptScenario() {
  return ParseJson(R"({
    "name": "kept", "robot": {"model": "planar2"}, "control": {"type": "exact_replay"},
    "experiments": {
      "identification": {"motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 2, "candidates": 1, "draw": "trial"}}},
    "sensors": {"joint_torque": {"noise_peak_fraction": 0.01}},
    "problem": {"parametrisation": {"type": "masses_and_moments"},
      "prior": {"mass_scale": 1.2, "inertia_scale": 1.2, "relative_std": 0.5}},
    "estimators": {"map": {}, "ekf": {}}, "evaluate_at_s": [0.5], "trials": 7, "timing_trials": 0,
    "windows": {"late": {"from_s": 1, "until_s": 2, "unknowns": ["link1.m"]}}, "keep_series": [0, 3]})",
                   "kept");
}

/// How often methods were run.
struct Calls {
  std::atomic<int> batch = 0, online = 0;
};

class CountedBatch : public Estimator {
 public:
  explicit CountedBatch(Calls& calls) : calls_(calls) {}
  FieldTable Fields() override { return {}; }
  EstimatorNeeds needs() const override { return {}; }

 protected:
  Estimate Identify(const Problem& problem, std::span<const Dataset>) override {
    Estimate estimate;
    estimate.x = problem.parameters.prior->mean;
    return estimate;
  }
  std::vector<Estimate> IdentifyAt(const Problem& problem, std::span<const Dataset> datasets,
                                   std::span<const double> checkpoints_s) override {
    ++calls_.batch;
    return Estimator::IdentifyAt(problem, datasets, checkpoints_s);
  }

 private:
  Calls& calls_;
};

class CountedOnline : public OnlineEstimator {
 public:
  explicit CountedOnline(Calls& calls) : calls_(calls) {}
  FieldTable Fields() override { return {}; }
  EstimatorNeeds needs() const override { return {}; }

 protected:
  void Start(const Problem& problem) override {
    ++calls_.online;
    x_ = problem.parameters.prior->mean;
  }
  void Absorb(const Sample&) override {}
  Estimate Snapshot() const override {
    Estimate estimate;
    estimate.x = x_;
    return estimate;
  }

 private:
  Calls& calls_;
  Eigen::VectorXd x_;
};

EstimatorSource Counted(Calls& calls) {
  return [&calls](const idbench::Scenario&) {
    LabelledEstimators estimators;
    estimators.emplace_back("map", std::make_unique<CountedBatch>(calls));
    estimators.emplace_back("ekf", std::make_unique<CountedOnline>(calls));
    return estimators;
  };
}

TEST_CASE("Each estimator runs once on each trial, whatever reads its estimates") {
  const TemporaryFolder folder;
  for (const int jobs : {1, 2}) {
    const LoadedScenario loaded = Load(KeptScenario());
    Calls calls;
    const std::filesystem::path place = folder / std::to_string(jobs);
    std::optional<ExportReport> exported;
    const auto export_all = [&](const PreparedCells& contexts, KeptTrials& kept) {
      exported = ExportRun(loaded, contexts, kept, {.folder = place / "export", .trial = 5});
    };
    CHECK(RunScenario(loaded, {.folder = place,
                               .jobs = jobs,
                               .afterwards = export_all,
                               .kept_trial = 5,
                               .estimators = Counted(calls)}) == RunResult::kFinished);
    CHECK(calls.batch == 7);
    CHECK(calls.online == 7);
    REQUIRE(exported);
    CHECK(exported->text.find("exported: map to ") == 0);
    CHECK(exported->text.find("exported: ekf to ") != std::string::npos);
    CHECK(ReadJsonFile(place / "identified.json")["cells"].size() == 2);
    CHECK(std::filesystem::exists(place / "series" / "cell0_identification_trial3.csv"));
    CHECK_FALSE(std::filesystem::exists(place / "series" / "cell0_identification_trial5.csv"));
  }
}

TEST_CASE("Timing runs estimators on top of that") {
  const TemporaryFolder folder;
  Json json = KeptScenario();
  json["timing_trials"] = 3;
  Calls calls;
  RunScenario(Load(json), {.folder = folder / "r", .estimators = Counted(calls)});
  CHECK(calls.batch == 7);  // timed by Run()
  CHECK(calls.online == 7 + 2 * 3);
}

TEST_CASE("A run that goes on runs its kept trials once more, and writes the same") {
  const TemporaryFolder folder;
  const LoadedScenario loaded = Load(KeptScenario());
  RunScenario(loaded, {.folder = folder / "r"});
  const std::string identified = ReadText(folder / "r" / "identified.json");
  const char* const series[] = {"tracks.jsonl", "residuals.jsonl", "motions.jsonl",
                                "cell0_identification_trial0.csv",
                                "cell0_identification_trial3.csv"};
  std::vector<std::string> before;
  for (const char* file : series) before.push_back(ReadText(folder / "r" / "series" / file));
  std::filesystem::remove_all(folder / "r" / "series");

  RunScenario(loaded, {.folder = folder / "r", .resume = true});
  CHECK(ReadText(folder / "r" / "identified.json") == identified);
  for (std::size_t k = 0; k < before.size(); ++k) {
    CHECK(ReadText(folder / "r" / "series" / series[k]) == before[k]);
  }
  Calls calls;
  RunScenario(loaded, {.folder = folder / "r", .resume = true, .estimators = Counted(calls)});
  CHECK(calls.batch == 2);
  CHECK(calls.online == 2);
}

TEST_CASE("A trial is kept if it is one of keep_series or asked for, and no other one is there") {
  const LoadedScenario loaded = Load(KeptScenario());
  RolloutStore rollouts;
  PreparedCells contexts;
  contexts.push_back(std::make_unique<PreparedCell>(loaded, loaded.cells[0], rollouts));
  KeptTrials kept(loaded, contexts, {.further = 5});
  CHECK(kept.HasSeries(3));
  CHECK_FALSE(kept.HasSeries(5));
  CHECK(kept.IsKept(5));
  CHECK_FALSE(kept.IsKept(4));
  CHECK(kept.Get(0, 5).estimates.size() == 2);
  CHECK(kept.Get(0, 5).traces.tracks.empty());
  CHECK_FALSE(kept.Get(0, 0).traces.tracks.empty());
  CHECK(&kept.Get(0, 0) == &kept.Get(0, 0));
  CHECK_THROWS_WITH_AS(kept.Get(0, 4), "KeptTrials: trial 4 is not one to keep",
                       std::invalid_argument);
}

TEST_CASE("Of a trial whose robot fails the reason is kept, and nothing is written beside it") {
  const TemporaryFolder folder;
  Json json = KeptScenario();
  json["plant"] = {{"type", "mujoco"}, {"max_steps", 10}};
  json["control"] = {{"type", "computed_torque"}, {"model", "truth"}};
  json.erase("windows");
  const LoadedScenario loaded = Load(json);
  std::string refusal;
  const auto look = [&](const PreparedCells& contexts, KeptTrials& kept) {
    CHECK(kept.Get(0, 3).plant_failure.find("the experiment takes more than max_steps") == 0);
    CHECK(kept.Get(0, 3).estimates.empty());
    refusal = ExportRun(loaded, contexts, kept, {.folder = folder / "e"}).refusals.at(0);
  };
  RunScenario(loaded, {.folder = folder / "r", .afterwards = look, .kept_trial = 0});
  CHECK(refusal.find("trial 0: the experiment takes more than max_steps = 10 steps") == 0);
  CHECK(ReadJsonFile(folder / "r" / "identified.json")["cells"].empty());
  CHECK_FALSE(std::filesystem::exists(folder / "r" / "series"));
}

}  // namespace
}  // namespace idbench
