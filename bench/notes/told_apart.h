#pragma once

#include <span>
#include <string>
#include <vector>

#include "estimators/interface/problem.h"

namespace idbench {

/// Returns "link3, tool" for each link that no row tells apart from what is attached to it, in any
/// configuration with data for identification: their sum is known, and a prior divides it. Bodies
/// that are known count as told apart.
///
/// A row holds the bodies of a link that lie beyond it, each moved into the link's frame, with the
/// same factors. So a body is told apart from the others of its link if its row in the table of 0
/// and 1 (is it in the rows of that configuration?) is no linear combination of theirs.
std::vector<std::string> NotToldApart(const RobotModel& model,
                                      std::span<const EquationRows> equations);

}  // namespace idbench
