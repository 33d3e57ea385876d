#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "robots/dynamics/model.h"
#include "scenarios/motion/options.h"

namespace idbench {

/// Returns the content of the files of recorded motions, joint positions over time: one for each
/// part that is recorded, in their order.
/// @throws ConfigError if a file cannot be used.
std::vector<TimedTable> ReadMotionTables(const MotionOptions& options, const RobotModel& model);

/// By what a part of a motion is designed.
struct PartDesign {
  MotionCost cost = {};                           ///< Of candidates of a Fourier motion.
  std::optional<ExcitationSubject> subject = {};  ///< Of an exciting motion.
};

/// How an exciting motion, a part of a motion, came about.
struct DesignedPart {
  std::string part;  ///< JSON pointer within the motion, see ForEachPart(); "" of no sequence.
  ExcitationHistory history = {};
};

/// Makes the motion that `options` describe.
///
/// A Fourier motion with a start pose rests there and is then blended in (BlendedMotion).
/// Candidates are compared without rest and blend; a candidate whose blend breaks an enforced
/// velocity or acceleration limit, on a grid of 1000 instants, loses to all others.
///
/// The parts of a sequence are made as each would be alone. In its blends (SequenceMotion), on a
/// grid of 1000 instants each, joints keep their ranges, and velocity or acceleration limits that
/// one of the two parts enforces.
/// @param tables  see ReadMotionTables().
/// @param trial   see DesignFourier().
/// @param designs  of each part; parts that nobody designs need nothing in it.
/// @param[out] histories  of exciting motions, appended; may be nullptr.
/// @throws PlantError, naming the joint, if no candidate keeps the limits in the blend, or a blend
///         of a sequence does not, and as DrawRandomPoints() and DesignExcitingMotion() do.
/// @throws std::invalid_argument for another number of tables or designs.
std::unique_ptr<Motion> MakeMotion(const MotionOptions& options,
                                   const std::vector<TimedTable>& tables, const RobotModel& model,
                                   std::uint64_t seed, std::int64_t trial,
                                   const std::vector<PartDesign>& designs,
                                   std::vector<DesignedPart>* histories = nullptr);

/// Returns true if every trial has its own motion.
bool DrawnPerTrial(const MotionOptions& options);

/// Returns the contradictions between `options` and the robot.
/// @param where  JSON pointer of the options.
std::vector<Issue> CheckMotion(const MotionOptions& options, const RobotModel& model,
                               const std::string& where);

}  // namespace idbench
