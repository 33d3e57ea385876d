#pragma once

#include <string>

#include "reports/run/run_folder.h"
#include "scenarios/options/json_fwd.h"

namespace idbench {

/// Returns the robot's motion as a stick figure with a slider over time, from
/// `series/motions.jsonl` of a run: markup, and the data that motion.js draws. "" if there is no
/// such file or no motion in it.
///
/// It has the first 15 motions and no more than 1500 instants of all of them together, fewer of
/// robots with many joints.
/// @throws ConfigError if the file is damaged, with line and reason.
std::string HtmlMotion(const RunFolder& folder);

/// Returns a desired motion in the same form.
/// @param motion  as a line of that file, without cell, trial and experiment.
/// @throws std::invalid_argument or Json::exception if it lacks something.
std::string HtmlDesiredMotion(const Json& motion);

}  // namespace idbench
