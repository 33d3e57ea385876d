#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/run/manifest.h"
#include "bench/run/traces.h"
#include "bench/trial/labelled_estimators.h"
#include "estimators/interface/row_mask.h"

namespace idbench {

/// What is kept of a trial for what is written beside its records.
struct KeptTrial {
  std::string plant_failure;         ///< Why there are no data; then all else is empty.
  std::vector<Estimate> estimates;   ///< The last one of each estimator, in the scenario's order.
  std::optional<Eigen::VectorXd> x;  ///< The unknowns' true values at the end; of a simulation.
  TrialTraces traces;                ///< Of a trial of keep_series.
  std::vector<LeftOutRows> left_out = {};  ///< What dead zones leave out of the fits.
};

struct KeptTrialsOptions {
  /// A trial to keep beside those of keep_series.
  std::optional<std::int64_t> further = std::nullopt;
  /// Called with the data of each trial of keep_series; by any thread.
  std::function<void(std::size_t cell, const TrialData& data)> write_series = {};
  EstimatorSource estimators = MakeEstimators;  ///< For trials that are run once more.
};

/// The trials of which a run keeps more than records: those of keep_series, and one that may be
/// asked for beside them. TrialRunner leaves here what it found, so that nothing is estimated
/// twice.
///
/// A run that was resumed has the records of trials that an earlier process computed, and nothing
/// else of them: Get() runs those once more. Memory grows with the kept trials, not with all.
class KeptTrials {
 public:
  /// The cells must outlive this; so must the scenario.
  KeptTrials(const LoadedScenario& loaded, const PreparedCells& contexts,
             KeptTrialsOptions options = {});

  bool HasSeries(std::int64_t trial) const;
  bool IsKept(std::int64_t trial) const;
  const KeptTrialsOptions& options() const { return options_; }

  /// Safe to use from several threads.
  void Keep(std::size_t cell, std::int64_t trial, KeptTrial kept);
  /// Once all are kept that will be. The result stays where it is.
  /// @throws std::invalid_argument for a trial that is not one to keep.
  const KeptTrial& Get(std::size_t cell, std::int64_t trial);

 private:
  const LoadedScenario& loaded_;
  const PreparedCells& contexts_;
  KeptTrialsOptions options_;
  std::mutex mutex_;
  std::map<std::pair<std::size_t, std::int64_t>, KeptTrial> trials_;
};

}  // namespace idbench
