#include <benchmark/benchmark.h>

#include <cmath>

#include "robots/recording/filter.h"

namespace idbench {
namespace {

void FilterRecording(benchmark::State& state) {
  Eigen::MatrixXd columns =
      Eigen::MatrixXd::NullaryExpr(5000, 28, [](Eigen::Index i, Eigen::Index j) {
        return std::sin(0.01 * static_cast<double>(i) * static_cast<double>(j + 1));
      });
  const ButterworthLowpass filter(5, 10.0, 200.0);
  for ([[maybe_unused]] auto _ : state) {
    filter.ApplyZeroPhase(columns);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * columns.rows());
}
BENCHMARK(FilterRecording)->Name("ApplyZeroPhase/5000x28")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace idbench
