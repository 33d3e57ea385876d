#include <benchmark/benchmark.h>

#include <cmath>
#include <numbers>
#include <random>

#include "reports/statistics/change_points.h"

namespace idbench {
namespace {

/// How often a change is found in series of n values of normal noise with a standard deviation of 1
/// and a correlation of `percent`, to which a step is added somewhere in their middle half; counter
/// `found`, of 2,000 series. With the step 0 it is the rate of false alarms. The time is that of
/// all series, with the simulation for this n.
void ChangeAlarms(benchmark::State& state) {
  constexpr int kSeries = 2000;
  const auto n = static_cast<std::size_t>(state.range(0));
  const double correlation = static_cast<double>(state.range(1)) / 100;
  const auto step = static_cast<double>(state.range(2));
  std::mt19937_64 engine{5};
  const auto uniform = [&] { return (static_cast<double>(engine() >> 11) + 0.5) * 0x1p-53; };
  const auto normal = [&] {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  };
  int found = 0;
  for ([[maybe_unused]] auto _ : state) {
    ChangePoints changes;
    std::vector<double> series(n);
    for (int k = 0; k < kSeries; ++k) {
      const std::size_t place = n / 4 + engine() % (n / 2);
      double noise = normal();
      for (std::size_t i = 0; i < n; ++i) {
        if (i > 0) {
          noise = correlation * noise + std::sqrt(1 - correlation * correlation) * normal();
        }
        series[i] = noise + (i >= place ? step : 0);
      }
      found += changes.Find(series).places.empty() ? 0 : 1;
    }
  }
  state.counters["found"] = found / double{kSeries};
}
BENCHMARK(ChangeAlarms)
    ->ArgNames({"n", "percent", "step"})
    ->ArgsProduct({{20, 60}, {0, 30, 50, 70}, {0, 1, 2, 4}})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace idbench
