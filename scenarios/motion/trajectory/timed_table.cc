#include "scenarios/motion/trajectory/timed_table.h"

#include <fmt/format.h>

#include "robots/recording/csv.h"

namespace idbench {

TimedTable ReadTimedTable(const std::string& file, std::string_view column, int dofs) {
  std::vector<std::string> columns = {"t_s"};
  for (int j = 1; j <= dofs; ++j) columns.push_back(fmt::format(fmt::runtime(column), j));
  const CsvTable csv = ReadCsv(file, columns);
  TimedTable table{csv.values.col(csv.Find("t_s")), Eigen::MatrixXd(csv.values.rows(), dofs)};
  if (table.time_s.size() < 2) {
    throw ConfigError(file, "", "a single row", {"at least two are needed"});
  }
  for (Eigen::Index i = 1; i < table.time_s.size(); ++i) {
    if (table.time_s(i) > table.time_s(i - 1)) continue;
    throw ConfigError(file, fmt::format("line {}", csv.lines[static_cast<std::size_t>(i)]),
                      fmt::format("t_s is {} after {}", table.time_s(i), table.time_s(i - 1)),
                      {"times have to increase"});
  }
  table.time_s.array() -= table.time_s(0);
  for (int j = 0; j < dofs; ++j) {
    table.values.col(j) = csv.values.col(csv.Find(columns[static_cast<std::size_t>(j) + 1]));
  }
  return table;
}

void CheckTimedTable(const std::string& file, std::string_view column, int dofs,
                     const std::string& where, std::vector<Issue>& issues) {
  try {
    ReadTimedTable(file, column, dofs);
  } catch (const ConfigError& error) {
    for (const Issue& issue : error.issues()) {
      issues.push_back({where,
                        fmt::format("{}: {}{}", error.source(),
                                    issue.where.empty() ? "" : issue.where + ": ", issue.what),
                        issue.details});
    }
  }
}

}  // namespace idbench
