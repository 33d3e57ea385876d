#pragma once

#include <string>
#include <vector>

#include "reports/tables/table_items.h"

namespace idbench {

/// Returns for each sensor whose σ is another one in some cells of a table what it is in each, e.g.
/// "joint_torque noise_std_nm by cell: T 0.5: 1.65, 0.24; T 5: 2.58, 0.31"; of many cells the
/// range. A declared σ is told where it is another than that of the noise.
std::vector<std::string> SigmaSentences(const std::vector<TableItem>& items);

}  // namespace idbench
