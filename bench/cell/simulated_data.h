#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/cell/simulated_experiment.h"
#include "bench/rollouts/rollouts.h"
#include "bench/trial/data_source.h"
#include "scenarios/scenario_reader.h"

namespace idbench {

/// Simulated experiments, measured by the scenario's sensors.
class SimulatedData : public DataSource {
 public:
  /// Simulates the roll-outs that all trials share.
  /// @param known     of trial −1; without σ of its rows.
  /// @param asked     the considered parameters, indices into π.
  /// @param rollouts  must outlive this, as `loaded` and `cell`.
  /// @throws ConfigError for a roll-out that fails.
  SimulatedData(const LoadedScenario& loaded, const Cell& cell, const PriorKnowledge& known,
                const std::vector<int>& asked, RolloutStore& rollouts);

  const SensorOptions* sensors() const override { return &sensors_; }
  bool Measures(std::string_view channel) const override;
  ChannelNoise NoiseOf(std::string_view channel) const override;
  std::string SharedMotion() const override;
  std::optional<ShowingMotion> MotionOf(const TrialData& data,
                                        const std::string& experiment) const override;
  std::vector<std::string> Notes() const override { return notes_; }
  void AddTruth(TrialData& data) const override;
  void AddDatasets(TrialData& data) const override;
  StagedExperiments RunStaged(const TrialData& data, const Eigen::VectorXd& pi) const override;

 private:
  /// An experiment, and the roll-out that all trials share.
  struct Simulated {
    SimulatedExperiment experiment;
    /// Of the store; nullptr where each trial has its own, or each estimate.
    const Signals* signals = nullptr;
    std::string rollout = "";                               ///< Key of its recipe.
    std::optional<Environment> environment = std::nullopt;  ///< What touched the robot in it.
  };

  SensorOptions ResolveSensors(const PriorKnowledge& known) const;
  /// What the first identification experiment shows of the nominal robot; of open-loop torque its
  /// roll-out.
  Signals Desired(const SimulatedExperiment& first, const PriorKnowledge& known) const;

  /// Refuses a motion that all trials share, and that cannot be made.
  void CheckSharedMotion(const SimulatedExperiment& experiment);
  /// Adds a note, unless it is empty.
  void AddNote(std::string note);
  /// Notes what a URDF's limits hold back.
  void TellScaled(const SimulatedExperiment& experiment, const Motion& motion);
  /// Makes one of the experiments that are controlled with an estimate.
  StagedExperiment RunOneStaged(const SimulatedExperiment& experiment, const TrialData& data,
                                const Eigen::VectorXd& pi) const;
  /// Refuses one that fails even with the true model, and notes how well that follows.
  void CheckStaged(const SimulatedExperiment& experiment);

  /// Plants of the laboratory with the robot of a trial, which must outlive them.
  PlantSource PlantsOf(const Truth& truth, const SensorKey& key) const;

  const LoadedScenario& loaded_;
  const Cell& cell_;
  RolloutStore& rollouts_;
  HashedRobot robot_;
  Truth truth_;  ///< Of trial −1.
  SensorOptions sensors_;
  std::vector<Simulated> simulated_;  ///< One per experiment.
  std::vector<std::string> notes_;
};

}  // namespace idbench
