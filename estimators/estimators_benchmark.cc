#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <utility>

#include "estimators/ols.h"
#include "estimators/online_estimator.h"
#include "estimators/synthetic_test.h"
#include "estimators/wls.h"
#include "robots/dynamics/allocation_count_test.h"

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
  for (auto _ : state) {
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

/// What a method can take: base parameters, or masses and moments with prior, bounds and σ.
Synthetic ProblemFor(const Estimator& method) {
  const EstimatorNeeds needs = method.needs();
  if (!needs.bounds && !needs.prior_covariance && !needs.declared_sigma) {
    return Synthetic("barrett_wam7", "base", {Equation::kTorque}, {}, {});
  }
  return DeclaredWam("masses_and_moments");
}

/// Whole estimates of a registered method from 40 s of the WAM at 100 Hz, regressors included.
void EstimateAll(benchmark::State& state, const EstimatorEntry& entry) {
  const std::unique_ptr<Estimator> method = entry.make();
  const Synthetic robot = ProblemFor(*method);
  const std::vector<Dataset> datasets = {
      robot.Record("identification", 4000, Eigen::VectorXd::LinSpaced(7, 0.5, 0.05))};
  const long before = allocation_count;
  for (auto _ : state) {
    const Estimate estimate = method->Run(robot.problem, datasets);
    if (!estimate.ok()) state.SkipWithError(estimate.reason.c_str());
    benchmark::DoNotOptimize(estimate.x.data());
  }
  state.counters["allocations"] = benchmark::Counter(static_cast<double>(allocation_count - before),
                                                     benchmark::Counter::kAvgIterations);
  state.counters["unknowns"] = robot.problem.parameters.size();
  state.SetItemsProcessed(state.iterations() * 4000);
}

/// Single updates of an online method from seven joint torques, regressor included.
void UpdateOn(const Synthetic& robot, OnlineEstimator& method, benchmark::State& state) {
  const std::vector<Dataset> datasets = {robot.Record("identification", 4000)};
  std::vector<Sample> samples;
  SampleReader reader(robot.problem, datasets);
  Sample sample(robot.problem);
  while (reader.Next(1e9, sample)) samples.push_back(sample);
  method.Begin(robot.problem);
  std::size_t next = 0;
  const long before = allocation_count;
  for (auto _ : state) {
    method.Update(samples[next]);
    if (++next == samples.size()) next = 0;
  }
  state.counters["allocations"] = benchmark::Counter(static_cast<double>(allocation_count - before),
                                                     benchmark::Counter::kAvgIterations);
  if (!method.Current().ok()) state.SkipWithError(method.Current().reason.c_str());
  state.counters["unknowns"] = robot.problem.parameters.size();
  state.SetItemsProcessed(state.iterations());
}

/// Those of a registered method on all that it can take.
void UpdateOne(benchmark::State& state, const EstimatorEntry& entry) {
  const std::unique_ptr<Estimator> method = entry.make();
  UpdateOn(ProblemFor(*method), dynamic_cast<OnlineEstimator&>(*method), state);
}

/// Those of a payload's four unknowns on an arm that is known.
void UpdatePayload(benchmark::State& state, const EstimatorEntry& entry) {
  Synthetic robot("barrett_wam7", "payload", {Equation::kTorque}, {}, {});
  robot.Declare(Eigen::VectorXd::LinSpaced(7, 0.5, 0.05));
  const std::unique_ptr<Estimator> method = entry.make();
  UpdateOn(robot, dynamic_cast<OnlineEstimator&>(*method), state);
}

/// `Estimate/<type>/wam7` of every registered method, `Update/<type>/wam7` of the online ones.
[[maybe_unused]] const bool registered = [] {
  for (const EstimatorEntry& entry : EstimatorRegistry()) {
    const std::string type(entry.type);
    benchmark::RegisterBenchmark(("Estimate/" + type + "/wam7").c_str(), EstimateAll, entry)
        ->Unit(benchmark::kMillisecond);
    if (dynamic_cast<const OnlineEstimator*>(entry.make().get()) == nullptr) continue;
    benchmark::RegisterBenchmark(("Update/" + type + "/wam7").c_str(), UpdateOne, entry)
        ->Unit(benchmark::kMicrosecond);
  }
  // The names that the project's figures go by.
  for (const auto& [name, type] :
       {std::pair{"SigmoidEkf/wam7/28", "masses_and_moments"},
        std::pair{"SigmoidEkf/wam7/49", "masses_moments_first_moments"}}) {
    benchmark::RegisterBenchmark(name, [type = type](benchmark::State& state) {
      const std::unique_ptr<Estimator> method = FindEstimator("sigmoid_ekf")->make();
      UpdateOn(DeclaredWam(type), dynamic_cast<OnlineEstimator&>(*method), state);
    })->Unit(benchmark::kMicrosecond);
  }
  benchmark::RegisterBenchmark("SigmoidEkf/wam7/4", UpdatePayload, *FindEstimator("sigmoid_ekf"))
      ->Unit(benchmark::kMicrosecond);
  return true;
}();

}  // namespace
}  // namespace idbench
