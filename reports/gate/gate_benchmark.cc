#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "reports/gate/gate.h"
#include "reports/statistics/paired_test.h"

namespace idbench {
namespace {

constexpr double kLogSpread = 0.1;
constexpr std::size_t kPilotTrials = 100;

/// n pairs whose log-ratios are normal, their mean that of a relative loss.
Pairs DrawPairs(double loss, std::size_t n, std::mt19937_64& engine) {
  const std::vector<double> a(n, 1.0);
  std::vector<double> b(n);
  for (double& value : b) value = std::exp(std::log1p(loss) + kLogSpread * NormalDraw(engine));
  return MakePairs(a, b, OwnRollouts(n));
}

std::vector<GateSubject> DrawSubjects(std::size_t members, double loss, std::size_t n,
                                      const GateMetric& metric, std::mt19937_64& engine) {
  std::vector<GateSubject> subjects;
  for (std::size_t i = 0; i < members; ++i) {
    subjects.push_back({.cell = i,
                        .axes = {},
                        .estimator = "e",
                        .metric = metric,
                        .pairs = DrawPairs(loss, n, engine)});
  }
  return subjects;
}

/// A gate of `members` members that are all worse by `loss`, first stage and reserve drawn anew.
GateReport DrawGate(std::size_t members, double loss, const GateNeeds& trials,
                    const GateRules& rules, std::mt19937_64& engine) {
  const auto subjects = DrawSubjects(members, loss, trials.first, rules.metrics[0], engine);
  return DecideGate(subjects, rules,
                    {.pairs =
                         [&](const std::vector<std::size_t>& wanted) {
                           std::vector<Pairs> pairs;
                           for (std::size_t i = 0; i < wanted.size(); ++i) {
                             pairs.push_back(DrawPairs(loss, trials.reserve, engine));
                           }
                           return pairs;
                         },
                     .units = trials.reserve});
}

/// Verdicts of 500 gates with as many trials as a pilot of 100, at the tolerance, asks for:
/// counters `red` and `open` (inconclusive), and the `trials` and `reserve` that were asked for.
/// Tolerance 2 %, must find 4 %, a paired log-spread of 0.1. Arguments: members, true change in per
/// mille. Below the tolerance red is to be at most α = 0.05, at 40 per mille at least 0.8, and open
/// at 0 at most 0.05. The time is that of a gate.
void GateVerdicts(benchmark::State& state) {
  constexpr int kGates = 500;
  const auto members = static_cast<std::size_t>(state.range(0));
  const double loss = static_cast<double>(state.range(1)) / 1000;
  const GateRules rules{.metrics = {{.name = "error"}}};
  std::mt19937_64 engine(1);
  const GateNeeds trials =
      DrawGate(members, rules.metrics[0].tolerance, {kPilotTrials, kPilotTrials}, rules, engine)
          .needed.value_or(GateNeeds{kPilotTrials, kPilotTrials});
  int red = 0;
  int open = 0;
  for ([[maybe_unused]] auto _ : state) {
    for (int k = 0; k < kGates; ++k) {
      const GateVerdict verdict = DrawGate(members, loss, trials, rules, engine).verdict;
      red += verdict == GateVerdict::kRegression;
      open += verdict == GateVerdict::kInconclusive;
    }
  }
  state.SetItemsProcessed(kGates);
  state.counters["red"] = red / double{kGates};
  state.counters["open"] = open / double{kGates};
  state.counters["trials"] = static_cast<double>(trials.first);
  state.counters["reserve"] = static_cast<double>(trials.reserve);
}
BENCHMARK(GateVerdicts)
    ->ArgsProduct({{1, 20}, {0, 15, 18, 20, 30, 40}})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace idbench
