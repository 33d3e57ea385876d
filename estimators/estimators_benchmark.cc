#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "estimators/batch/ols.h"
#include "estimators/batch/wls.h"
#include "estimators/interface/online_estimator.h"
#include "estimators/observers/observer_registry.h"
#include "estimators/registry.h"
#include "estimators/synthetic_test.h"
#include "robots/dynamics/allocation_count_test.h"
#include "robots/robot.h"

namespace idbench {
namespace {

/// Base parameters with viscous, Coulomb and offset friction, on noisy recordings.
template <class Method>
void RunMethod(benchmark::State& state, const char* name, Eigen::Index samples) {
  const Synthetic robot(
      name, "base", {Equation::kTorque}, {},
      {JointParameter::kViscous, JointParameter::kCoulomb, JointParameter::kOffset});
  const Eigen::VectorXd sigma = Eigen::VectorXd::LinSpaced(robot.model.dofs(), 0.5, 0.05);
  const std::vector<Dataset> datasets = {robot.Record("identification", samples, sigma)};
  Method method;
  for ([[maybe_unused]] auto _ : state) {
    const Estimate estimate = method.Run(robot.problem, datasets);
    if (!estimate.ok()) state.SkipWithError(estimate.reason.c_str());
    benchmark::DoNotOptimize(estimate.x.data());
  }
  state.SetItemsProcessed(state.iterations() * samples);
}

void OlsKuka(benchmark::State& state) { RunMethod<Ols>(state, "kuka_lwr4", 4527); }
BENCHMARK(OlsKuka)->Name("Ols/kuka_lwr4/4527")->Unit(benchmark::kMillisecond);

void WlsWam(benchmark::State& state) { RunMethod<Wls>(state, "barrett_wam7", 4000); }
BENCHMARK(WlsWam)->Name("Wls/wam7/4000")->Unit(benchmark::kMillisecond);

/// The WAM with all declared that a method may need.
Synthetic DeclaredWam(const char* parametrisation) {
  Synthetic robot("barrett_wam7", parametrisation, {Equation::kTorque}, {}, {});
  robot.Declare(Eigen::VectorXd::LinSpaced(7, 0.5, 0.05));
  return robot;
}

/// Methods that need whole bodies.
constexpr std::array<std::string_view, 4> kOverBodies = {"scaled_kf", "entropic_filter",
                                                         "log_cholesky_ekf", "consistent_wls"};

/// What a method can take: base parameters, or with prior, bounds and σ masses and moments, or all
/// ten parameters of each body.
Synthetic ProblemFor(const EstimatorEntry& entry) {
  if (std::ranges::find(kOverBodies, entry.type) != kOverBodies.end()) {
    return DeclaredWam("standard");
  }
  const EstimatorNeeds needs = entry.make()->needs();
  using enum Capability;
  if (!needs.problem.Has(kTwoBounds) && !needs.problem.Has(kPriorCovariance) &&
      !needs.problem.Has(kRowSigma)) {
    return Synthetic("barrett_wam7", "base", {Equation::kTorque}, {}, {});
  }
  return DeclaredWam("masses_and_moments");
}

/// Whole estimates of a registered method from 40 s of the WAM at 100 Hz, regressors included.
void EstimateAll(benchmark::State& state, const EstimatorEntry& entry) {
  const std::unique_ptr<Estimator> method = entry.make();
  const Synthetic robot = ProblemFor(entry);
  const std::vector<Dataset> datasets = {
      robot.Record("identification", 4000, Eigen::VectorXd::LinSpaced(7, 0.5, 0.05))};
  const long before = allocation_count;
  for ([[maybe_unused]] auto _ : state) {
    const Estimate estimate = method->Run(robot.problem, datasets);
    if (!estimate.ok()) state.SkipWithError(estimate.reason.c_str());
    benchmark::DoNotOptimize(estimate.x.data());
  }
  state.counters["allocations"] = benchmark::Counter(static_cast<double>(allocation_count - before),
                                                     benchmark::Counter::kAvgIterations);
  state.counters["unknowns"] = robot.problem.parameters.size();
  state.SetItemsProcessed(state.iterations() * 4000);
}

/// Whole observations by a registered observer of 80 s of the WAM at 100 Hz, with 40 s for
/// training: from torques, or from the wrench on the base where the observer tells places.
void ObserveAll(benchmark::State& state, const ObserverEntry& entry) {
  const std::unique_ptr<Observer> observer = entry.make();
  const bool of_wrench = TouchEverywhere(*observer, LoadRobot("barrett_wam7").model);
  const Synthetic robot = of_wrench
                              ? Synthetic("barrett_wam7", "standard", {Equation::kWrench}, {}, {})
                              : DeclaredWam("standard");
  const Eigen::VectorXd sigma = Eigen::VectorXd::LinSpaced(7, 0.5, 0.05);
  const std::vector<Dataset> training = {robot.Record("identification", 4000, sigma)};
  const Dataset watched = robot.Record("application", 8000, sigma, 1, Role::kApplication);
  Estimate model;
  model.pi = robot.pi;
  const long before = allocation_count;
  for ([[maybe_unused]] auto _ : state) {
    const Observation observation = observer->Observe(robot.problem, model, training, watched);
    if (!observation.ok()) state.SkipWithError(observation.reason.c_str());
    benchmark::DoNotOptimize(observation.series.data());
  }
  state.counters["allocations"] = benchmark::Counter(static_cast<double>(allocation_count - before),
                                                     benchmark::Counter::kAvgIterations);
  state.SetItemsProcessed(state.iterations() * (4000 + 8000));
}

/// 40 s of noisy samples.
std::vector<Sample> SamplesOf(const Synthetic& robot) {
  const std::vector<Dataset> datasets = {
      robot.Record("identification", 4000, Eigen::VectorXd::LinSpaced(7, 0.5, 0.05))};
  std::vector<Sample> samples;
  SampleReader reader(robot.problem, datasets);
  Sample sample(robot.problem);
  while (reader.Next(1e9, sample)) samples.push_back(sample);
  return samples;
}

/// The solve of the entropic filter, covariance included, with `samples` behind it.
void EntropicSolve(benchmark::State& state, std::size_t samples) {
  const Synthetic robot = DeclaredWam("standard");
  const std::unique_ptr<Estimator> owner = FindEstimator("entropic_filter")->make();
  auto& method = dynamic_cast<OnlineEstimator&>(*owner);
  method.Begin(robot.problem);
  const std::vector<Sample> all = SamplesOf(robot);
  for (std::size_t k = 0; k < samples; ++k) method.Update(all[k]);
  double steps = 0.0;
  for ([[maybe_unused]] auto _ : state) steps = method.Current().diagnostics.at("newton_steps");
  state.counters["newton_steps"] = steps;
}
BENCHMARK_CAPTURE(EntropicSolve, 24, 24)
    ->Name("EntropicSolve/wam7/24")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(EntropicSolve, 3999, 3999)
    ->Name("EntropicSolve/wam7/3999")
    ->Unit(benchmark::kMicrosecond);

/// Single updates of a registered online method from seven joint torques, regressor included.
void UpdateOne(benchmark::State& state, const EstimatorEntry& entry, const Synthetic& robot) {
  const std::unique_ptr<Estimator> owner = entry.make();
  auto& method = dynamic_cast<OnlineEstimator&>(*owner);
  const std::vector<Sample> samples = SamplesOf(robot);
  method.Begin(robot.problem);
  std::size_t next = 0;
  long allocations = 0;
  for ([[maybe_unused]] auto _ : state) {
    const long before = allocation_count;
    method.Update(samples[next]);
    allocations += allocation_count - before;
    if (++next < samples.size()) continue;
    state.PauseTiming();
    method.Begin(robot.problem);
    next = 0;
    state.ResumeTiming();
  }
  state.counters["allocations"] =
      benchmark::Counter(static_cast<double>(allocations), benchmark::Counter::kAvgIterations);
  if (!method.Current().ok()) state.SkipWithError(method.Current().reason.c_str());
  state.counters["unknowns"] = robot.problem.parameters.size();
  state.SetItemsProcessed(state.iterations());
}

/// `Estimate/<type>/wam7` of every registered method, `Update/<type>/wam7` of the online ones,
/// `Observe/<type>/wam7` of every observer.
[[maybe_unused]] const bool methods_registered = [] {
  for (const EstimatorEntry& entry : EstimatorRegistry()) {
    // An arm is no walker, and its drives are those of motors_benchmark.cc.
    const Capabilities needs = entry.make()->needs().problem;
    using enum Capability;
    if (needs.Has(kLagrangian) || needs.Has(kMeasuredColumns) || needs.Has(kDriveRows) ||
        needs.Has(kUnknownOffsets))
      continue;
    const std::string type(entry.type);
    benchmark::RegisterBenchmark(("Estimate/" + type + "/wam7").c_str(), EstimateAll, entry)
        ->Unit(benchmark::kMillisecond);
    if (dynamic_cast<const OnlineEstimator*>(entry.make().get()) == nullptr) continue;
    benchmark::RegisterBenchmark(
        ("Update/" + type + "/wam7").c_str(),
        [entry](benchmark::State& state) { UpdateOne(state, entry, ProblemFor(entry)); })
        ->Unit(benchmark::kMicrosecond);
  }
  for (const ObserverEntry& entry : ObserverRegistry()) {
    benchmark::RegisterBenchmark(("Observe/" + std::string(entry.type) + "/wam7").c_str(),
                                 ObserveAll, entry)
        ->Unit(benchmark::kMillisecond);
  }
  // The names that the project's figures go by. Four unknowns: a payload's, the arm being known.
  benchmark::RegisterBenchmark("SigmoidEkf/wam7/4", [](benchmark::State& state) {
    UpdateOne(state, *FindEstimator("sigmoid_ekf"), DeclaredWam("payload"));
  })->Unit(benchmark::kMicrosecond);
  for (const auto& [name, type] :
       {std::pair{"SigmoidEkf/wam7/28", "masses_and_moments"},
        std::pair{"SigmoidEkf/wam7/49", "masses_moments_first_moments"}}) {
    benchmark::RegisterBenchmark(name, [type = type](benchmark::State& state) {
      UpdateOne(state, *FindEstimator("sigmoid_ekf"), DeclaredWam(type));
    })->Unit(benchmark::kMicrosecond);
  }
  return true;
}();

}  // namespace
}  // namespace idbench
