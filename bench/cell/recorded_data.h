#pragma once

#include <vector>

#include "bench/cell/data_source.h"
#include "robots/robot.h"
#include "scenarios/scenario.h"

namespace idbench {

/// Recordings, the same in every trial.
class RecordedData : public DataSource {
 public:
  /// Reads and processes the recordings of all experiments.
  /// @param source  the scenario's name, for messages.
  /// @throws ConfigError where a file cannot be read, processing refuses it, or windows of
  ///         experiments with different roles overlap.
  RecordedData(const Scenario& scenario, const Robot& robot, const std::string& source);

  const SensorOptions* sensors() const override { return nullptr; }
  bool Measures(std::string_view channel) const override;
  ChannelNoise NoiseOf(std::string_view channel) const override;
  std::string SharedMotion() const override { return ""; }
  void AddTruth(TrialData&) const override {}
  void AddDatasets(TrialData& data) const override;

 private:
  std::vector<Dataset> recordings_;  ///< Processed.
};

}  // namespace idbench
