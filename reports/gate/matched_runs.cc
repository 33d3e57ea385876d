#include "reports/gate/matched_runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "reports/run/metric_name.h"
#include "reports/run/run_identity.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// Keys of a scenario that change no record of a trial, and the estimators and observers, which
/// change no record of others.
constexpr std::array kFree = {"name",   "title",         "tables",      "gate",       "metrics",
                              "trials", "timing_trials", "keep_series", "estimators", "observers"};

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
                    {manifest.shard ? "it is a shard: `idbench merge` makes the run of all shards"
                                    : "the file was cut: remove it, and `idbench run` with "
                                      "--resume computes all trials again; make a baseline anew"});
}

void CheckOverall(const RunFolder& folder, const std::string& metric,
                  const MetricSamples& samples) {
  if (samples.has_overall) return;
  throw ConfigError((folder.directory() / "records.jsonl").string(), "",
                    fmt::format("{} has components and no value over all of them", metric),
                    {"compare another metric"});
}

/// Erases keys that are null: a program that did not know such a key wrote none.
void EraseNulls(Json& json) {
  if (json.is_object()) {
    for (auto member = json.begin(); member != json.end();) {
      member = member->is_null() ? json.erase(member) : std::next(member);
    }
  }
  if (json.is_structured()) {
    for (Json& inside : json) EraseNulls(inside);
  }
}

void EraseAt(Json& json, const std::string& pointer) {
  const Json::json_pointer place(pointer);
  if (json.contains(place)) json.at(place.parent_pointer()).erase(place.back());
}

/// The scenario without what changes no trial, and without the paths of files of which both
/// manifests tell the content.
Json Reduced(const Json& manifest, const Json& other) {
  Json scenario = manifest.value("scenario", Json::object());
  for (const char* key : kFree) scenario.erase(key);
  EraseNulls(scenario);
  // What these keys are where nothing is said.
  if (scenario.contains("noise_seed") && scenario["noise_seed"] == scenario.value("seed", Json())) {
    scenario.erase("noise_seed");
  }
  if (scenario.value("first_trial", Json()) == 0) scenario.erase("first_trial");
  const Json inputs = manifest.value("inputs", Json::object());
  const Json other_inputs = other.value("inputs", Json::object());
  for (const auto& [role, files] : inputs.items()) {
    if (!other_inputs.contains(role)) continue;
    EraseAt(scenario, role);
    // The files of a recording are in one folder.
    if (scenario.contains("recording")) EraseAt(scenario, "/recording/root");
  }
  return scenario;
}

/// The samples of all estimators of a cell; such that do not apply if the run has no such metric.
std::vector<MetricSamples> LoadIfThere(const RunFolder& folder, std::size_t cell,
                                       const std::string& metric) {
  const RunManifest& manifest = folder.manifest();
  if (std::ranges::find(manifest.metrics, metric, &RunMetric::name) != manifest.metrics.end()) {
    return folder.Load(cell, metric);
  }
  MetricSamples none;
  none.applies = false;
  return std::vector<MetricSamples>(manifest.estimators.size(), none);
}

/// Whether a run lists a metric as one of an interval scale.
bool IsOnIntervalScale(const RunFolder& folder, const std::string& metric) {
  const auto& metrics = folder.manifest().metrics;
  const auto info = std::ranges::find(metrics, metric, &RunMetric::name);
  return info != metrics.end() && info->interval_scale;
}

/// The metrics that must agree with one on what is better.
std::vector<std::string> RanksWith(const RunFolder& folder, const std::string& metric) {
  const auto& metrics = folder.manifest().metrics;
  const auto info = std::ranges::find(metrics, metric, &RunMetric::name);
  return info == metrics.end() ? std::vector<std::string>() : info->ranks_with;
}

