#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/options/config_error.h"

namespace idbench {

/// Signal of each joint or motor over time, read from a file.
struct TimedTable {
  Eigen::VectorXd time_s;  ///< N ≥ 2, strictly increasing, from 0 on [s].
  Eigen::MatrixXd values;  ///< N × joints (or motors), in the column's unit.
};

/// Reads a CSV file with the columns t_s and <name>1_<unit> … <name>n_<unit>; ignores others. Times
/// count from the first row.
/// @param column  name and unit with {} between them, e.g. "tau{}_nm".
/// @throws ConfigError as ReadCsv() does, and for a single row or times that do not increase.
TimedTable ReadTimedTable(const std::string& file, std::string_view column, int dofs);

/// Appends what ReadTimedTable() would throw as issues at `where`.
void CheckTimedTable(const std::string& file, std::string_view column, int dofs,
                     const std::string& where, std::vector<Issue>& issues);

}  // namespace idbench
