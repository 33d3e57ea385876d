#include "hw/log/log.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "scenarios/options/config_error.h"

namespace idbench {

Eigen::Index LogTable::Find(std::string_view column) const {
  const auto found = std::ranges::find(columns, column);
  return found == columns.end() ? -1 : found - columns.begin();
}

const LogTable* Log::TableOf(std::string_view column) const {
  const auto found = std::ranges::find_if(
      tables, [column](const LogTable& table) { return table.Find(column) >= 0; });
  return found == tables.end() ? nullptr : &*found;
}

std::vector<std::string> Log::columns() const {
  std::vector<std::string> all;
  for (const LogTable& table : tables) {
    all.insert(all.end(), table.columns.begin(), table.columns.end());
  }
  return all;
}

void CheckWanted(const Log& log, const std::vector<std::string>& wanted) {
  const std::vector<std::string> there = log.columns();
  std::vector<Issue> issues;
  for (const std::string& name : wanted) {
    if (std::ranges::find(there, name) != there.end()) continue;
    Issue& issue = issues.emplace_back("", fmt::format("no column '{}'", name));
    if (const std::string near = NearestName(name, there); !near.empty()) {
      issue.details.push_back(fmt::format("did you mean '{}'?", near));
    }
    if (issues.size() == 1) {
      issue.details.push_back(there.empty()
                                  ? std::string("it has none that idbench can read")
                                  : fmt::format("the columns: {}", fmt::join(there, ", ")));
    }
  }
  if (!issues.empty()) throw ConfigError(log.source, std::move(issues));
}

}  // namespace idbench
