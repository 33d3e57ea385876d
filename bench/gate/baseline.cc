#include "bench/gate/baseline.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "bench/metrics/metrics.h"
#include "bench/run/runner.h"
#include "reports/files/atomic_file.h"
#include "reports/gate/gate_options.h"
#include "reports/run/run_folder.h"
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

void WriteBaseline(const std::filesystem::path& run, const std::filesystem::path& directory,
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

}  // namespace idbench
