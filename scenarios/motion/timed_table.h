#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/options/config_error.h"

namespace idbench {

/// A signal of each joint over time, read from a file.
struct TimedTable {
  Eigen::VectorXd time_s;  ///< N ≥ 2, strictly increasing, the first one is 0.
  Eigen::MatrixXd values;  ///< N × joints.
};

/// Reads a CSV file with the columns t_s and <name>1_<unit> … <name>n_<unit>, further ones ignored.
/// Times count from the first row.
/// @param column  name and unit with {} between them, e.g. "tau{}_nm".
/// @throws ConfigError as ReadCsv() does, and for times that do not increase or a single row.
TimedTable ReadTimedTable(const std::string& file, std::string_view column, int dofs);

/// What ReadTimedTable() would throw, as issues at `where`.
void CheckTimedTable(const std::string& file, std::string_view column, int dofs,
                     const std::string& where, std::vector<Issue>& issues);

}  // namespace idbench
