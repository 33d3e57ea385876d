#include "reports/run/metric_store.h"

#include <doctest/doctest.h>

#include <cmath>

namespace idbench {
namespace {

RunManifest StoredManifest() {
  RunManifest manifest;
  manifest.cells.resize(2);
  manifest.estimators = {"ols", "wls"};
  manifest.metrics = {{"a", "1", {}}, {"b", "1", {"x", "y"}}};
  return manifest;
}

RunRecord Record(std::size_t cell, std::size_t trial, std::size_t estimator) {
  const double value = static_cast<double>(1000 * cell + 10 * trial + estimator);
  RecordedMetric a{"a", value, {}, trial, ""};
  RecordedMetric b{"b", -value, {value + 0.25, value + 0.5}, {}, ""};
  return {cell, trial, estimator, std::to_string(trial / 50), "", "ok", "", {b, a}};
}

TEST_CASE("Every number comes back at its trial, over many chunks and two cells") {
  constexpr std::size_t kTrials = 150;  // with two estimators nearly five chunks
  MetricStore store(StoredManifest());
  for (std::size_t cell = 0; cell < 2; ++cell) {
    for (std::size_t trial = 0; trial < kTrials; ++trial) {
      for (std::size_t estimator = 0; estimator < 2; ++estimator) {
        store.Add(Record(cell, trial, estimator));
      }
    }
  }
  store.Finish();
  for (std::size_t cell = 0; cell < 2; ++cell) {
    const std::vector<MetricSamples> a = store.Load(cell, 0);
    const std::vector<MetricSamples> b = store.Load(cell, 1);
    for (std::size_t estimator = 0; estimator < 2; ++estimator) {
      REQUIRE(a[estimator].overall.size() == kTrials);
      CHECK(a[estimator].components.empty());
      CHECK(a[estimator].count_range == std::pair<std::size_t, std::size_t>(0, kTrials - 1));
      CHECK_FALSE(b[estimator].count_range);
      for (std::size_t trial = 0; trial < kTrials; ++trial) {
        const double value = static_cast<double>(1000 * cell + 10 * trial + estimator);
        CHECK(a[estimator].overall[trial] == value);
        CHECK(a[estimator].counts[trial] == static_cast<double>(trial));
        CHECK(std::isnan(b[estimator].counts[trial]));
        CHECK(b[estimator].overall[trial] == -value);
        CHECK(b[estimator].components[0][trial] == value + 0.25);
        CHECK(b[estimator].components[1][trial] == value + 0.5);
        CHECK(b[estimator].rollouts[trial] == trial / 50);
      }
    }
  }
}

TEST_CASE("A failure keeps its place and its first reason") {
  MetricStore store(StoredManifest());
  for (std::size_t trial = 0; trial < 70; ++trial) {
    RunRecord record = Record(0, trial, 0);
    if (trial >= 65) record.metrics[1] = {"a", {}, {}, {}, "reason " + std::to_string(trial)};
    store.Add(record);
  }
  store.Finish();
  const MetricSamples a = store.Load(0, 0)[0];
  CHECK(a.failed == 5);
  CHECK(a.first_failure == "reason 65");
  CHECK(std::isnan(a.overall[69]));
  CHECK(a.overall[64] == 640.0);
  CHECK(store.Load(0, 1)[0].failed == 0);
  CHECK(store.Load(0, 0)[1].overall.empty());
}

TEST_CASE("What cannot be had is no failure unless other trials have it") {
  const auto load = [](std::size_t trials_with) {
    MetricStore store(StoredManifest());
    for (std::size_t trial = 0; trial < 20; ++trial) {
      RunRecord record = Record(0, trial, 0);
      if (trial >= trials_with) {
        record.metrics[1] = {"a", {}, {}, {}, "withheld; ratio " + std::to_string(trial), true};
      }
      store.Add(record);
    }
    store.Finish();
    return store.Load(0, 0)[0];
  };
  const MetricSamples none = load(0);
  CHECK_FALSE(none.applies);
  CHECK(none.failed == 20);
  REQUIRE(none.reasons.size() == 1);
  CHECK(none.reasons[0].text == "withheld");
  CHECK(none.reasons[0].trials == 20);
  const MetricSamples some = load(14);
  CHECK(some.applies);
  CHECK(some.failed == 6);
  CHECK(some.reasons[0].trials == 6);
}

TEST_CASE(
    "Reasons are counted, alike up to their semicolon, and beyond a dozen the last takes all") {
  MetricStore store(StoredManifest());
  for (std::size_t trial = 0; trial < 40; ++trial) {
    RunRecord record = Record(0, trial, 0);
    const std::string reason = trial < 10 ? "always" : "reason " + std::to_string(trial);
    record.metrics[1] = {"a", {}, {}, {}, reason};
    store.Add(record);
  }
  store.Finish();
  const FailureReasons reasons = store.Load(0, 0)[0].reasons;
  REQUIRE(reasons.size() == 12);
  CHECK(reasons[0].text == "always");
  CHECK(reasons[0].trials == 10);
  CHECK(reasons[1].trials == 1);
  CHECK(reasons[11].trials == 20);
}

}  // namespace
}  // namespace idbench
