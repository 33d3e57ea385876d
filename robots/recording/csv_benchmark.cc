#include <benchmark/benchmark.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "robots/recording/csv.h"

namespace idbench {
namespace {

/// A text of the size of a seven-joint recording: 25 s at 200 Hz, time and 28 signals.
std::string Recording(Eigen::Index rows, Eigen::Index columns) {
  std::vector<std::string> names;
  for (Eigen::Index j = 0; j < columns; ++j) names.push_back(std::to_string(j).insert(0, 1, 'c'));
  const Eigen::MatrixXd values =
      Eigen::MatrixXd::NullaryExpr(rows, columns, [](Eigen::Index i, Eigen::Index j) {
        return std::sin(0.01 * static_cast<double>(i) * static_cast<double>(j + 1));
      });
  std::ostringstream stream;
  WriteCsv(stream, names, values);
  return stream.str();
}

void ParseRecording(benchmark::State& state) {
  const std::string text = Recording(5000, 29);
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(ParseCsv(text, "recording.csv"));
  state.SetItemsProcessed(state.iterations() * 5000);
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(ParseRecording)->Name("ParseCsv/5000x29")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace idbench
