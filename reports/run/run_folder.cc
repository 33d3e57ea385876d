#include "reports/run/run_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <ranges>
#include <set>
#include <stdexcept>
#include <string_view>
#include <tuple>

#include "reports/files/line_reader.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

using RecordKey = std::tuple<std::size_t, std::size_t, std::size_t>;

RecordKey KeyOf(const RunRecord& record) { return {record.cell, record.trial, record.estimator}; }

std::string PlaceOf(const RecordKey& key, const RunManifest& manifest) {
  const auto [cell, trial, estimator] = key;
  return fmt::format("cell {}, trial {}, {}", cell, trial, manifest.estimators[estimator]);
}

/// Counts the unknowns of "joint2.fc (z = 12), joint1.fv (z = -6)".
void CountNames(std::string_view list, std::map<std::string, std::size_t>& named) {
  constexpr std::string_view kBetween = ", ";
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(kBetween), list.size());
    const std::string_view entry = list.substr(0, end);
    ++named[std::string(entry.substr(0, entry.find(" (")))];
    list.remove_prefix(std::min(end + kBetween.size(), list.size()));
  }
}

void AddNote(const std::string& about, const std::string& note, EstimateTally& tally) {
  const std::size_t end = std::min(note.find(';'), note.size());
  std::pair<std::string, std::string> key(about, note.substr(0, end));
  const auto of_subject = std::ranges::count_if(
      tally.notes, [&](const auto& known) { return known.first.first == about; });
  if (static_cast<std::size_t>(of_subject) >= EstimateTally::kMostNotes &&
      !tally.notes.contains(key)) {
    key.second = "…";
  }
  NoteTally& count = tally.notes[key];
  const bool first = count.estimates++ == 0;
  if (end == note.size()) return;
  const std::size_t rest = note.find_first_not_of(' ', end + 1);
  if (rest == std::string::npos) return;
  if (about == kPriorNote) CountNames(std::string_view(note).substr(rest), count.named);
  if (first) count.rest = note.substr(rest);
}

void AddToTally(const RunRecord& record, EstimateTally& tally) {
  ++tally.trials;
  for (const auto& [about, note] : record.notes) AddNote(about, note, tally);
  if (record.ok()) return;
  ++tally.failed;
  ++tally.reasons[record.outcome];
  tally.sentences.emplace(record.outcome, record.reason);
}

/// Hash of some identities, in their order.
std::size_t HashOf(const auto& identities) {
  std::string all;
  for (const std::string& each : identities) all += each + '\n';
  return std::hash<std::string>{}(all);
}

/// Failures of the estimators of one cell, unit by unit.
class FailuresOfCell {
 public:
  explicit FailuresOfCell(std::size_t estimators) : estimators_(estimators) {}

  void Add(const RunRecord& record) {
    if (record.rollout != kNoRollout) rollouts_.insert(record.rollout);
    const auto next = units_.emplace(record.Unit(), units_.size());
    std::vector<FailureCount>& counts = estimators_[record.estimator];
    counts.resize(std::max(counts.size(), units_.size()));
    FailureCount& count = counts[next.first->second];
    ++count.trials;
    if (!record.ok()) ++count.failed;
  }

  /// Writes what was seen into the cell's tally, and begins anew.
  void MoveTo(CellTally& tally) {
    tally.rollouts = rollouts_.size();
    tally.rollout_set = HashOf(rollouts_ | std::views::all);
    tally.motion_set = HashOf(units_ | std::views::keys);
    tally.motions = std::min(units_.size(), rollouts_.size());
    for (std::size_t e = 0; e < estimators_.size(); ++e) {
      std::erase_if(estimators_[e], [](const FailureCount& count) { return count.trials == 0; });
      tally.estimators[e].ci95_failure_rate = FailureRateInterval(estimators_[e]);
      estimators_[e].clear();
    }
    rollouts_.clear();
    units_.clear();
  }

 private:
  std::vector<std::vector<FailureCount>> estimators_;
  std::set<std::string> rollouts_;
  std::map<std::string, std::size_t> units_;  ///< Their numbers.
};

/// Durations, counts, rates: a number of at least 0, if it is there.
std::optional<double> CheckedNumber(const Json& json, const std::string& where) {
  if (json.is_number() && json.get<double>() >= 0) return json.get<double>();
  throw std::invalid_argument(
      fmt::format("/{}: got {}; accepted here: a number, at least 0", where, Describe(json)));
}

std::optional<double> FindNumber(const Json& line, const char* key) {
  const auto member = line.find(key);
  return member == line.end() ? std::nullopt : CheckedNumber(*member, key);
}

void AddEstimate(const Json& line, TimingSamples& samples) {
  if (const auto ms = FindNumber(line, "estimate_ms")) samples.estimate_ms.push_back(*ms);
  if (const auto ms = FindNumber(line, "estimate_cpu_ms")) samples.estimate_cpu_ms.push_back(*ms);
  if (const auto count = FindNumber(line, "estimate_allocations")) {
    samples.estimate_allocations = std::max(samples.estimate_allocations.value_or(0), *count);
  }
}