/// Calls `use` with the samples of each estimator and cell that both runs have.
template <class Use>
void ForEachPair(const RunFolder& a, const RunFolder& b, const std::string& metric,
                 const Use& use) {
  // A run of an older program does not say so.
  const bool interval_scale = IsOnIntervalScale(a, metric) || IsOnIntervalScale(b, metric);
  for (const RunCell& cell : b.manifest().cells) {
    const RunCell* const a_cell = FindCell(a.manifest(), cell);
    if (a_cell == nullptr) continue;
    const auto a_index = static_cast<std::size_t>(a_cell->index);
    const auto b_index = static_cast<std::size_t>(cell.index);
    const std::vector<MetricSamples> a_samples = a.Load(a_index, metric);
    const std::vector<MetricSamples> b_samples = b.Load(b_index, metric);
    std::vector<std::vector<MetricSamples>> a_beside, b_beside;
    const std::vector<std::string> beside = RanksWith(b, metric);
    for (const std::string& other : beside) {
      a_beside.push_back(LoadIfThere(a, a_index, other));
      b_beside.push_back(LoadIfThere(b, b_index, other));
    }
    const auto& labels = a.manifest().estimators;
    for (std::size_t e = 0; e < b_samples.size(); ++e) {
      const std::string& label = b.manifest().estimators[e];
      const auto found = std::ranges::find(labels, label);
      if (found == labels.end()) continue;
      const auto i = static_cast<std::size_t>(found - labels.begin());
      CheckComplete(a, a_index, i);
      CheckComplete(b, b_index, e);
      MatchedSamples matched{cell, label, label, a_samples[i], b_samples[e]};
      matched.interval_scale = interval_scale;
      matched.same_motions = a.tally(a_index).motion_set == b.tally(b_index).motion_set;
      matched.same_rollouts = a.tally(a_index).rollout_set == b.tally(b_index).rollout_set;
      const bool as_many = a.manifest().trials == b.manifest().trials;
      if (!as_many && !*matched.same_rollouts) matched.same_rollouts.reset();
      for (std::size_t k = 0; k < beside.size(); ++k) {
        matched.beside.push_back({beside[k], a_beside[k][i], b_beside[k][e]});
      }
      use(std::move(matched));
    }
  }
}

/// True if trials of a number have the same seeds in both runs.
bool HaveSameDraws(const Json& a, const Json& b) {
  const auto draws = [](const Json& manifest) {
    const Json scenario = manifest.value("scenario", Json::object());
    const auto value = [&scenario](const char* key, const Json& otherwise) {
      const Json found = scenario.value(key, Json());
      return found.is_null() ? otherwise : found;
    };
    const Json seed = value("seed", Json());
    return std::array{seed, value("noise_seed", seed), value("first_trial", Json(0))};
  };
  return draws(a) == draws(b);
}

}  // namespace

Pairs MatchedSamples::MakePairs(Better better) const {
  return idbench::MakePairs(a.overall, b.overall, a.rollouts, better, interval_scale);
}

std::optional<MatchedSamples> MatchedSamples::By(const SamplesBeside& other) const {
  const auto has = [](const MetricSamples& side) {
    return side.applies && side.has_overall &&
           std::ranges::any_of(side.overall, [](double value) { return std::isfinite(value); });
  };
  if (!has(other.a) || !has(other.b)) return std::nullopt;
  MatchedSamples by = *this;
  by.a = other.a;
  by.b = other.b;
  by.beside.clear();
  return by;
}

std::vector<MatchedSamples> MatchRuns(const RunFolder& a, const RunFolder& b,
                                      const std::string& metric) {
  std::vector<MatchedSamples> matched;
  ForEachPair(a, b, metric, [&](MatchedSamples samples) {
    if (!samples.a.applies || !samples.b.applies) return;
    CheckOverall(a, metric, samples.a);
    CheckOverall(b, metric, samples.b);
    matched.push_back(std::move(samples));
  });
  return matched;
}

std::vector<std::pair<RunCell, std::string>> LostIn(const RunFolder& a, const RunFolder& b,
                                                    const std::string& metric) {
  std::vector<std::pair<RunCell, std::string>> lost;
  ForEachPair(a, b, metric, [&](const MatchedSamples& samples) {
    const std::vector<double>& values = samples.a.overall;
    const bool had =
        samples.a.applies && (values.empty() || std::ranges::any_of(values, [](double value) {
                                return std::isfinite(value);
                              }));
    if (had && !samples.b.applies) lost.emplace_back(samples.cell, samples.b_label);
  });
  return lost;
}

