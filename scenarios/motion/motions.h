#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "robots/dynamics/model.h"
#include "scenarios/motion/options.h"

namespace idbench {

/// Returns the content of the file of a recorded motion, joint positions over time; nothing for
/// other motions.
/// @throws ConfigError if the file cannot be used.
std::optional<TimedTable> ReadMotionTable(const MotionOptions& options, const RobotModel& model);

/// Makes the motion that `options` describe.
///
/// A Fourier motion with a start pose rests there and is then blended in (BlendedMotion).
/// Candidates are compared without rest and blend; a candidate whose blend breaks an enforced
/// velocity or acceleration limit, on a grid of 1000 instants, loses to all others.
/// @param table        see ReadMotionTable().
/// @param trial, cost  see DesignFourier().
/// @throws PlantError, naming the joint, if no candidate keeps the limits in the blend.
/// @throws std::invalid_argument for a recorded motion without its table.
std::unique_ptr<Motion> MakeMotion(const MotionOptions& options,
                                   const std::optional<TimedTable>& table, const RobotModel& model,
                                   std::uint64_t seed, std::int64_t trial, const MotionCost& cost);

/// Returns true if every trial has its own motion.
bool DrawnPerTrial(const MotionOptions& options);

/// Returns the contradictions between `options` and the robot.
/// @param where  JSON pointer of the options.
std::vector<Issue> CheckMotion(const MotionOptions& options, const RobotModel& model,
                               const std::string& where);

}  // namespace idbench
