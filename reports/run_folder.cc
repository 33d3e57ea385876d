#include "reports/run_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <set>
#include <stdexcept>
#include <tuple>
#include <unordered_map>

namespace idbench {
namespace {

constexpr double kFailed = std::numeric_limits<double>::quiet_NaN();

/// The lines of a file, one at a time.
class LineReader {
 public:
  LineReader(const std::filesystem::path& file, std::vector<std::string> cure)
      : source_(file.string()), stream_(file, std::ios::binary) {
    if (!stream_) throw ConfigError(source_, "", "cannot be read", std::move(cure));
  }

  void Seek(std::uint64_t offset, std::size_t lines_before) {
    stream_.seekg(static_cast<std::streamoff>(offset));
    end_ = offset;
    number_ = lines_before;
  }

  bool Next() {
    if (!std::getline(stream_, text_)) return false;
    begin_ = end_;
    ended_ = !stream_.eof();
    end_ += text_.size() + (ended_ ? 1 : 0);
    ++number_;
    return true;
  }

  const std::string& source() const { return source_; }
  const std::string& text() const { return text_; }
  std::uint64_t begin() const { return begin_; }
  std::size_t number() const { return number_; }
  bool ended() const { return ended_; }  ///< By a newline, that is, not by the end of the file.

 private:
  std::string source_;
  std::ifstream stream_;
  std::string text_;
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
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

/// Collects one metric from the records of a cell.
class MetricCollector {
 public:
  MetricCollector(const RunManifest& manifest, const RunMetric& metric)
      : metric_(metric), states_(manifest.estimators.size()), samples_(manifest.estimators.size()) {
    for (MetricSamples& samples : samples_) samples.components.resize(metric.components.size());
  }

  void Add(const RunRecord& record) {
    MetricSamples& samples = samples_[record.estimator];
    State& state = states_[record.estimator];
    const RecordedMetric* metric = record.ok() ? record.Find(metric_.name) : nullptr;
    samples.rollouts.push_back(NumberOf(record.rollout));
    samples.overall.push_back(metric && metric->value ? *metric->value : kFailed);
    for (std::size_t i = 0; i < samples.components.size(); ++i) {
      const bool there = metric && !metric->components.empty();
      samples.components[i].push_back(there ? metric->components[i] : kFailed);
    }
    if (!record.ok()) return;
    ++state.successes;
    if (!metric) return;
    ++state.mentions;
    Note(*metric, samples, state);
  }

  std::vector<MetricSamples> Finish() {
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      MetricSamples& samples = samples_[i];
      const State& state = states_[i];
      samples.applies = state.successes == 0 || state.mentions > 0;
      samples.failed += state.successes - state.mentions;
      if (samples.failed > 0 && samples.first_failure.empty()) {
        samples.first_failure = "it was not recorded";
      }
      samples.has_overall = !state.components_alone;
      if (!samples.has_overall) samples.overall.clear();
    }
    return std::move(samples_);
  }

 private:
  struct State {
    std::size_t successes = 0;      ///< Estimates that are fine,
    std::size_t mentions = 0;       ///< and have the metric, failed or not.
    bool components_alone = false;  ///< Components without a value over all of them were seen.
  };

  std::uint32_t NumberOf(const std::string& rollout) {
    return rollouts_.emplace(rollout, static_cast<std::uint32_t>(rollouts_.size())).first->second;
  }

  static void Note(const RecordedMetric& metric, MetricSamples& samples, State& state) {
    if (!metric.failure.empty()) {
      ++samples.failed;
      if (samples.first_failure.empty()) samples.first_failure = metric.failure;
    } else if (!metric.value) {
      state.components_alone = true;
    }
    if (!metric.count) return;
    auto range = samples.count_range.value_or(std::pair(*metric.count, *metric.count));
    samples.count_range = {std::min(range.first, *metric.count),
                           std::max(range.second, *metric.count)};
  }

  const RunMetric& metric_;
  std::vector<State> states_;
  std::vector<MetricSamples> samples_;
  std::unordered_map<std::string, std::uint32_t> rollouts_;
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
    : directory_(std::move(directory)), manifest_(ReadManifest(directory_ / "manifest.json")) {
  IndexRecords();
}

void RunFolder::IndexRecords() {
  places_.resize(manifest_.cells.size());
  tallies_.resize(manifest_.cells.size());
  for (CellTally& tally : tallies_) tally.estimators.resize(manifest_.estimators.size());
  LineReader lines(directory_ / "records.jsonl",
                   {"the run was interrupted, or this is not the folder of a run: `idbench run` "
                    "with --resume finishes it"});
  std::optional<RecordKey> previous;
  std::set<std::string> rollouts;
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
    Place& place = places_[record.cell];
    if (place.n_lines == 0) {
      place = {lines.begin(), lines.number(), 0};
      rollouts.clear();
    }
    ++place.n_lines;
    rollouts.insert(record.rollout);
    tallies_[record.cell].rollouts = rollouts.size();
    Count(record, tallies_[record.cell].estimators[record.estimator]);
    previous = key;
  }
}

void RunFolder::ForEachRecord(std::size_t cell,
                              const std::function<void(const RunRecord&)>& visit) const {
  const Place& place = places_.at(cell);
  LineReader lines(directory_ / "records.jsonl", {});
  lines.Seek(place.offset, place.n_lines == 0 ? 0 : place.line - 1);
  for (std::size_t i = 0; i < place.n_lines && lines.Next(); ++i) {
    visit(ParseRecord(lines.text(), manifest_, lines.source(), lines.number()));
  }
}

std::vector<MetricSamples> RunFolder::Load(std::size_t cell, const std::string& metric) const {
  const auto info = std::ranges::find(manifest_.metrics, metric, &RunMetric::name);
  if (info == manifest_.metrics.end()) {
    throw std::invalid_argument(
        fmt::format("RunFolder::Load: \"{}\" is not a metric of the run", metric));
  }
  MetricCollector collector(manifest_, *info);
  ForEachRecord(cell, [&](const RunRecord& record) { collector.Add(record); });
  return collector.Finish();
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
