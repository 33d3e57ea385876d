#pragma once

#include <vector>

#include "robots/robot.h"
#include "scenarios/options/capability.h"
#include "scenarios/options/config_error.h"
#include "scenarios/problem/problem_options.h"

namespace idbench {

/// Returns what contradicts itself in a problem, or needs what is not supplied.
/// @param supplies  what the scenario and its robot supply.
std::vector<Issue> CheckProblem(const ProblemOptions& problem, const Robot& robot,
                                const Supplies& supplies);

/// Returns a term with the shape of Coulomb friction that is of no single joint, to which widths of
/// joints do not apply; nullptr if there is none.
const Term* FrictionOfNoSingleJoint(const RobotModel& model);

/// Appends an issue for each of `needs` that is not supplied.
/// @param subject    who needs it: begins the sentence; may be empty.
/// @param otherwise  another cure; may be empty.
void RequireSupplied(Capabilities needs, const Supplies& supplies, const std::string& where,
                     const std::string& subject, const std::string& otherwise,
                     std::vector<Issue>& issues);

}  // namespace idbench
