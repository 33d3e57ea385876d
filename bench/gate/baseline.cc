#include "bench/gate/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <fstream>
#include <iterator>
#include <mutex>
#include <sstream>
#include <thread>

#include "bench/metrics/metrics.h"
#include "bench/run/runner.h"
#include "reports/files/atomic_file.h"
#include "reports/gate/gate_options.h"
#include "robots/random/random_stream.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// A folder beside `directory` that is removed with this object.
class StagingFolder {
 public:
  explicit StagingFolder(const std::filesystem::path& directory) : path_(directory) {
    path_ += ".part";
    std::filesystem::remove_all(path_);
  }
  ~StagingFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  StagingFolder(const StagingFolder&) = delete;
  StagingFolder& operator=(const StagingFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

Json SlimRecord(const Json& record, const std::string& metric) {
  Json slim = Json::object();
  for (const char* key : {"cell", "trial", "estimator", "rollout", "outcome", "reason"}) {
    if (record.contains(key)) slim[key] = record[key];
  }
  slim["metrics"] = Json::object();
  if (const Json& metrics = record.at("metrics"); metrics.contains(metric)) {
    for (const char* key : {"value", "failed"}) {
      if (metrics[metric].contains(key)) slim["metrics"][metric][key] = metrics[metric][key];
    }
  }
  return slim;
}

Json SlimManifest(const Json& manifest, const std::string& metric) {
  Json slim = Json::object();
  for (const char* key : {"format", "scenario", "seed", "trials", "estimators", "versions",
                          "commit", "fingerprint"}) {
    if (manifest.contains(key)) slim[key] = manifest[key];
  }
  slim["cells"] = Json::array();
  for (const Json& cell : manifest.at("cells")) {
    slim["cells"].push_back({{"index", cell.at("index")}, {"axes", cell.at("axes")}});
  }
  const Json& unit = manifest.at("metrics").at(metric).at("unit");
  slim["metrics"] = {{metric, {{"unit", unit}, {"components", Json::array()}}}};
  slim["absent_metrics"] = Json::object();
  slim["marks"] = Json::array();
  return slim;
}

/// Copies a run into `directory` as a baseline keeps it.
void WriteSlimRun(const std::filesystem::path& run, const std::filesystem::path& directory,
                  const std::string& metric) {
  std::ifstream stream(run / "records.jsonl", std::ios::binary);
  const std::string records{std::istreambuf_iterator<char>(stream),
                            std::istreambuf_iterator<char>()};
  std::filesystem::create_directories(directory);
  WriteAtomically(directory / "records.jsonl", SlimRecords(records, metric));
  WriteAtomically(directory / "manifest.json",
                  SlimManifest(ReadJsonFile(run / "manifest.json"), metric).dump(1) + '\n');
}

/// Records with what is planted in them.
std::string Changed(std::string records, const PlantedChange& planted) {
  if (!planted.record) return records;
  std::string changed;
  std::istringstream lines(records);
  for (std::string line; std::getline(lines, line);) {
    Json record = Json::parse(line);
    planted.record(record);
    changed += record.dump() + '\n';
  }
  return changed;
}

/// What a report knows of a run of this scenario, as if it had been written and read.
RunManifest ManifestAsRead(const LoadedScenario& loaded) {
  RunManifest manifest;
  manifest.scenario = loaded.expanded;
  manifest.trials = loaded.scenario.trial_count();
  for (const Cell& cell : loaded.cells) manifest.cells.push_back(cell.coordinates);
  for (const auto& [label, estimator] : loaded.scenario.estimators) {
    manifest.estimators.push_back(label);
  }
  manifest.metrics = loaded.metrics;
  return manifest;
}

}  // namespace

std::uint64_t ReserveSeed(std::uint64_t seed) {
  return Hash64(fmt::format("reserve {}", seed)) >> 16;
}

LoadedScenario LoadScenarioOf(const std::filesystem::path& run,
                              const std::vector<Override>& overrides) {
  const std::filesystem::path file = run / "manifest.json";
  return LoadScenario(ReadJsonFile(file).at("scenario"), file.string() + ": /scenario", overrides,
                      AllMetrics());
}

std::string SlimRecords(const std::string& records, const std::string& metric) {
  std::string slim;
  std::istringstream lines(records);
  for (std::string line; std::getline(lines, line);) {
    slim += SlimRecord(Json::parse(line), metric).dump() + '\n';
  }
  return slim;
}

std::string RunRecords(const LoadedScenario& loaded, std::size_t cell, RolloutStore& rollouts,
                       int jobs, const PlantedChange& planted) {
  const CellContext context(loaded, loaded.cells[cell], rollouts);
  std::vector<std::string> trials(static_cast<std::size_t>(loaded.scenario.trial_count()));
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr error;
  {
    std::vector<std::jthread> workers;
    for (int k = 0; k < jobs; ++k) {
      workers.emplace_back([&] {
        try {
          TrialRunner runner(context, cell, loaded.metrics, planted.datasets);
          for (std::size_t t = next++; t < trials.size(); t = next++) {
            trials[t] = Changed(runner.Run(static_cast<std::int64_t>(t)), planted);
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

void MakeBaseline(const std::filesystem::path& run, const std::filesystem::path& directory,
                  int jobs) {
  const RunFolder folder(run);  // whatever is damaged is told before anything is run
  const GateOptions options = GateOptionsOf(folder.manifest(), (run / "manifest.json").string());
  const StagingFolder staging(directory);
  WriteSlimRun(run, staging.path(), options.metric);
  const std::filesystem::path scratch = staging.path() / "run";
  const std::int64_t trials = options.reserve_trials.value_or(folder.manifest().trials);
  if (!folder.manifest().scenario->value("recording", Json()).is_object()) {
    const LoadedScenario reserve =
        LoadScenarioOf(run, {{"/seed", std::to_string(ReserveSeed(folder.manifest().seed))},
                             {"/trials", std::to_string(trials)},
                             {"/timing_trials", "0"},
                             {"/keep_series", "[]"}});
    RunScenario(reserve, {.folder = scratch, .jobs = jobs});
    WriteSlimRun(scratch, staging.path() / kReserveFolder, options.metric);
    std::filesystem::remove_all(scratch);
  }
  std::filesystem::remove_all(directory / kReserveFolder);
  std::filesystem::create_directories(directory);
  for (const char* name : {"records.jsonl", "manifest.json", kReserveFolder}) {
    if (!std::filesystem::exists(staging.path() / name)) continue;
    std::filesystem::rename(staging.path() / name, directory / name);
  }
}

std::vector<std::vector<MetricSamples>> RunCells(const LoadedScenario& loaded,
                                                 const std::set<std::size_t>& cells,
                                                 const std::string& metric, int jobs,
                                                 const PlantedChange& planted) {
  const RunManifest manifest = ManifestAsRead(loaded);
  const auto index = static_cast<std::size_t>(
      std::ranges::find(manifest.metrics, metric, &RunMetric::name) - manifest.metrics.begin());
  MetricStore store(manifest);
  RolloutStore rollouts;
  std::vector<std::vector<MetricSamples>> samples;
  for (const std::size_t cell : cells) {
    std::istringstream lines(RunRecords(loaded, cell, rollouts, jobs, planted));
    for (std::string line; std::getline(lines, line);) {
      store.Add(ParseRecord(line, manifest, "reserve trials", 1));
    }
  }
  store.Finish();
  for (const std::size_t cell : cells) samples.push_back(store.Load(cell, index));
  return samples;
}

}  // namespace idbench
