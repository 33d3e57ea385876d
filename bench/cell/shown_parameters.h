#pragma once

#include <optional>
#include <vector>

#include "bench/rollouts/motion_design.h"
#include "estimators/interface/problem.h"
#include "scenarios/scenario.h"

namespace idbench {

/// Adds what an exciting motion is told before any data, see ExcitingMotionOptions::prior_std.
/// @param shown  of the motion's design.
void AddPrior(const Robot& robot, const ExcitingMotionOptions& options, int configuration,
              ShownParameters& shown);

/// What the motions of a cell's experiments are to show. Experiments in one configuration share it.
class ShownByMotions {
 public:
  /// @param problem  of the cell, without any data; must outlive this, as the others.
  /// @param asked    the considered parameters, indices into π.
  ShownByMotions(const RobotModel& model, const Problem& problem, const std::vector<int>& asked)
      : model_(model), problem_(problem), asked_(asked) {}

  /// Returns what each part of an experiment's motion is to show; nothing of open-loop torque,
  /// which has no motion.
  std::vector<ShownParameters> Of(const ExperimentOptions& experiment);
  /// Returns what a motion without a design of its own is to show in a configuration.
  const ShownParameters& In(int configuration) { return OfDesign(std::nullopt, configuration); }

 private:
  struct Made {
    std::optional<DesignOptions> design;
    int configuration;
    ShownParameters shown;
  };

  const ShownParameters& OfDesign(const std::optional<DesignOptions>& design, int configuration);
  /// The base parameters that data of that configuration alone can show.
  ShownParameters Make(const std::optional<DesignOptions>& design, int configuration) const;

  const RobotModel& model_;
  const Problem& problem_;
  const std::vector<int>& asked_;
  std::vector<Made> made_;
};

}  // namespace idbench
