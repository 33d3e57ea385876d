#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/rollouts.h"
#include "estimators/problem.h"
#include "scenarios/scenario_reader.h"
#include "sim/true_robot.h"

namespace idbench {

/// What was recorded in one trial.
struct TrialData {
  std::vector<Dataset> datasets;  ///< One per experiment, in the scenario's order.
  std::string rollout;            ///< Hash of what decided the identification roll-outs.
  /// The same before any sensor effect, for metrics alone; none of a recording. They live in the
  /// roll-outs that trials share, or in `drawn`.
  std::vector<const Signals*> clean;
  std::vector<std::unique_ptr<const Signals>> drawn;
};

/// What all trials of a cell share: robot, problem, motions, roll-outs or recordings.
///
/// Truth stays in here: estimators get Problem and TrialData. After construction safe to use from
/// several threads.
class CellContext {
 public:
  /// @param rollouts  must outlive this.
  /// @throws ConfigError (source: the scenario's file) where the cell cannot be run: data that
  ///         processing refuses, a roll-out that fails, an estimator whose needs are not met.
  CellContext(const LoadedScenario& loaded, const Cell& cell, RolloutStore& rollouts);

  const Scenario& scenario() const { return cell_.scenario; }
  const Problem& problem() const { return problem_; }
  /// Parameters π of the simulated robot; nullptr for recordings.
  const Eigen::VectorXd* true_pi() const { return true_pi_ ? &*true_pi_ : nullptr; }
  /// The considered parameters, indices into π.
  const std::vector<int>& asked() const { return asked_; }

  /// The data of one trial. @throws PlantError if a roll-out drawn for this trial fails.
  TrialData Run(std::int64_t trial) const;

  /// Sentences about what was given to the estimators, for captions.
  const std::vector<std::string>& marks() const { return marks_; }
  /// Sensors with σ resolved to SI units; nothing for recordings.
  const std::optional<SensorOptions>& sensors() const { return sensors_; }

 private:
  /// A roll-out that all trials share.
  struct SharedRollout {
    const Signals* signals = nullptr;  ///< Of the store; nullptr where each trial draws its own.
    std::string key;
  };

  void PrepareSimulation();
  void PrepareRecordings();
  void CheckCheckpoints(const std::vector<Dataset>& datasets) const;
  void CheckNeeds() const;
  void CheckChannels(const std::vector<Dataset>& datasets) const;
  void CollectMarks(const std::vector<Dataset>& datasets);
  void CollectSimulationMarks();
  bool DrawnPerTrial(const ExperimentOptions& experiment) const;
  std::unique_ptr<Motion> MakeMotion(const ExperimentOptions& experiment, std::int64_t trial) const;
  const TrueRobot& TruthOf(const ExperimentOptions& experiment) const;
  Signals Simulate(const std::string& label, const ExperimentOptions& experiment,
                   std::int64_t trial) const;
  std::string Key(const std::string& label, const ExperimentOptions& experiment,
                  std::int64_t trial) const;
  Eigen::VectorXd ControlModel(const ControlOptions& control) const;
  SensorOptions ResolveSensors() const;
  [[noreturn]] void Refuse(const std::string& where, const std::string& what) const;

  const LoadedScenario& loaded_;
  const Cell& cell_;
  RolloutStore& rollouts_;
  std::vector<int> asked_;
  std::optional<Eigen::VectorXd> true_pi_;
  std::optional<TrueRobot> truth_;
  /// The same with the payloads of the experiments that have events.
  std::map<const ExperimentOptions*, TrueRobot> loaded_truths_;
  std::optional<SensorOptions> sensors_;
  Problem problem_;
  std::vector<int> motion_columns_;    ///< Base parameters that a good motion excites.
  std::vector<SharedRollout> shared_;  ///< One per experiment of a simulation.
  std::vector<Dataset> recordings_;    ///< Processed.
  std::vector<std::string> marks_;
};

}  // namespace idbench
