#include "reports/run_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <tuple>

namespace idbench {
namespace {

/// The lines of a file, one at a time.
class LineReader {
 public:
  LineReader(const std::filesystem::path& file, std::vector<std::string> cure)
      : source_(file.string()), stream_(file, std::ios::binary) {
    if (!stream_) throw ConfigError(source_, "", "cannot be read", std::move(cure));
  }

  bool Next() {
    if (!std::getline(stream_, text_)) return false;
    ended_ = !stream_.eof();
    ++number_;
    return true;
  }

  const std::string& source() const { return source_; }
  const std::string& text() const { return text_; }
  std::size_t number() const { return number_; }
  bool ended() const { return ended_; }  ///< By a newline, that is, not by the end of the file.

 private:
  std::string source_;
  std::ifstream stream_;
  std::string text_;
  std::size_t number_ = 0;
  bool ended_ = true;
};

[[noreturn]] void RefuseHalfLine(const LineReader& lines) {
  throw ConfigError(lines.source(), fmt::format("line {}", lines.number()),
                    "the file breaks off in this line: the run was interrupted",
                    {"`idbench run` with --resume finishes it"});
}

using RecordKey = std::tuple<std::size_t, std::size_t, std::size_t>;

RecordKey KeyOf(const RunRecord& record) { return {record.cell, record.trial, record.estimator}; }

std::string Describe(const RecordKey& key, const RunManifest& manifest) {
  const auto [cell, trial, estimator] = key;
  return fmt::format("cell {}, trial {}, {}", cell, trial, manifest.estimators[estimator]);
}

void Count(const RunRecord& record, EstimateTally& tally) {
  ++tally.trials;
  if (record.ok()) return;
  ++tally.failed;
  ++tally.reasons[record.outcome];
  tally.sentences.emplace(record.outcome, record.reason);
}

/// Failures of the estimators of one cell, roll-out by roll-out.
class FailuresOfCell {
 public:
  explicit FailuresOfCell(std::size_t estimators) : estimators_(estimators) {}

  void Add(const RunRecord& record) {
    const auto next = rollouts_.emplace(record.rollout, rollouts_.size());
    std::vector<FailureCount>& counts = estimators_[record.estimator];
    counts.resize(std::max(counts.size(), rollouts_.size()));
    FailureCount& count = counts[next.first->second];
    ++count.trials;
    if (!record.ok()) ++count.failed;
  }

  /// Writes what was seen into the cell's tally, and begins anew.
  void MoveTo(CellTally& tally) {
    tally.rollouts = rollouts_.size();
    for (std::size_t e = 0; e < estimators_.size(); ++e) {
      std::erase_if(estimators_[e], [](const FailureCount& count) { return count.trials == 0; });
      tally.estimators[e].ci95_failure_rate = FailureRateInterval(estimators_[e]);
      estimators_[e].clear();
    }
    rollouts_.clear();
  }

 private:
  std::vector<std::vector<FailureCount>> estimators_;
  std::map<std::string, std::size_t> rollouts_;  ///< Their numbers.
};

/// A duration or a list of durations, appended to `durations`.
void AddDurations(const Json& line, const char* key, std::vector<double>& durations) {
  const auto member = line.find(key);
  if (member == line.end()) return;
  const auto add = [&](const Json& json) {
    if (!json.is_number() || json.get<double>() < 0) {
      throw std::invalid_argument(fmt::format("/{}: got {}; accepted here: durations, at least 0",
                                              key, idbench::Describe(json)));
    }
    durations.push_back(json.get<double>());
  };
  if (!member->is_array()) return add(*member);
  for (const Json& duration : *member) add(duration);
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
      if (!lines.ended()) RefuseHalfLine(lines);
      throw;
    }
    const RecordKey key = KeyOf(record);
    if (previous && !(*previous < key)) {
      throw ConfigError(lines.source(), fmt::format("line {}", lines.number()),
                        fmt::format("{} stands behind {}", Describe(key, manifest_),
                                    Describe(*previous, manifest_)),
                        {"records are ordered by cell, trial, estimator, and each is there once"});
    }
    if (previous && std::get<0>(*previous) != record.cell) {
      failures.MoveTo(tallies_[std::get<0>(*previous)]);
    }
    failures.Add(record);
    Count(record, tallies_[record.cell].estimators[record.estimator]);
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
      AddDurations(line, "estimate_ms", samples.estimate_ms);
      AddDurations(line, "update_us", samples.update_us);
    } catch (const std::invalid_argument& error) {
      throw ConfigError(lines.source(), fmt::format("line {}", lines.number()), error.what());
    } catch (const Json::exception&) {
      if (!lines.ended()) RefuseHalfLine(lines);
      throw ConfigError(lines.source(), fmt::format("line {}", lines.number()), "is not JSON");
    }
  }
  return timings;
}

}  // namespace idbench
