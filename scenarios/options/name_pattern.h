#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace idbench {

/// Expands a pattern to names of columns, joints …, in its order: one or several items separated by
/// commas, each a name with at most one range or list. `q{1..3}_rad` gives q1_rad, q2_rad, q3_rad;
/// `q{1..2}_rad, d3_m` gives q1_rad, q2_rad, d3_m; `f{x,y,z}_n` gives fx_n, fy_n, fz_n.
///
/// @param[out] problem  what is wrong with the pattern; "" if it is correct.
/// @return the names; empty if there is a problem.
std::vector<std::string> ExpandPattern(std::string_view pattern, std::string& problem);

}  // namespace idbench
