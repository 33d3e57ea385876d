#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/options/config_error.h"

namespace idbench {

/// Expands a pattern to names of columns, joints …, in its order: one or several items separated by
/// commas, each a name with at most one range or list. `q{1..3}_rad` gives q1_rad, q2_rad, q3_rad;
/// `q{1..2}_rad, d3_m` gives q1_rad, q2_rad, d3_m; `f{x,y,z}_n` gives fx_n, fy_n, fz_n.
///
/// @param[out] problem  what is wrong with the pattern; "" if it is correct.
/// @return the names; empty if there is a problem.
std::vector<std::string> ExpandPattern(std::string_view pattern, std::string& problem);

/// Expands a pattern to some of the names that `owner` ("the robot") has. Appends issues for a
/// malformed pattern and for each name that it lacks.
std::vector<std::string> ExpandPatternAmong(std::string_view pattern,
                                            const std::vector<std::string>& names,
                                            std::string_view owner, const std::string& where,
                                            std::vector<Issue>& issues);

}  // namespace idbench
