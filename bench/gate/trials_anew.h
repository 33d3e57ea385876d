#pragma once

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "bench/gate/record_source.h"
#include "reports/gate/gate.h"
#include "reports/run/run_folder.h"
#include "scenarios/scenario_reader.h"

namespace idbench {

/// Trials of a scenario, run here, in pairs with those that a folder keeps.
class TrialsAnew {
 public:
  /// @param run        folder whose manifest holds the scenario.
  /// @param overrides  of that scenario, to make the trials that `kept` holds, or with other noise.
  /// @param kept       the other side of each pair; a run folder or a baseline.
  /// @throws ConfigError if a folder is damaged.
  TrialsAnew(const std::filesystem::path& run, const std::vector<Override>& overrides,
             const std::filesystem::path& kept, RecordSource records);

  /// Returns the pairs of these subjects, kept trials (a) against those that are run now (b).
  /// @throws ConfigError if the folder has no trials of a subject.
  std::vector<Pairs> PairsOf(const std::vector<GateSubject>& subjects) const;

  /// Returns how many trials of a cell are run.
  std::size_t trials() const { return static_cast<std::size_t>(loaded_.scenario.trial_count()); }

 private:
  std::size_t LabelIndex(const std::string& estimator) const;

  LoadedScenario loaded_;
  RunFolder kept_;
  RecordSource records_;
};

/// Overrides that make further trials of a run, as the reserve of its baseline: those behind its
/// own, with what cells draw as it is.
std::vector<Override> FurtherTrials(const Scenario& run, std::int64_t trials);

/// Overrides that make, of the scenario of a run, the trials that another run of it holds.
/// @param manifest  of that other run, a reserve.
std::vector<Override> TrialsOfReserve(const RunManifest& manifest);

}  // namespace idbench
