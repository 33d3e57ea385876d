#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/options/config_error.h"

namespace idbench {

/// Issues of one recording. Counts all and keeps the first ten, because a broken log is usually
/// broken in every line.
class IssueList {
 public:
  static constexpr std::int64_t kShown = 10;

  /// Counts an issue; calls `make_issue()` only if the issue will be shown.
  template <class MakeIssue>
  void Add(MakeIssue&& make_issue) {
    if (count_++ < kShown) issues_.push_back(std::forward<MakeIssue>(make_issue)());
  }

  /// @throws ConfigError if there is an issue, with the kept ones and "… and 37 more".
  void ThrowIfAny(const std::string& source) const;

 private:
  std::int64_t count_ = 0;
  std::vector<Issue> issues_;
};

}  // namespace idbench
