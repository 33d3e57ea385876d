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

/// Of each joint or motor, the names that its column may have; the first one there is taken.
using TimedColumns = std::vector<std::vector<std::string>>;

/// Returns `count` columns with one name each.
/// @param column  name and unit with {} between them for a number from 1 on, e.g. "tau{}_nm".
TimedColumns NumberedColumns(std::string_view column, int count);

/// Reads a CSV file with the column t_s and those of joints or motors; ignores others. Times count
/// from the first row.
/// @throws ConfigError as ReadCsv() does, where a column is missing by its first name, and for a
///         single row or times that do not increase.
TimedTable ReadTimedTable(const std::string& file, const TimedColumns& columns);

/// Appends what ReadTimedTable() would throw as issues at `where`.
void CheckTimedTable(const std::string& file, const TimedColumns& columns, const std::string& where,
                     std::vector<Issue>& issues);

}  // namespace idbench
