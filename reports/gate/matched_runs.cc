#include "reports/gate/matched_runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// Keys of a scenario that change no record of a trial, and the estimators.
constexpr std::array kFree = {"name",   "title",         "tables",      "gate",      "metrics",
                              "trials", "timing_trials", "keep_series", "estimators"};

/// Axes in the order of their names.
std::map<std::string, std::string> SortedAxes(const RunCell& cell) {
  return {cell.axes.begin(), cell.axes.end()};
}

const RunCell* FindCell(const RunManifest& manifest, const RunCell& wanted) {
  const auto found = std::ranges::find(manifest.cells, SortedAxes(wanted), &SortedAxes);
  return found == manifest.cells.end() ? nullptr : &*found;
}

void CheckComplete(const RunFolder& folder, std::size_t cell, std::size_t estimator) {
  const RunManifest& manifest = folder.manifest();
  const std::size_t there = folder.tally(cell).estimators[estimator].trials;
  if (there == static_cast<std::size_t>(manifest.trials)) return;
  throw ConfigError((folder.directory() / "records.jsonl").string(), "",
                    fmt::format("cell {}, {}: {} of {} trials", cell,
                                manifest.estimators[estimator], there, manifest.trials),
                    {"the run was interrupted: `idbench run` with --resume finishes it"});
}

void CheckOverall(const RunFolder& folder, const std::string& metric,
                  const MetricSamples& samples) {
  if (samples.has_overall) return;
  throw ConfigError((folder.directory() / "records.jsonl").string(), "",
                    fmt::format("{} has components and no value over all of them", metric),
                    {"compare another metric"});
}

Json Reduced(const Json& manifest) {
  Json scenario = manifest.value("scenario", Json::object());
  for (const char* key : kFree) scenario.erase(key);
  return scenario;
}

}  // namespace

Pairs MatchedSamples::MakePairs(Better better) const {
  return idbench::MakePairs(a.overall, b.overall, a.rollouts, better);
}

std::vector<MatchedSamples> MatchRuns(const RunFolder& a, const RunFolder& b,
                                      const std::string& metric) {
  std::vector<MatchedSamples> matched;
  for (const RunCell& cell : b.manifest().cells) {
    const RunCell* const a_cell = FindCell(a.manifest(), cell);
    if (a_cell == nullptr) continue;
    const auto a_index = static_cast<std::size_t>(a_cell->index);
    const auto b_index = static_cast<std::size_t>(cell.index);
    const std::vector<MetricSamples> a_samples = a.Load(a_index, metric);
    const std::vector<MetricSamples> b_samples = b.Load(b_index, metric);
    const auto& labels = a.manifest().estimators;
    for (std::size_t e = 0; e < b_samples.size(); ++e) {
      const std::string& label = b.manifest().estimators[e];
      const auto found = std::ranges::find(labels, label);
      if (found == labels.end()) continue;
      const auto i = static_cast<std::size_t>(found - labels.begin());
      CheckComplete(a, a_index, i);
      CheckComplete(b, b_index, e);
      if (!a_samples[i].applies || !b_samples[e].applies) continue;
      CheckOverall(a, metric, a_samples[i]);
      CheckOverall(b, metric, b_samples[e]);
      matched.push_back({cell, label, label, a_samples[i], b_samples[e]});
    }
  }
  return matched;
}

std::vector<std::string> Unmatched(const RunFolder& a, const RunFolder& b) {
  std::vector<std::string> sentences;
  const auto list = [&sentences](const RunFolder& has, const RunFolder& lacks) {
    std::vector<std::string> names;
    for (const RunCell& cell : has.manifest().cells) {
      if (FindCell(lacks.manifest(), cell) == nullptr) names.push_back(cell.Label());
    }
    for (const std::string& label : has.manifest().estimators) {
      const auto& others = lacks.manifest().estimators;
      if (std::ranges::find(others, label) == others.end()) names.push_back(label);
    }
    if (names.empty()) return;
    sentences.push_back(fmt::format("only in {}: {}", has.directory().string(), ListSome(names)));
  };
  list(a, b);
  list(b, a);
  return sentences;
}

std::string WhyIncomparable(const Json& a, const Json& b) {
  const auto version = [](const Json& manifest) {
    return manifest.value("versions", Json::object()).value("mujoco", std::string("unknown"));
  };
  if (version(a) != version(b)) {
    return fmt::format("MuJoCo {} here, {} there", version(b), version(a));
  }
  const Json a_scenario = Reduced(a);
  const Json b_scenario = Reduced(b);
  const auto pointer = FirstDifference(b_scenario, a_scenario);
  if (!pointer) return "";
  const Json::json_pointer at(*pointer);
  const auto show = [&at](const Json& json) {
    return json.contains(at) ? Describe(json.at(at)) : std::string("nothing");
  };
  return fmt::format("another scenario: {} is {} here, {} there", *pointer, show(b_scenario),
                     show(a_scenario));
}

}  // namespace idbench
