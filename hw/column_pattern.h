#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace idbench {

/// The column names that a pattern stands for, in its order: one or several items between commas,
/// each a name with at most one range or list. `q{1..3}_rad` is q1_rad, q2_rad, q3_rad;
/// `q{1..2}_rad, d3_m` is q1_rad, q2_rad, d3_m; `f{x,y,z}_n` is fx_n, fy_n, fz_n.
///
/// @param[out] problem  what is wrong with the pattern, "" if nothing is.
/// @return the names; empty if there is a problem.
std::vector<std::string> ExpandPattern(std::string_view pattern, std::string& problem);

}  // namespace idbench
