#include "scenarios/motion/trajectory/timed_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "robots/recording/csv.h"

namespace idbench {

namespace {

/// The names of `columns` that the file has; the first of each where it has none.
std::vector<std::string> NamesIn(const std::string& file, const TimedColumns& columns) {
  std::vector<std::string> names;
  const bool choice =
      std::ranges::any_of(columns, [](const auto& column) { return column.size() > 1; });
  const CsvTable there = choice ? ReadCsv(file, CsvReading{.required = {"t_s"}}) : CsvTable();
  for (const std::vector<std::string>& column : columns) {
    const auto found = std::ranges::find_if(
        column, [&there](const std::string& name) { return there.Find(name) >= 0; });
    names.push_back(found == column.end() ? column.front() : *found);
  }
  return names;
}

}  // namespace

TimedColumns NumberedColumns(std::string_view column, int count) {
  TimedColumns columns;
  for (int j = 1; j <= count; ++j) columns.push_back({fmt::format(fmt::runtime(column), j)});
  return columns;
}

TimedTable ReadTimedTable(const std::string& file, const TimedColumns& columns) {
  const std::vector<std::string> names = NamesIn(file, columns);
  std::vector<std::string> required = {"t_s"};
  required.insert(required.end(), names.begin(), names.end());
  const CsvTable csv = ReadCsv(file, required);
  TimedTable table{csv.values.col(csv.Find("t_s")),
                   Eigen::MatrixXd(csv.values.rows(), std::ssize(names))};
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
  for (std::size_t j = 0; j < names.size(); ++j) {
    table.values.col(static_cast<Eigen::Index>(j)) = csv.values.col(csv.Find(names[j]));
  }
  return table;
}

void CheckTimedTable(const std::string& file, const TimedColumns& columns, const std::string& where,
                     std::vector<Issue>& issues) {
  try {
    ReadTimedTable(file, columns);
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
