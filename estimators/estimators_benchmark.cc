#include <benchmark/benchmark.h>

#include "estimators/ekf.h"
#include "estimators/ols.h"
#include "estimators/sigmoid_ekf.h"
#include "estimators/synthetic_test.h"
#include "estimators/wls.h"

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

/// Updates with masses and moments of the WAM, 28 unknowns, from seven joint torques.
template <class Method>
void UpdateMethod(benchmark::State& state) {
  Synthetic robot("barrett_wam7", "masses_and_moments", {Equation::kTorque}, {}, {});
  robot.Declare(Eigen::VectorXd::LinSpaced(7, 0.5, 0.05));
  const std::vector<Dataset> datasets = {robot.Record("identification", 4000)};
  std::vector<Sample> samples;
  SampleReader reader(robot.problem, datasets);
  Sample sample(robot.problem);
  while (reader.Next(1e9, sample)) samples.push_back(sample);
  Method method;
  method.Begin(robot.problem);
  std::size_t next = 0;
  for (auto _ : state) {
    method.Update(samples[next]);
    if (++next == samples.size()) next = 0;
  }
  if (!method.Current().ok()) state.SkipWithError(method.Current().reason.c_str());
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(UpdateMethod<Ekf>)->Name("Ekf/wam7/28")->Unit(benchmark::kMicrosecond);
BENCHMARK(UpdateMethod<SigmoidEkf>)->Name("SigmoidEkf/wam7/28")->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace idbench