std::vector<std::string> MissingFrom(const RunFolder& has, const RunFolder& lacks,
                                     const std::vector<std::string>& metrics) {
  const auto is_meant = [&](std::size_t estimator) {
    const auto motion = has.manifest().MotionAt(estimator);
    return !motion || std::ranges::any_of(has.manifest().metrics, [&](const RunMetric& metric) {
      return metric.of_motion && MetricName(metric.name).experiment == *motion &&
             std::ranges::find(metrics, metric.name) != metrics.end();
    });
  };
  std::vector<std::string> names;
  for (const RunCell& cell : has.manifest().cells) {
    if (FindCell(lacks.manifest(), cell) == nullptr) names.push_back(cell.Label());
  }
  const auto &labels = has.manifest().estimators, &others = lacks.manifest().estimators;
  for (std::size_t e = 0; e < labels.size(); ++e) {
    if (std::ranges::find(others, labels[e]) != others.end() || !is_meant(e)) continue;
    names.push_back(labels[e]);
  }
  return names;
}

std::vector<std::string> Unmatched(const RunFolder& a, const RunFolder& b,
                                   const std::vector<std::string>& metrics) {
  std::vector<std::string> sentences;
  for (const auto& [has, lacks] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    const std::vector<std::string> names = MissingFrom(*has, *lacks, metrics);
    if (names.empty()) continue;
    sentences.push_back(fmt::format("only in {}: {}", has->directory().string(), ListSome(names)));
  }
  return sentences;
}

std::vector<std::string> ReplacedEstimators(const Json& a, const std::string& a_name, const Json& b,
                                            const std::string& b_name) {
  std::vector<std::string> sentences;
  for (const auto& [key, kind] :
       {std::pair("estimators", "estimator"), {"observers", "observer"}}) {
    const std::string kinds = key;
    const auto labelled = [&kinds](const Json& manifest) {
      return manifest.value("scenario", Json::object()).value(kinds, Json::object());
    };
    const Json before = labelled(a), after = labelled(b);
    for (const auto& [label, options] : after.items()) {
      if (!before.contains(label)) continue;
      const auto pointer = FirstDifference(options, before[label]);
      if (!pointer) continue;
      sentences.push_back(fmt::format("{} is another {}: {} is {} in {}, {} in {}", label, kind,
                                      *pointer, DescribeAt(before[label], *pointer), a_name,
                                      DescribeAt(options, *pointer), b_name));
    }
  }
  return sentences;
}

std::string WhyIncomparable(const Json& a, const Json& b) {
  const auto version = [](const Json& manifest) {
    return manifest.value("versions", Json::object()).value("mujoco", std::string("unknown"));
  };
  if (version(a) != version(b)) {
    return fmt::format("MuJoCo {} here, {} there", version(b), version(a));
  }
  const std::vector<InputDifference> inputs = DifferentInputs(a, b);
  if (!inputs.empty()) {
    const InputDifference& input = inputs.front();
    const std::string more =
        inputs.size() == 1 ? "" : fmt::format(" (and {} more)", inputs.size() - 1);
    return fmt::format("another input: {} is {} here, {} there{}", input.Label(), input.second,
                       input.first, more);
  }
  const Json a_scenario = Reduced(a, b);
  const Json b_scenario = Reduced(b, a);
  const auto pointer = FirstDifference(b_scenario, a_scenario);
  if (!pointer) return "";
  if (*pointer == "/seed") {
    return fmt::format("another seed, {} here, {} there: trials of a number are other draws",
                       DescribeAt(b_scenario, *pointer), DescribeAt(a_scenario, *pointer));
  }
  if (*pointer == "/first_trial") {
    const auto first = [](const Json& scenario) { return scenario.value("first_trial", 0L); };
    return fmt::format(
        "other trials of the scenario, those from {} on here, from {} on there (/first_trial): "
        "both are numbered from 0, so trials of a number are other draws",
        first(b_scenario), first(a_scenario));
  }
  return fmt::format("another scenario: {} is {} here, {} there", *pointer,
                     DescribeAt(b_scenario, *pointer), DescribeAt(a_scenario, *pointer));
}

Pairing PairingOf(const Json& a, const Json& b) {
  const auto recorded = [](const Json& manifest) {
    return IsRecording(manifest.value("scenario", Json::object()));
  };
  if (recorded(a) || recorded(b)) return Pairing::kRecordings;
  if (!HaveSameDraws(a, b)) return Pairing::kNone;
  return WhyIncomparable(a, b).empty() ? Pairing::kTrials : Pairing::kSeeds;
}

}  // namespace idbench
