#include <benchmark/benchmark.h>

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <cmath>
#include <numbers>
#include <optional>
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
  std::optional<double> mean_logarithm;  ///< Of positive values.
  double (*draw)(NormalStream& normal);
};

constexpr double kLogSigma = 1.5;

const Distribution kDistributions[] = {
    {"normal", 0.0, {}, [](NormalStream& normal) { return normal.Next(); }},
    {"chi2_1", 1.0, -std::numbers::egamma - std::numbers::ln2,
     [](NormalStream& normal) {
       const double z = normal.Next();
       return z * z;
     }},
    {"lognormal_1.5", std::exp(kLogSigma* kLogSigma / 2), 0.0,
     [](NormalStream& normal) { return std::exp(kLogSigma * normal.Next()); }}};

bool Covers(const ConfidenceInterval& interval, double value) {
  return interval.lower <= value && value <= interval.upper;
}

constexpr int kSamples = 2000;
constexpr int kFractionOf = 70;  ///< Parts of a value that is a fraction.

/// How often the 95 % intervals of n independent values hold the mean, counter `coverage`, and
/// those of their logarithms, `geometric`, where values are positive. Of 2,000 samples; 0.95 has a
/// standard deviation of 0.005 then. The time is that of one sample.
void IntervalCoverage(benchmark::State& state, const Distribution& distribution) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const Resampling resampling(std::vector<std::uint32_t>(n, 0));
  NormalStream normal;
  int covered = 0, geometric = 0;
  std::vector<double> values(n);
  for ([[maybe_unused]] auto _ : state) {
    for (int sample = 0; sample < kSamples; ++sample) {
      for (double& value : values) value = distribution.draw(normal);
      covered += Covers(resampling.MeanInterval(values, 0.95).value(), distribution.mean);
      if (!distribution.mean_logarithm) continue;
      for (double& value : values) value = std::log(value);
      geometric +=
          Covers(resampling.MeanInterval(values, 0.95).value(), *distribution.mean_logarithm);
    }
  }
  state.SetItemsProcessed(kSamples);
  state.counters["coverage"] = covered / double{kSamples};
  if (distribution.mean_logarithm) state.counters["geometric"] = geometric / double{kSamples};
}

/// Likewise of n proportions with the mean `percent`: values 0 and 1 (`single`), and fractions of
/// 70 parts (`fraction`), of which a value's own probability spreads as a beta distribution with a
/// = 20p does (the parts of an estimate depend on each other).
void ProportionCoverage(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const double p = static_cast<double>(state.range(1)) / 100;
  const Resampling resampling(std::vector<std::uint32_t>(n, 0));
  std::mt19937_64 engine{3};
  const auto uniform = [&] { return static_cast<double>(engine() >> 11) * 0x1p-53; };
  int single = 0, fraction = 0;
  std::vector<double> values(n);
  for ([[maybe_unused]] auto _ : state) {
    for (int sample = 0; sample < kSamples; ++sample) {
      for (double& value : values) value = uniform() < p ? 1 : 0;
      single += Covers(resampling.ProportionInterval(values, 0.95).value(), p);
      for (double& value : values) {
        const double x =
            boost::math::quantile(boost::math::beta_distribution(20 * p, 20 * (1 - p)), uniform());
        value = 0;
        for (int k = 0; k < kFractionOf; ++k) value += uniform() < x ? 1.0 / kFractionOf : 0;
        value = std::min(value, 1.0);
      }
      fraction += Covers(resampling.ProportionInterval(values, 0.95).value(), p);
    }
  }
  state.SetItemsProcessed(kSamples);
  state.counters["single"] = single / double{kSamples};
  state.counters["fraction"] = fraction / double{kSamples};
}
BENCHMARK(ProportionCoverage)
    ->ArgsProduct({{10, 30, 100}, {50, 90, 99}})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

[[maybe_unused]] const bool coverage_registered = [] {
  for (const Distribution& distribution : kDistributions) {
    benchmark::RegisterBenchmark(
        (std::string("IntervalCoverage/") + distribution.name).c_str(),
        [&distribution](benchmark::State& state) { IntervalCoverage(state, distribution); })
        ->Arg(10)
        ->Arg(30)
        ->Arg(60)
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
