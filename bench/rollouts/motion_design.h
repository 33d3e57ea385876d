#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "robots/dynamics/rows.h"
#include "robots/plant/motion.h"
#include "scenarios/motion/motions.h"
#include "scenarios/motion/options.h"
#include "sim/truth/compiled_truth.h"

namespace idbench {

/// By what candidates of a motion are compared: how well these equations tell these columns apart.
struct ShownParameters {
  std::vector<PlacedEquation> equations = {};
  FrictionShape friction = {};
  std::vector<int> columns = {};       ///< Indices into π.
  Eigen::MatrixXd known = {};          ///< See ExcitationSubject::known, of a prior alone.
  Eigen::MatrixXd pi_covariance = {};  ///< See ExcitationSubject.
};

/// Everything that decides a desired motion: Design() takes nothing else, and KeyOf() hashes all of
/// it.
struct MotionDesign {
  const HashedRobot& robot;             ///< Must outlive this.
  MotionOptions options;                ///< Without names of files: what they hold are `tables`.
  std::vector<TimedTable> tables = {};  ///< See ReadMotionTables().
  std::vector<ShownParameters> shown = {};  ///< By each part of the motion, see ForEachPart().
  std::uint64_t seed = 0;
  std::int64_t trial = -1;  ///< −1 for a motion that trials share.
  int configuration = 0;    ///< Of the robot: index into RobotModel::configurations().
  /// Of other experiments, which each part of this one is told of: empty, or one list for each.
  std::vector<std::vector<MotionDesign>> given = {};
};

/// Equal for equal designs alone, as far as 128 bits of hash tell.
std::string KeyOf(const MotionDesign& design);

/// A motion, and how its exciting parts were designed.
struct MadeMotion {
  std::unique_ptr<const Motion> motion;
  std::vector<DesignedPart> histories = {};
};

/// A motion that is held elsewhere, or here alone.
struct DesiredMotion {
  const Motion* motion = nullptr;
  std::vector<DesignedPart> histories = {};
  std::unique_ptr<const Motion> own = nullptr;
};

/// The motion; of several candidates the one with the least MotionCondition().
/// @param make  makes the motions that it is told of, if there are any.
/// @throws PlantError if no candidate keeps its limits, see MakeMotion().
MadeMotion Design(const MotionDesign& design,
                  const std::function<DesiredMotion(const MotionDesign&)>& make = nullptr);

}  // namespace idbench
