#include "robots/recording/issue_list.h"

#include <fmt/format.h>

namespace idbench {

void IssueList::ThrowIfAny(const std::string& source) const {
  if (issues_.empty()) return;
  std::vector<Issue> issues = issues_;
  if (count_ > kShown) {
    issues.push_back({"", fmt::format("… and {} more", count_ - kShown), {}});
  }
  throw ConfigError(source, std::move(issues));
}

}  // namespace idbench
