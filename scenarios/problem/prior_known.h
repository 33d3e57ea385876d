#pragma once

#include <vector>

#include "robots/robot.h"
#include "scenarios/options/config_error.h"
#include "scenarios/problem/problem_options.h"

namespace idbench {

/// Returns those of `asked`, indices into π, that the prior's `known` speaks of: by their KeysOf(),
/// or of bodies by the body's name or the kind "body". Nothing without a prior.
std::vector<int> KnownOf(const ProblemOptions& options, const RobotModel& model,
                         const std::vector<int>& asked);

/// Returns what is wrong with the prior's `known`, with pointers from /problem/prior on: a pattern
/// that cannot be read, an entry that speaks of no parameter that is asked for, a part of a body
/// where unknowns are those of whole bodies, unknowns of another kind than parameters of bodies and
/// joints, and no unknown that is left.
/// @param asked  indices into π of all that is asked for, known or not.
std::vector<Issue> CheckKnown(const ProblemOptions& options, const RobotModel& model,
                              const std::vector<int>& asked);

}  // namespace idbench
