#include "bench/notes/lost_samples.h"

#include <doctest/doctest.h>

#include <string>

#include "bench/cell/prepared_cell.h"
#include "bench/metrics/metric_table.h"
#include "robots/recording/segments.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// planar2 at 100 Hz for 2 s, 200 samples, changed by `more`.
Json PlanarFor2s(const char* more) {
  Json json = ParseJson(R"({
    "name": "w", "robot": {"model": "planar2"}, "control": {"type": "exact_replay"},
    "experiments": {"a": {"motion": {"type": "fourier", "base_frequency_hz": 0.5, "duration_s": 2, "candidates": 1}}},
    "sensors": {"joint_torque": {"noise_std_nm": 0.1}},
    "problem": {"prior": {"relative_std": 0.1}}, "estimators": {"ekf": {}}, "trials": 1,
    "windows": {"early": {"until_s": 1, "unknowns": ["link2.Iyy"]},
                "late": {"from_s": 1, "until_s": 2, "unknowns": ["link2.Iyy"]}}})",
                        "test");
  json.merge_patch(ParseJson(more, "more"));
  return json;
}

/// What is told of it.
std::string LostWith(const char* more) {
  const LoadedScenario loaded = LoadScenario(PlanarFor2s(more), "test", {}, AllMetrics());
  RolloutStore rollouts;
  const PreparedCell cell(loaded, loaded.cells[0], rollouts);
  return LostSamplesMark(cell.scenario(), cell.Run(0));
}

TEST_CASE("Windows whose every sample is there are not told of") { CHECK(LostWith("{}") == ""); }

TEST_CASE("Samples that are skipped are missing where they were, by their number") {
  CHECK(LostWith(R"({"processing": {"skip_samples": 50}})") ==
        "samples that were dropped or lost (in the first trial): window early 50 of 100");
}

TEST_CASE("Dropped edges are missing at either end, in samples of the rate that is left") {
  CHECK(LostWith(R"({"processing": {"lowpass": {"cutoff_hz": 5, "drop_edges_s": 0.3}}})") ==
        "samples that were dropped or lost (in the first trial): window early 30 of 100, window "
        "late 30 of 100");
  // 0.3, 0.4 … 1.6 s are left of 0, 0.1 … 1.9 s.
  CHECK(LostWith(R"({"processing": {"lowpass": {"cutoff_hz": 2, "drop_edges_s": 0.3},
                     "decimate_to_hz": 10}})") ==
        "samples that were dropped or lost (in the first trial): window early 3 of 10, window late "
        "3 of 10");
}

TEST_CASE("Samples before a delay has passed are missing, of all channels") {
  CHECK(LostWith(R"({"sensors": {"joint_torque": {"delay_s": 0.025}}})") ==
        "samples that were dropped or lost (in the first trial): window early 3 of 100");
}

TEST_CASE("Checkpoints have as many as were there by then") {
  CHECK(LostWith(R"({"evaluate_at_s": [0.7, 1.5], "windows": null,
                     "processing": {"skip_samples": 50}})") ==
        "samples that were dropped or lost (in the first trial): first 0.7 s 50 of 71, first 1.5 s "
        "50 of 151");
}

TEST_CASE("Samples are missing in gaps too, and readings that are held are not") {
  CHECK(LostWith(R"({"sensors": {"joint_torque": {"dropout_fraction": 0.2}}})") == "");
  const LoadedScenario loaded = LoadScenario(PlanarFor2s("{}"), "test", {}, AllMetrics());
  RolloutStore rollouts;
  const PreparedCell cell(loaded, loaded.cells[0], rollouts);
  TrialData data = cell.Run(0);
  const Dataset whole = data.datasets[0];
  const auto in_two = [&](double second_start_s) {
    data.datasets.assign(2, whole.WithoutChannels());
    for (const Channel& channel : whole.channels()) {
      Channel first = channel, second = channel;
      first.time_s = Eigen::VectorXd(channel.time_s.head(90));
      first.samples = Eigen::MatrixXd(channel.samples.topRows(90));
      second.time_s = channel.time_s.tail(80).array() - 1.2 + second_start_s;
      second.samples = Eigen::MatrixXd(channel.samples.bottomRows(80));
      data.datasets[0].Add(std::move(first));
      data.datasets[1].Add(std::move(second));
    }
    SetClocks(data.datasets, 0.0);
    return LostSamplesMark(cell.scenario(), data);
  };
  CHECK(in_two(1.2) ==
        "samples that were dropped or lost (in the first trial): window early 10 of 100, window "
        "late 20 of 100");
  CHECK(in_two(0.0) == "");  // time jumps back
}

}  // namespace
}  // namespace idbench
