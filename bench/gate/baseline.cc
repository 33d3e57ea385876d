#include "bench/gate/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

#include "bench/gate/trials_anew.h"
#include "bench/metrics/metrics.h"
#include "bench/run/exit_code.h"
#include "bench/run/provenance.h"
#include "bench/run/runner.h"
#include "reports/files/atomic_file.h"
#include "reports/gate/matched_runs.h"
#include "reports/run/metric_name.h"
#include "reports/run/run_folder.h"
#include "reports/run/run_identity.h"
#include "scenarios/file/former_defaults.h"
#include "scenarios/metric_list.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// Refuses to replace what is no baseline.
void CheckReplaceable(const std::filesystem::path& directory) {
  // A gate whose arguments were exchanged leaves gate.json.
  constexpr std::array<std::string_view, 4> kOfBaseline = {"records.jsonl", "manifest.json",
                                                           "gate.json", kReserveFolder};
  if (!std::filesystem::exists(directory)) return;
  if (!std::filesystem::is_directory(directory)) {
    throw UsageError(fmt::format("--write-baseline: {} is no folder", directory.string()));
  }
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    if (std::ranges::find(kOfBaseline, name) != kOfBaseline.end()) continue;
    throw UsageError(
        fmt::format("--write-baseline: {} is no baseline that could be replaced: it holds {}\n"
                    "  name a new folder",
                    directory.string(), name));
  }
}

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

/// Whether a metric of that experiment's motion is gated; the slim manifest knows no other motion.
bool IsGatedMotion(const std::string& experiment, const std::vector<GateMetric>& gated) {
  return std::ranges::any_of(gated, [&experiment](const GateMetric& metric) {
    const MetricName name(metric.name);
    const MetricInfo* const info = FindMetric(AllMetrics(), name);
    return info != nullptr && info->per_motion() && name.experiment == experiment;
  });
}

Json SlimRecord(const Json& record, const std::vector<GateMetric>& gated) {
  Json slim = Json::object();
  for (const char* key : {"cell", "trial", "observer", "estimator", "experiment", "rollout",
                          "motion", "outcome", "reason"}) {
    if (record.contains(key)) slim[key] = record[key];
  }
  slim["metrics"] = Json::object();
  const Json& metrics = record.at("metrics");
  for (const GateMetric& metric : gated) {
    const auto found = metrics.find(metric.name);
    if (found == metrics.end()) continue;
    for (const char* key : {"value", "failed", "absent"}) {
      if (found->contains(key)) slim["metrics"][metric.name][key] = found->at(key);
    }
  }
  return slim;
}

/// The gated metrics, and those that must agree with them on what is better.
std::vector<GateMetric> KeptMetrics(const std::vector<RunMetric>& all,
                                    const std::vector<GateMetric>& gated) {
  std::vector<GateMetric> kept = gated;
  for (const GateMetric& metric : gated) {
    for (const std::string& name :
         std::ranges::find(all, metric.name, &RunMetric::name)->ranks_with) {
      const bool listed = std::ranges::find(all, name, &RunMetric::name) != all.end();
      if (!listed || std::ranges::find(kept, name, &GateMetric::name) != kept.end()) continue;
      GateMetric& beside = kept.emplace_back(metric);
      beside.name = name;
    }
  }
  return kept;
}

Json SlimManifest(const Json& manifest, const std::vector<GateMetric>& gated) {
  Json slim = Json::object();
  for (const char* key : {"format", "scenario", "seed", "trials", "estimators", "observers",
                          "inputs", "versions", "build", "commit", "program", "fingerprint"}) {
    if (manifest.contains(key)) slim[key] = manifest[key];
  }
  slim["cells"] = Json::array();
  for (const Json& cell : manifest.at("cells")) {
    slim["cells"].push_back({{"index", cell.at("index")}, {"axes", cell.at("axes")}});
  }
  for (const GateMetric& metric : gated) {
    const Json& described = manifest.at("metrics").at(metric.name);
    slim["metrics"][metric.name] = {{"unit", described.at("unit")},
                                    {"components", Json::array()},
                                    {"better", ToString(metric.better)}};
    if (described.contains("ranks_with")) {
      slim["metrics"][metric.name]["ranks_with"] = described["ranks_with"];
    }
    for (const char* key : {"framed", "observed", "of_motion", "interval_scale"}) {
      if (described.value(key, false)) slim["metrics"][metric.name][key] = true;
    }
  }
  slim["absent_metrics"] = Json::object();
  slim["marks"] = Json::array();
  return slim;
}

