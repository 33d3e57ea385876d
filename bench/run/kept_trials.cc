#include "bench/run/kept_trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "bench/run/trial_runner.h"

namespace idbench {

KeptTrials::KeptTrials(const LoadedScenario& loaded, const PreparedCells& contexts,
                       KeptTrialsOptions options)
    : loaded_(loaded), contexts_(contexts), options_(std::move(options)) {}

bool KeptTrials::HasSeries(std::int64_t trial) const {
  return std::ranges::find(loaded_.scenario.keep_series, trial) !=
         loaded_.scenario.keep_series.end();
}

bool KeptTrials::IsKept(std::int64_t trial) const {
  return HasSeries(trial) || options_.further == trial;
}

void KeptTrials::Keep(std::size_t cell, std::int64_t trial, KeptTrial kept) {
  const std::lock_guard lock(mutex_);
  trials_.insert_or_assign({cell, trial}, std::move(kept));
}

const KeptTrial& KeptTrials::Get(std::size_t cell, std::int64_t trial) {
  if (!IsKept(trial)) {
    throw std::invalid_argument(fmt::format("KeptTrials: trial {} is not one to keep", trial));
  }
  const std::pair key(cell, trial);
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = trials_.find(key); found != trials_.end()) return found->second;
  }
  const std::vector<RunMetric> no_metrics;
  TrialRunner(*contexts_[cell], cell, no_metrics, this, options_.estimators).Run(trial);
  const std::lock_guard lock(mutex_);
  return trials_.at(key);
}

}  // namespace idbench
