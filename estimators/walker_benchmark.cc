#include <benchmark/benchmark.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "estimators/registry.h"
#include "estimators/synthetic_walker_test.h"
#include "estimators/walkers/zero_dynamics_likelihood.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// The low-pass and differences that the paper takes at the noise of these recordings, where the
/// method has any.
Json PaperOptions(Estimator& method) {
  Json options = Json::object();
  const FieldTable table = method.Fields();
  for (const Field& field : table.fields()) {
    if (field.name == "half_power") options[field.name] = 0.25;
    if (field.name == "n_cd") options[field.name] = 5;
  }
  return options;
}

/// Whole estimates from a step of the biped, 69 samples; another trial each time, as in a table.
void EstimateStep(benchmark::State& state, const EstimatorEntry& entry) {
  const std::unique_ptr<Estimator> method = entry.make();
  std::vector<Issue> issues;
  ReadFields(method->Fields(), PaperOptions(*method), "", issues);
  const SyntheticWalker walker = SyntheticWalker::Biped();
  std::vector<Dataset> trials;
  for (int trial = 0; trial < 16; ++trial) trials.push_back(walker.Record("a", 1.0, trial));
  std::size_t next = 0, failed = 0;
  for ([[maybe_unused]] auto _ : state) {
    const Estimate estimate = method->Run(walker.problem, std::span(&trials[next], 1));
    failed += estimate.ok() ? 0 : 1;
    next = (next + 1) % trials.size();
    benchmark::DoNotOptimize(estimate.x.data());
  }
  if (!issues.empty()) state.SkipWithError(issues.front().what.c_str());
  state.counters["failed"] =
      benchmark::Counter(static_cast<double>(failed), benchmark::Counter::kAvgIterations);
}

/// One simulation of a step along its zero dynamics.
void SimulateStep(benchmark::State& state, bool sensitivities) {
  const SyntheticWalker walker = SyntheticWalker::Biped();
  const std::vector<Dataset> datasets = {walker.Record("a")};
  const std::vector<WalkerRecording> recordings = ReadWalkerData(walker.problem, datasets, {}, 6);
  const ZeroDynamics dynamics =
      MakeZeroDynamics(walker.problem, recordings[0], DrivenMotion(recordings[0], {}));
  Eigen::VectorXd x(dynamics.unknowns());
  x << walker.beta, walker.x0[0], walker.x0[3];
  ZeroDynamics::Response response;
  for ([[maybe_unused]] auto _ : state) {
    if (!dynamics.Simulate(x, sensitivities, response)) state.SkipWithError("no motion");
    benchmark::DoNotOptimize(response.q1.data());
  }
  state.SetItemsProcessed(state.iterations() * recordings[0].size());
}
BENCHMARK_CAPTURE(SimulateStep, plain, false)
    ->Name("ZeroDynamics/biped/69")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(SimulateStep, sensitivities, true)
    ->Name("ZeroDynamics/biped/69/sensitivities")
    ->Unit(benchmark::kMicrosecond);

/// `Estimate/<type>/biped` of every registered method that estimates walkers.
[[maybe_unused]] const bool walker_methods_registered = [] {
  for (const EstimatorEntry& entry : EstimatorRegistry()) {
    if (!entry.make()->needs().problem.Has(Capability::kLagrangian) || IsActive(entry)) continue;
    benchmark::RegisterBenchmark(("Estimate/" + std::string(entry.type) + "/biped").c_str(),
                                 EstimateStep, entry)
        ->Unit(benchmark::kMicrosecond);
  }
  return true;
}();

}  // namespace
}  // namespace idbench
