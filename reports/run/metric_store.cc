#include "reports/run/metric_store.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string_view>
#include <system_error>

namespace idbench {
namespace {

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

/// What became of a metric in a record.
enum State : int {
  kNoEstimate,      ///< The estimate failed.
  kNotThere,        ///< The estimate is fine, and its record lacks the metric.
  kMetricFailed,    ///< It failed.
  kValue,           ///< It has an overall value, and components where the manifest names some.
  kComponentsOnly,  ///< It has components and no overall value.
  kNotToBeHad,      ///< It cannot be had.
};

/// Reasons that are told apart.
constexpr std::size_t kReasons = 12;

/// Columns before the first metric's: the estimator and the number of the roll-out.
constexpr std::size_t kEstimator = 0;
constexpr std::size_t kRollout = 1;
constexpr std::size_t kHeader = 2;

[[noreturn]] void ThrowFileError(const char* what) {
  throw std::filesystem::filesystem_error(what, std::filesystem::temp_directory_path(),
                                          std::error_code(errno, std::generic_category()));
}

State StateOf(const RunRecord& record, const RecordedMetric* metric) {
  if (!record.ok()) return kNoEstimate;
  if (metric == nullptr) return kNotThere;
  if (!metric->failure.empty()) return metric->absent ? kNotToBeHad : kMetricFailed;
  return metric->value ? kValue : kComponentsOnly;
}

/// The part of a reason that trials have in common.
std::string_view Clause(std::string_view reason) { return reason.substr(0, reason.find(';')); }

void Count(const std::string& reason, FailureReasons& reasons) {
  const auto same = std::ranges::find(
      reasons, Clause(reason), [](const FailureReason& known) { return Clause(known.text); });
  if (same == reasons.end()) {
    if (reasons.size() < kReasons) {
      reasons.push_back({reason, 1});
    } else {
      ++reasons.back().trials;
    }
    return;
  }
  ++same->trials;
  if (same->text != reason) same->text = std::string(Clause(reason));
}

/// Judges the states of one estimator's records.
class Judge {
 public:
  void Add(State state) {
    if (state == kNoEstimate) return;
    ++successes_;
    if (state != kNotThere && state != kNotToBeHad) ++mentions_;
    if (state == kMetricFailed) ++failures_;
    if (state == kComponentsOnly) components_alone_ = true;
  }

  void Finish(const FailureReasons* reasons, MetricSamples& samples) const {
    samples.applies = successes_ == 0 || mentions_ > 0;
    samples.failed = failures_ + successes_ - mentions_;
    if (reasons != nullptr) {
      samples.reasons = *reasons;
      samples.first_failure = reasons->front().text;
    } else if (samples.failed > 0) {
      samples.first_failure = "it was not recorded";
    }
    samples.has_overall = !components_alone_;
    if (!samples.has_overall) samples.overall.clear();
  }

