#include "bench/run/estimator_run.h"

#include <doctest/doctest.h>

#include "bench/small_run_test.h"
#include "bench/trial/labelled_estimators.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// A batch method and two online ones, and the data of a trial: 2 s, twice.
struct Recorded {
  LoadedScenario loaded = Load(ParseJson(R"({
    "name": "e", "robot": {"model": "planar2"}, "control": {"type": "exact_replay"},
    "experiments": {
      "a": {"role": "identification", "motion": {"type": "fourier", "duration_s": 2, "candidates": 1}},
      "b": {"role": "identification", "motion": {"type": "fourier", "duration_s": 2, "candidates": 1, "stream": "b"}}},
    "sensors": {"joint_torque": {"noise_std_nm": 0.1}},
    "problem": {"prior": {"mass_scale": 1.2, "relative_std": 0.5}},
    "estimators": {"map": {}, "ekf": {}, "rls": {}}})",
                                         "e"));
  RolloutStore rollouts;
  PreparedCell context{loaded, loaded.cells[0], rollouts};
  TrialData data = context.Run(0);
  LabelledEstimators estimators = MakeEstimators(loaded.scenario);
};

void CheckSameBits(const std::vector<Estimate>& a, const std::vector<Estimate>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    CAPTURE(k);
    CHECK(a[k].outcome == b[k].outcome);
    CHECK(a[k].reason == b[k].reason);
    CHECK(a[k].x == b[k].x);
    CHECK(a[k].covariance == b[k].covariance);
    CHECK(a[k].diagnostics == b[k].diagnostics);
  }
}

TEST_CASE("Instants of checkpoints and of a trace have the bits that each has without the other") {
  const Recorded of;
  // 1 s is in both; nothing is recorded by 1e-9 s but the first sample.
  const std::vector<double> checkpoints_s = {0.1, 1.0, 3.5}, traced_s = {1e-9, 0.15, 1.0, 2.3};
  for (const auto& [label, estimator] : of.estimators) {
    CAPTURE(label);
    const EstimatorRun run = RunOnce(*estimator, of.data.problem(), of.data.datasets,
                                     {.checkpoints_s = checkpoints_s, .traced_s = traced_s});
    CHECK(run.last().series.empty());
    CheckSameBits(run.estimates,
                  estimator->RunAt(of.data.problem(), of.data.datasets, checkpoints_s));
    std::vector<Estimate> traced = estimator->RunAt(of.data.problem(), of.data.datasets, traced_s);
    CheckSameBits({run.last()}, {traced.back()});
    traced.pop_back();
    CheckSameBits(run.traced, traced);
  }
}

TEST_CASE("Every sample is tracked where that is asked of an online method") {
  const Recorded of;
  const LookOptions look{.checkpoints_s = {}, .after_every_sample = true};
  Estimator& map = *of.estimators[0].second;
  Estimator& ekf = *of.estimators[1].second;
  const EstimatorRun run = RunOnce(ekf, of.data.problem(), of.data.datasets, look);
  const Series* const track = FindNamed(run.last().series, kParameters);
  REQUIRE(track != nullptr);
  CHECK(track->time_s.size() == 400);
  CHECK(track->values.row(399).transpose() == run.last().x);
  CheckSameBits(run.estimates, {ekf.Run(of.data.problem(), of.data.datasets)});
  CHECK(run.traced.empty());

  const EstimatorRun refused = RunOnce(ekf, of.data.problem(), {}, look);
  REQUIRE(refused.last().series.size() == 1);
  CHECK(refused.last().series[0].time_s.size() == 0);
  CHECK(RunOnce(map, of.data.problem(), of.data.datasets, look).last().series.empty());
}

}  // namespace
}  // namespace idbench
