#pragma once

#include <string>
#include <vector>

#include "reports/run/summary.h"

namespace idbench {

/// What a run says of estimators without any success: in all cells, or in some.
struct LostEstimators {
  /// One sentence for each estimator that failed in every trial of every cell.
  std::vector<std::string> everywhere;
  /// The outcome of each of these, where all its trials have one: what `expected_failures` takes.
  Labelled<std::string> outcomes;
  /// One for each that failed in every trial of some cells.
  std::vector<std::string> in_cells;
};

/// Returns the estimators of a run of a simulation that failed in every trial, those aside that
/// take no data, and failures of the outcome that the scenario's `expected_failures` says.
///
/// Empty for a shard, for a run that is not complete, and for recordings, where one failure is all
/// there is.
LostEstimators FindLostEstimators(const Summary& summary, const RunManifest& manifest);

}  // namespace idbench