 private:
  std::size_t successes_ = 0;      ///< Estimates that are fine,
  std::size_t mentions_ = 0;       ///< that have the metric, failed or not, if it can be had,
  std::size_t failures_ = 0;       ///< and in which it failed.
  bool components_alone_ = false;  ///< Components without a value over all of them were seen.
};

}  // namespace

MetricStore::MetricStore(const RunManifest& manifest)
    : estimators_(manifest.estimators.size()),
      file_(std::tmpfile()),
      chunks_(manifest.cells.size()) {
  if (!file_) ThrowFileError("cannot create a temporary file");
  for (std::size_t e = 0; e < estimators_; ++e) of_estimators_.push_back(manifest.SubjectAt(e));
  std::size_t columns = kHeader;
  for (const RunMetric& metric : manifest.metrics) {
    metric_index_.emplace(metric.name, components_.size());
    components_.push_back(metric.components.size());
    of_metrics_.push_back(metric.subject());
    first_.push_back(columns);
    columns += ColumnsOf(components_.size() - 1);
  }
  buffer_.assign(columns * kChunk, 0.0);
}

void MetricStore::Add(const RunRecord& record) {
  if (record.cell != cell_ || filled_ == kChunk) Flush();
  if (record.cell != cell_) {
    cell_ = record.cell;
    units_.clear();
  }
  const auto next = static_cast<std::uint32_t>(units_.size());
  At(kEstimator) = static_cast<double>(record.estimator);
  At(kRollout) = units_.emplace(record.Unit(), next).first->second;
  std::vector<const RecordedMetric*> by_metric(components_.size(), nullptr);
  for (const RecordedMetric& metric : record.metrics) {
    by_metric[metric_index_.at(metric.name)] = &metric;
  }
  for (std::size_t m = 0; m < components_.size(); ++m) {
    const RecordedMetric* metric = by_metric[m];
    const State state = StateOf(record, metric);
    const bool there = state != kNoEstimate && metric != nullptr;
    const std::size_t first = first_[m];
    At(first) = state;
    At(first + 1) = there && metric->value ? *metric->value : kAbsent;
    At(first + 2) = there && metric->count ? static_cast<double>(*metric->count) : kAbsent;
    for (std::size_t i = 0; i < components_[m]; ++i) {
      const bool has = there && !metric->components.empty();
      At(first + 3 + i) = has ? metric->components[i] : kAbsent;
    }
    if (state == kMetricFailed || state == kNotToBeHad)
      Count(metric->failure, failures_[{cell_, m, record.estimator}]);
  }
  ++filled_;
}

void MetricStore::Finish() { Flush(); }

void MetricStore::Flush() {
  if (filled_ == 0) return;
  chunks_[cell_].push_back({written_, filled_});
  Write(buffer_);
  filled_ = 0;
}

void MetricStore::Write(const std::vector<double>& numbers) {
  if (std::fwrite(numbers.data(), sizeof(double), numbers.size(), file_.get()) != numbers.size() ||
      std::fflush(file_.get()) != 0) {
    ThrowFileError("cannot write a temporary file");
  }
  written_ += numbers.size();
}

std::vector<double> MetricStore::Read(std::uint64_t offset, std::size_t count) const {
  std::vector<double> numbers(count);
  if (std::fseek(file_.get(), static_cast<long>(offset * sizeof(double)), SEEK_SET) != 0 ||
      std::fread(numbers.data(), sizeof(double), count, file_.get()) != count) {
    ThrowFileError("cannot read a temporary file");
  }
  return numbers;
}

std::vector<MetricSamples> MetricStore::Load(std::size_t cell, std::size_t metric) const {
  assert(filled_ == 0);
  std::vector<MetricSamples> all(estimators_);
  std::vector<Judge> judges(estimators_);
  for (MetricSamples& samples : all) samples.components.resize(components_[metric]);
  for (const Chunk& chunk : chunks_[cell]) {
    const std::vector<double> header = Read(chunk.offset, kHeader * kChunk);
    const std::vector<double> columns =
        Read(chunk.offset + first_[metric] * kChunk, ColumnsOf(metric) * kChunk);
    for (std::size_t k = 0; k < chunk.records; ++k) {
      const auto estimator = static_cast<std::size_t>(header[kEstimator * kChunk + k]);
      MetricSamples& samples = all[estimator];
      samples.rollouts.push_back(static_cast<std::uint32_t>(header[kRollout * kChunk + k]));
      samples.overall.push_back(columns[kChunk + k]);
      for (std::size_t i = 0; i < components_[metric]; ++i) {
        samples.components[i].push_back(columns[(3 + i) * kChunk + k]);
      }
      judges[estimator].Add(static_cast<State>(columns[k]));
      const double number = columns[2 * kChunk + k];
      samples.counts.push_back(number);
      if (!std::isnan(number)) {
        const auto count = static_cast<std::size_t>(number);
        const auto range = samples.count_range.value_or(std::pair(count, count));
        samples.count_range = {std::min(range.first, count), std::max(range.second, count)};
      }
    }
  }
  for (std::size_t e = 0; e < estimators_; ++e) {
    const auto failure = failures_.find({cell, metric, e});
    judges[e].Finish(failure == failures_.end() ? nullptr : &failure->second, all[e]);
    if (of_metrics_[metric] != of_estimators_[e]) all[e].applies = false;
  }
  return all;
}

}  // namespace idbench