void AddUpdates(const Json& line, TimingSamples& samples) {
  const auto durations = line.find("update_us");
  if (durations == line.end() || durations->empty()) return;
  if (!durations->is_array()) {
    throw std::invalid_argument(fmt::format(
        "/update_us: got {}; accepted here: a list of durations", Describe(*durations)));
  }
  std::vector<double> of_trial;
  for (const Json& duration : *durations) of_trial.push_back(*CheckedNumber(duration, "update_us"));
  samples.update_us.insert(samples.update_us.end(), of_trial.begin(), of_trial.end());
  samples.update_median_us.push_back(DescribeDurations(of_trial)->median);
  const auto updates = FindNumber(line, "updates");
  if (!updates || *updates == 0) return;
  if (const auto count = FindNumber(line, "update_allocations")) {
    samples.update_allocations =
        std::max(samples.update_allocations.value_or(0), *count / *updates);
  }
  const auto rate = FindNumber(line, "deadline_rate_hz");
  const auto misses = FindNumber(line, "deadline_misses");
  if (!rate || !misses) return;
  if (!samples.deadline) samples.deadline = {*rate, 0, 0};
  samples.deadline->updates += static_cast<std::size_t>(*updates);
  samples.deadline->misses += static_cast<std::size_t>(*misses);
}

std::size_t IndexOf(const Json& line, const char* key, std::size_t size) {
  const auto member = line.find(key);
  if (member != line.end() && member->is_number_unsigned() && member->get<std::uint64_t>() < size) {
    return member->get<std::size_t>();
  }
  throw std::invalid_argument(fmt::format("/{}: accepted here: an integer below {}", key, size));
}

std::size_t EstimatorOf(const Json& line, const RunManifest& manifest) {
  const auto label = line.find("estimator");
  for (std::size_t i = 0; label != line.end() && i < manifest.estimators.size(); ++i) {
    if (*label == manifest.estimators[i]) return i;
  }
  throw std::invalid_argument("/estimator: accepted here: an estimator of the manifest");
}

}  // namespace

std::string EstimateTally::WhyFailed() const {
  const auto most =
      std::ranges::max_element(reasons, {}, [](const auto& reason) { return reason.second; });
  if (most == reasons.end()) return "";
  const auto why = sentences.find(most->first);
  return why == sentences.end() || why->second.empty()
             ? most->first
             : fmt::format("{}: {}", most->first, why->second);
}

RunFolder::RunFolder(std::filesystem::path directory)
    : directory_(std::move(directory)),
      manifest_(ReadManifest(directory_ / "manifest.json")),
      metrics_(manifest_) {
  ReadRecords();
}

void RunFolder::ReadRecords() {
  tallies_.resize(manifest_.cells.size());
  for (CellTally& tally : tallies_) tally.estimators.resize(manifest_.estimators.size());
  LineReader lines(directory_ / "records.jsonl",
                   {"the run was interrupted, or this is not the folder of a run: `idbench run` "
                    "with --resume finishes it"});
  std::optional<RecordKey> previous;
  FailuresOfCell failures(manifest_.estimators.size());
  while (lines.Next()) {
    RunRecord record;
    try {
      record = ParseRecord(lines.text(), manifest_, lines.source(), lines.number());
    } catch (const ConfigError&) {
      if (!lines.ended()) lines.RefuseHalfLine();
      throw;
    }
    const RecordKey key = KeyOf(record);
    if (previous && !(*previous < key)) {
      throw ConfigError(lines.source(), lines.Place(),
                        fmt::format("{} stands behind {}", PlaceOf(key, manifest_),
                                    PlaceOf(*previous, manifest_)),
                        {"records are ordered by cell, trial, estimator, and each is there once"});
    }
    if (previous && std::get<0>(*previous) != record.cell) {
      failures.MoveTo(tallies_[std::get<0>(*previous)]);
    }
    failures.Add(record);
    AddToTally(record, tallies_[record.cell].estimators[record.estimator]);
    metrics_.Add(record);
    previous = key;
  }
  if (previous) failures.MoveTo(tallies_[std::get<0>(*previous)]);
  metrics_.Finish();
}

std::vector<MetricSamples> RunFolder::Load(std::size_t cell, const std::string& metric) const {
  const auto info = std::ranges::find(manifest_.metrics, metric, &RunMetric::name);
  if (info == manifest_.metrics.end()) {
    throw std::invalid_argument(
        fmt::format("RunFolder::Load: \"{}\" is not a metric of the run", metric));
  }
  return metrics_.Load(cell, static_cast<std::size_t>(info - manifest_.metrics.begin()));
}

std::map<std::pair<std::size_t, std::size_t>, TimingSamples> RunFolder::LoadTimings() const {
  const std::filesystem::path file = directory_ / "timings.jsonl";
  std::map<std::pair<std::size_t, std::size_t>, TimingSamples> timings;
  if (!std::filesystem::exists(file)) return timings;
  LineReader lines(file, {});
  while (lines.Next()) {
    try {
      const Json line = Json::parse(lines.text());
      const std::size_t cell = IndexOf(line, "cell", manifest_.cells.size());
      TimingSamples& samples = timings[{cell, EstimatorOf(line, manifest_)}];
      AddEstimate(line, samples);
      AddUpdates(line, samples);
    } catch (const std::invalid_argument& error) {
      throw ConfigError(lines.source(), lines.Place(), error.what());
    } catch (const Json::exception&) {
      if (!lines.ended()) lines.RefuseHalfLine();
      throw ConfigError(lines.source(), lines.Place(), "is not JSON");
    }
  }
  return timings;
}

}  // namespace idbench
