#pragma once

#include <optional>
#include <vector>

#include "bench/trial/data_source.h"
#include "hw/recording.h"
#include "robots/recording/data_window.h"
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
  std::optional<ShowingMotion> MotionOf(const TrialData&, const std::string&) const override {
    return std::nullopt;
  }
  std::vector<std::string> Notes() const override { return notes_; }
  void AddTruth(TrialData&) const override {}
  void AddDatasets(TrialData& data) const override;
  StagedExperiments RunStaged(const TrialData&, const Eigen::VectorXd&) const override {
    return {};
  }

 private:
  /// Reads and processes what an experiment recorded.
  /// @param[out] measured  gets the segments as they are before all processing but skip_samples
  ///                       and shift_s.
  std::vector<Dataset> Read(const std::string& label, const ExperimentOptions& experiment,
                            const Scenario& scenario, const Robot& robot, TimeSpan& span,
                            std::vector<Dataset>& measured);
  /// Processes segments; those that are too short for it are left out and told.
  std::vector<Dataset> ProcessEach(const Recording& recording, const std::string& label,
                                   const Scenario& scenario, const RobotModel& model,
                                   std::vector<Dataset>& measured);

  /// Notes what is doubtful about recorded rates, unless they are derived anew.
  void NoteRates(const std::string& label, const Recording& recording, const Scenario& scenario,
                 const std::vector<std::string>& joints);

  std::string source_;               ///< The scenario's name.
  std::vector<Dataset> recordings_;  ///< Processed, segment by segment.
  std::vector<std::string> notes_;
  Labelled<std::vector<std::string>> rate_doubts_;  ///< And the experiments that raise them.
  std::optional<Scores> scores_;
};

}  // namespace idbench
