#include "reports/benchmark_json.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// Appends the repetitions of one benchmark.
void AddRepetitions(const std::string& name, const char* unit, const std::vector<double>& real,
                    const std::vector<double>& cpu, std::size_t family, Json& benchmarks) {
  for (std::size_t k = 0; k < real.size(); ++k) {
    benchmarks.push_back({{"name", name},
                          {"family_index", family},
                          {"per_family_instance_index", 0},
                          {"run_name", name},
                          {"run_type", "iteration"},
                          {"repetitions", real.size()},
                          {"repetition_index", k},
                          {"threads", 1},
                          {"iterations", 1},
                          {"real_time", real[k]},
                          {"cpu_time", cpu.size() == real.size() ? cpu[k] : real[k]},
                          {"time_unit", unit}});
  }
}

}  // namespace

Json BenchmarkJson(const RunFolder& folder) {
  const RunManifest& manifest = folder.manifest();
  Json benchmarks = Json::array();
  std::size_t family = 0;
  for (const auto& [key, samples] : folder.LoadTimings()) {
    const auto& [cell, estimator] = key;
    const std::string name =
        fmt::format("{}/{}", manifest.cells[cell].Label(), manifest.estimators[estimator]);
    AddRepetitions(name + "/estimate", "ms", samples.estimate_ms, samples.estimate_cpu_ms, family++,
                   benchmarks);
    if (samples.update_median_us.empty()) continue;
    AddRepetitions(name + "/update", "us", samples.update_median_us, {}, family++, benchmarks);
  }
  Json context = {
      {"executable", "idbench"}, {"scenario", manifest.Name()}, {"commit", manifest.commit}};
  if (const auto assertions = manifest.build->find("assertions");
      assertions != manifest.build->end() && assertions->is_boolean()) {
    context["library_build_type"] = assertions->get<bool>() ? "debug" : "release";
  }
  return {{"context", std::move(context)}, {"benchmarks", std::move(benchmarks)}};
}

}  // namespace idbench
