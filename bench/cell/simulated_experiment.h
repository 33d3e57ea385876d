#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/cell/shown_parameters.h"
#include "bench/rollouts/motion_store.h"
#include "bench/rollouts/recipe.h"
#include "bench/trial/truth.h"

namespace idbench {

/// One experiment of a simulated cell: the recipes of its roll-outs. Files of motions and torques
/// are read here, once.
class SimulatedExperiment {
 public:
  /// @param robot, scenario  of the cell; must outlive this, as `experiment`, one of the
  /// scenario's.
  /// @param shown  what each part of a good motion is to show.
  SimulatedExperiment(const HashedRobot& robot, const Scenario& scenario,
                      const std::pair<std::string, ExperimentOptions>& experiment,
                      std::vector<ShownParameters> shown, const Seeds& seeds);

  /// Tells exciting motions what the motions of others show, see ExcitingMotionOptions::given.
  /// @param others  those that stand before this one in the scenario.
  void Tell(const std::vector<const SimulatedExperiment*>& others);

  const std::string& label() const { return label_; }
  const ExperimentOptions& options() const { return options_; }
  /// False for open-loop torque, where the robot goes wherever that leads.
  bool has_motion() const { return design_.has_value(); }
  /// What the first part of its motion is to show, and of the robot in which configuration; they
  /// take has_motion().
  const ShownParameters& shown() const { return design_->shown.front(); }
  int configuration() const { return design_->configuration; }
  /// True if its control takes an estimate: see IsStaged().
  bool is_staged() const { return IsStaged(scenario_, options_); }
  /// True if each trial has a roll-out of its own.
  bool drawn_per_trial() const;
  /// True if each trial has a motion of its own.
  bool motion_drawn_per_trial() const;
  /// Identifies the motion that trials share; that of open-loop torque is the experiment's.
  std::string MotionKey() const;

  /// The desired motion; of open-loop torque, its initial state.
  /// @param trial  −1 for what trials share. @throws PlantError if its design fails.
  DesiredMotion MotionOf(std::int64_t trial, MotionStore& motions) const;
  /// What trials share of it, over the duration for which it was designed: the same however much
  /// of it an experiment takes. Each part of a sequence has its own such duration.
  /// @throws PlantError as above.
  DesiredMotion DesignedMotion(MotionStore& motions) const;

  /// All arguments but `own_pi` must outlive the recipe.
  /// @param own_pi   of a controller whose model is the prior or an estimate.
  /// @param sensors  resolved, if they are fed back.
  Recipe RecipeOf(const Motion& motion, const Truth& truth, const Eigen::VectorXd& own_pi,
                  const SensorOptions& sensors, std::int64_t trial) const;

 private:
  bool is_fed_back_measured() const;
  Eigen::VectorXd ControlPi(const Truth& truth, const Eigen::VectorXd& own_pi) const;

  const RobotModel& model_;
  const Scenario& scenario_;
  const std::string& label_;
  const ExperimentOptions& options_;
  Seeds seeds_;
  ControlOptions control_;                       ///< Without the name of its file.
  std::optional<TimedTable> torque_;             ///< What that file holds.
  std::optional<MotionDesign> design_;           ///< Nothing for open-loop torque, which has
  std::unique_ptr<const Motion> initial_state_;  ///< this instead.
};

/// Returns all experiments of a simulated cell, in the scenario's order.
/// @param robot, scenario  must outlive what is returned.
std::vector<SimulatedExperiment> SimulatedExperiments(const HashedRobot& robot,
                                                      const Scenario& scenario,
                                                      ShownByMotions& shown, const Seeds& seeds);

}  // namespace idbench
