#include "bench/gate/record_source.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <sstream>
#include <thread>
#include <utility>

#include "scenarios/observers.h"

namespace idbench {
namespace {

/// The records of a cell.
std::string RecordsOfCell(const LoadedScenario& loaded, std::size_t cell, RolloutStore& rollouts,
                          int jobs, const TrialSource& source) {
  const PreparedCell context(loaded, loaded.cells[cell], rollouts);
  std::vector<std::string> trials(static_cast<std::size_t>(loaded.scenario.trial_count()));
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr error;
  {
    std::vector<std::jthread> workers;
    for (int k = 0; k < jobs; ++k) {
      workers.emplace_back([&] {
        try {
          TrialRunner runner(context, cell, loaded.metrics, nullptr, MakeEstimators, source);
          for (std::size_t t = next++; t < trials.size(); t = next++) {
            trials[t] = runner.Run(static_cast<std::int64_t>(t));
          }
        } catch (...) {
          const std::lock_guard lock(mutex);
          error = std::current_exception();
          next = trials.size();
        }
      });
    }
  }
  if (error) std::rethrow_exception(error);
  std::string records;
  for (const std::string& trial : trials) records += trial;
  return records;
}

}  // namespace

RunManifest ManifestAsRead(const LoadedScenario& loaded) {
  RunManifest manifest;
  manifest.scenario = loaded.expanded;
  manifest.trials = loaded.scenario.trial_count();
  for (const Cell& cell : loaded.cells) manifest.cells.push_back(cell.coordinates);
  for (const auto& [label, estimator] : loaded.scenario.estimators) {
    manifest.estimators.push_back(label);
  }
  for (const auto& [label, observer] : loaded.scenario.observers) {
    manifest.observers.push_back({label, ModelsOf(loaded.scenario, observer)});
  }
  manifest.metrics = loaded.metrics;
  manifest.AppendOtherLabels();
  return manifest;
}

RecordSource RecordsRunHere(int jobs, TrialSource trials) {
  return [jobs, trials = std::move(trials)](const LoadedScenario& loaded, std::size_t cell,
                                            RolloutStore& rollouts) {
    return RecordsOfCell(loaded, cell, rollouts, jobs, trials);
  };
}

std::vector<std::vector<std::vector<MetricSamples>>> SamplesOf(
    const LoadedScenario& loaded, const std::set<std::size_t>& cells,
    const std::vector<std::string>& metrics, const RecordSource& records) {
  const RunManifest manifest = ManifestAsRead(loaded);
  MetricStore store(manifest);
  RolloutStore rollouts;
  for (const std::size_t cell : cells) {
    std::istringstream lines(records(loaded, cell, rollouts));
    for (std::string line; std::getline(lines, line);) {
      store.Add(ParseRecord(line, manifest, "trials run anew", 1));
    }
  }
  store.Finish();
  std::vector<std::vector<std::vector<MetricSamples>>> samples;
  for (const std::string& metric : metrics) {
    const auto index = static_cast<std::size_t>(
        std::ranges::find(manifest.metrics, metric, &RunMetric::name) - manifest.metrics.begin());
    auto& of_metric = samples.emplace_back();
    for (const std::size_t cell : cells) of_metric.push_back(store.Load(cell, index));
  }
  return samples;
}

}  // namespace idbench
