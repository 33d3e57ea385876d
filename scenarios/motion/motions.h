#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "robots/dynamics/model.h"
#include "scenarios/motion/options.h"

namespace idbench {

/// The motion that `options` describe.
///
/// A Fourier motion that starts from a pose rests there, then is blended in (BlendedMotion).
/// Candidates are compared without rest and blend; one whose blend breaks a velocity or
/// acceleration limit that is to be kept, on a grid of 1000 instants, loses to all others.
/// @param trial, cost  see DesignFourier(). @throws PlantError, naming the joint, if no candidate
/// keeps the limits in the blend. @throws ConfigError if a recording cannot be used.
std::unique_ptr<Motion> MakeMotion(const MotionOptions& options, const RobotModel& model,
                                   std::uint64_t seed, std::int64_t trial, const MotionCost& cost);

/// True if every trial has a motion of its own.
bool DrawnPerTrial(const MotionOptions& options);

/// What in `options` contradicts the robot. @param where  JSON pointer of the options.
std::vector<Issue> CheckMotion(const MotionOptions& options, const RobotModel& model,
                               const std::string& where);

}  // namespace idbench
