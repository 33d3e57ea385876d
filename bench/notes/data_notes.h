#pragma once

#include <span>
#include <string>
#include <vector>

#include "robots/recording/dataset.h"
#include "robots/recording/processing.h"
#include "scenarios/scenario.h"

namespace idbench {

/// Returns sentences about what processing does to data and a reader of results must know:
/// accelerations that are differences of noisy positions, decimation that aliases, online methods
/// that are followed on data that look ahead or look ahead by themselves, the delay of causal data,
/// torques that were filtered before metrics compare with them.
///
/// @param sensors   resolved; nullptr for recordings.
/// @param datasets  processed.
std::vector<std::string> ProcessingNotes(const Scenario& scenario, const SensorOptions* sensors,
                                         std::span<const Dataset> datasets);

/// File of an experiment, and the stretch of its time that the experiment has.
struct UsedFile {
  std::string experiment;
  Role role = Role::kIdentification;
  std::string name;    ///< As the scenario names it.
  std::string sha256;  ///< Of its contents.
  double from_s = 0.0, until_s = 0.0;
};

/// Returns a sentence for each two experiments with different roles that have the same data: files
/// of the same contents, and stretches of time that overlap.
std::vector<std::string> SharedFileNotes(std::span<const UsedFile> files);

}  // namespace idbench
