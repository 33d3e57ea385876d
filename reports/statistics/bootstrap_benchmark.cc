#include <benchmark/benchmark.h>

#include <cmath>
#include <numbers>
#include <string>

#include "reports/statistics/bootstrap.h"

namespace idbench {
namespace {

/// Standard normal draws by Box-Muller: the same bits with every standard library.
class NormalStream {
 public:
  double Next() {
    const double u = (static_cast<double>(engine_() >> 11) + 0.5) * 0x1p-53;
    const double v = static_cast<double>(engine_() >> 11) * 0x1p-53;
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
  }

 private:
  std::mt19937_64 engine_{2};
};

struct Distribution {
  const char* name;
  double mean;
  double (*draw)(NormalStream& normal);
};

constexpr double kLogSigma = 1.5;

const Distribution kDistributions[] = {
    {"normal", 0.0, [](NormalStream& normal) { return normal.Next(); }},
    {"chi2_1", 1.0,
     [](NormalStream& normal) {
       const double z = normal.Next();
       return z * z;
     }},
    {"lognormal_1.5", std::exp(kLogSigma* kLogSigma / 2),
     [](NormalStream& normal) { return std::exp(kLogSigma * normal.Next()); }}};

bool Covers(const ConfidenceInterval& interval, double value) {
  return interval.lower <= value && value <= interval.upper;
}

/// How often the 95 % intervals of n independent values hold the mean: counters `bca` and
/// `percentile`, and `geometric`, that of the logarithms, where values are positive. Of 2,000
/// samples; 0.95 has a standard deviation of 0.005 then. The time is that of one sample.
void IntervalCoverage(benchmark::State& state, const Distribution& distribution) {
  constexpr int kSamples = 2000;
  const auto n = static_cast<std::size_t>(state.range(0));
  const Resampling resampling(std::vector<std::uint32_t>(n, 0));
  NormalStream normal;
  int bca = 0, percentile = 0, geometric = 0;
  std::vector<double> values(n);
  for ([[maybe_unused]] auto _ : state) {
    for (int sample = 0; sample < kSamples; ++sample) {
      for (double& value : values) value = distribution.draw(normal);
      bca += Covers(resampling.MeanInterval(values, 0.95).value(), distribution.mean);
      percentile += Covers(PercentileInterval(resampling.Means(values), 0.95), distribution.mean);
      if (std::string(distribution.name) != "lognormal_1.5") continue;
      for (double& value : values) value = std::log(value);
      geometric += Covers(resampling.MeanInterval(values, 0.95).value(), 0.0);
    }
  }
  state.SetItemsProcessed(kSamples);
  state.counters["bca"] = bca / double{kSamples};
  state.counters["percentile"] = percentile / double{kSamples};
  if (geometric > 0) state.counters["geometric"] = geometric / double{kSamples};
}

[[maybe_unused]] const bool coverage_registered = [] {
  for (const Distribution& distribution : kDistributions) {
    benchmark::RegisterBenchmark(
        (std::string("IntervalCoverage/") + distribution.name).c_str(),
        [&distribution](benchmark::State& state) { IntervalCoverage(state, distribution); })
        ->Arg(10)
        ->Arg(30)
        ->Arg(100)
        ->Arg(1000)
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

/// The interval of the mean of n trials, resamples drawn before: what a report pays per number.
void MeanInterval(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const Resampling resampling(std::vector<std::uint32_t>(n, 0));
  NormalStream normal;
  std::vector<double> values(n);
  for (double& value : values) value = normal.Next();
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(resampling.MeanInterval(values, 0.95));
}
BENCHMARK(MeanInterval)->Arg(100)->Arg(1000)->Arg(10'000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace idbench