/// Copies a run into `directory` as a baseline keeps it.
void WriteSlimRun(const std::filesystem::path& run, const std::filesystem::path& directory,
                  const std::vector<GateMetric>& metrics) {
  std::ifstream stream(run / "records.jsonl", std::ios::binary);
  const std::string records{std::istreambuf_iterator<char>(stream),
                            std::istreambuf_iterator<char>()};
  std::filesystem::create_directories(directory);
  WriteAtomically(directory / "records.jsonl", SlimRecords(records, metrics));
  WriteAtomically(directory / "manifest.json",
                  SlimManifest(ReadJsonFile(run / "manifest.json"), metrics).dump(1) + '\n');
}

}  // namespace

LoadedScenario LoadScenarioOf(const std::filesystem::path& run,
                              const std::vector<Override>& overrides) {
  const std::filesystem::path file = run / "manifest.json";
  const Json manifest = ReadJsonFile(file);
  LoadedScenario loaded = LoadScenario(WithFormerDefaults(manifest.at("scenario")),
                                       file.string() + ": /scenario", overrides, AllMetrics());
  if (!manifest.contains("inputs")) return loaded;
  const Json now = {{"inputs", InputHashes(loaded)}};
  if (const auto changed = DifferentInputs(manifest, now); !changed.empty()) {
    throw ConfigError(
        file.string(), "",
        fmt::format("{} has changed since that run: it was {}, and is {}", changed.front().Label(),
                    changed.front().first, changed.front().second),
        {"trials that are run now would not be that run's: put the file back as it "
         "was, or run the scenario again"});
  }
  return loaded;
}

std::string SlimRecords(const std::string& records, const std::vector<GateMetric>& metrics) {
  std::string slim;
  std::istringstream lines(records);
  for (std::string line; std::getline(lines, line);) {
    const Json record = Json::parse(line);
    const auto motion = record.find("experiment");
    if (motion != record.end() && !IsGatedMotion(*motion, metrics)) continue;
    slim += SlimRecord(record, metrics).dump() + '\n';
  }
  return slim;
}

void WriteBaseline(const std::filesystem::path& run, const std::filesystem::path& directory,
                   int jobs, const GateChoices& choices) {
  const RunFolder folder(run);  // whatever is damaged is told before anything is run
  const GateRules rules = GateRulesOf(folder.manifest(), (run / "manifest.json").string(), choices);
  CheckReplaceable(directory);
  if (folder.manifest().shard) {
    throw UsageError(
        "--write-baseline: the run is a shard\n  make the run of all shards with `idbench merge`");
  }
  for (const GateMetric& metric : rules.metrics) MatchRuns(folder, folder, metric.name);
  const StagingFolder staging(directory);
  const std::vector<GateMetric> kept = KeptMetrics(folder.manifest().metrics, rules.metrics);
  WriteSlimRun(run, staging.path(), kept);
  const std::filesystem::path scratch = staging.path() / "run";
  const std::int64_t trials = rules.reserve_trials.value_or(folder.manifest().trials);
  if (!folder.manifest().scenario->value("recording", Json()).is_object()) {
    const LoadedScenario whole = LoadScenarioOf(run, {});
    const LoadedScenario reserve = LoadScenarioOf(run, FurtherTrials(whole.scenario, trials));
    RunScenario(reserve, {.folder = scratch, .jobs = jobs});
    WriteSlimRun(scratch, staging.path() / kReserveFolder, kept);
    std::filesystem::remove_all(scratch);
  }
  std::filesystem::remove_all(directory / kReserveFolder);
  std::filesystem::remove(directory / "gate.json");
  std::filesystem::create_directories(directory);
  for (const char* name : {"records.jsonl", "manifest.json", kReserveFolder}) {
    if (!std::filesystem::exists(staging.path() / name)) continue;
    std::filesystem::rename(staging.path() / name, directory / name);
  }
}

}  // namespace idbench
