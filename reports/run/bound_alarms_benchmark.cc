#include <benchmark/benchmark.h>

#include <random>

#include "reports/run/bound_alarms.h"

namespace idbench {
namespace {

/// A run of one cell and one estimator with the ratio of Cramér and Rao.
RunManifest OneEstimator() {
  RunManifest manifest;
  manifest.cells = {{.index = 0, .axes = {}}};
  manifest.estimators = manifest.unbiased = {"ols"};
  manifest.metrics = {
      {.name = "crlb_ratio", .unit = "1", .components = {}, .law = ValueLaw::kUnbiasedBoundRatio}};
  return manifest;
}

/// How often an estimator with normal errors that reaches the bound of Cramér and Rao raises an
/// alarm; counter `false_alarms`, of 200,000 runs with so many trials and unknowns, to be
/// kBoundAlarmLevel. The time is that of all runs.
void BoundFalseAlarms(benchmark::State& state) {
  constexpr int kRuns = 200'000;
  const auto unknowns = static_cast<double>(state.range(0));
  const auto trials = static_cast<std::size_t>(state.range(1));
  const RunManifest manifest = OneEstimator();
  std::mt19937_64 engine{7};
  std::chi_squared_distribution<> law(unknowns);
  std::size_t alarms = 0;
  for ([[maybe_unused]] auto _ : state) {
    MetricSamples samples;
    samples.overall.resize(trials);
    samples.counts.assign(trials, unknowns);
    for (int run = 0; run < kRuns; ++run) {
      for (double& ratio : samples.overall) ratio = law(engine) / unknowns;
      BoundAlarms judged(manifest);
      judged.Add(0, 0, manifest.metrics[0], samples);
      alarms += judged.Raised().size();
    }
  }
  state.counters["false_alarms"] = static_cast<double>(alarms) / kRuns;
}
BENCHMARK(BoundFalseAlarms)
    ->ArgNames({"unknowns", "trials"})
    ->ArgsProduct({{1, 5, 43}, {10, 100}})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace idbench
