#include "hw/log/log.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <system_error>
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

std::vector<std::filesystem::path> FilesOfLog(const std::filesystem::path& log) {
  std::error_code unreadable;
  if (!std::filesystem::is_directory(log, unreadable)) return {log};
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(log, unreadable)) {
    if (entry.is_regular_file(unreadable)) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace idbench
