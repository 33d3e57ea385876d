#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "robots/recording/dataset.h"
#include "sim/sensors/signals.h"

namespace idbench {

/// An experiment that was controlled with one model of the robot, see IsStaged().
struct StagedExperiment {
  std::string experiment;
  std::string failure = "";  ///< Why there is nothing else: the roll-out failed.
  double followed_s = 0.0;   ///< Duration of its motion; then the robot may be let go.
  Signals clean = {};        ///< As TrialData::clean, and the desired positions.
  std::optional<Dataset> data = std::nullopt;  ///< What was recorded, processed.
};

/// Those of one model, in the scenario's order.
using StagedExperiments = std::vector<StagedExperiment>;

/// Returns the root mean square of q_d − q over the samples of the motion, of each joint [rad or
/// m]; nothing if there is none. @param stage  without a failure.
Eigen::VectorXd FollowingErrors(const StagedExperiment& stage);

/// Returns the one with that label; nullptr if there is none.
const StagedExperiment* FindStaged(const StagedExperiments& staged, const std::string& experiment);

}  // namespace idbench
