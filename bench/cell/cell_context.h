#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/cell/prior_knowledge.h"
#include "bench/cell/rollouts.h"
#include "bench/cell/simulated_experiment.h"
#include "bench/cell/trial_data.h"
#include "bench/cell/truth.h"
#include "scenarios/scenario_reader.h"

namespace idbench {

/// What all trials of a cell share: robot, problem, motions, roll-outs or recordings.
///
/// Truth stays in here: estimators get the trial's Problem and Datasets. After construction safe to
/// use from several threads.
class CellContext {
 public:
  /// @param rollouts  must outlive this.
  /// @throws ConfigError (source: the scenario's file) where the cell cannot be run: data that
  ///         processing refuses, a roll-out that fails, an estimator whose needs are not met.
  CellContext(const LoadedScenario& loaded, const Cell& cell, RolloutStore& rollouts);

  const Scenario& scenario() const { return cell_.scenario; }
  /// What all trials share of the problem: model, equations, σ, names and units. Prior, bounds and
  /// what is taken for known may be drawn per trial: see TrialData::problem().
  const Problem& problem() const { return known_.problem; }
  /// The considered parameters, indices into π.
  const std::vector<int>& asked() const { return asked_; }

  /// The data of one trial. @throws PlantError if a roll-out drawn for this trial fails.
  TrialData Run(std::int64_t trial) const;

  /// Sentences about what was given to the estimators, for captions.
  const std::vector<std::string>& marks() const { return marks_; }
  /// Sensors with σ resolved to SI units; nothing for recordings.
  const std::optional<SensorOptions>& sensors() const { return sensors_; }

 private:
  /// A simulated experiment, and the roll-out that all trials share.
  struct Simulated {
    SimulatedExperiment experiment;
    const Signals* signals = nullptr;  ///< Of the store; nullptr where each trial has its own.
    std::string rollout = "";          ///< Key of its recipe.
  };

  void PrepareSimulation();
  void PrepareRecordings();
  /// The trial's problem and robot, before any experiment.
  TrialData Subject(std::int64_t trial) const;
  void CheckCheckpoints(const std::vector<Dataset>& datasets) const;
  void CheckWindows(const std::vector<Dataset>& datasets) const;
  void CheckNeeds() const;
  void CheckChannels(const std::vector<Dataset>& datasets) const;
  /// @param subject  see Subject(). @param sensors  as SimulatedExperiment::RecipeOf() wants them.
  Recipe RecipeOf(const SimulatedExperiment& experiment, const Motion& motion,
                  const TrialData& subject, const SensorOptions& sensors) const;
  SensorOptions ResolveSensors() const;
  [[noreturn]] void Refuse(const std::string& where, const std::string& what) const;

  const LoadedScenario& loaded_;
  const Cell& cell_;
  RolloutStore& rollouts_;
  std::vector<int> asked_;
  HashedRobot robot_;
  PriorKnowledge known_;        ///< Of trial −1.
  std::optional<Truth> truth_;  ///< Of trial −1; nothing for recordings.
  std::optional<SensorOptions> sensors_;
  std::vector<Simulated> simulated_;  ///< One per experiment of a simulation.
  std::vector<Dataset> recordings_;   ///< Processed.
  std::vector<std::string> marks_;
};

}  // namespace idbench
