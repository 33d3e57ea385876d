#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/options/config_error.h"

namespace idbench {

/// The issues of one recording: all are counted, the first ten are kept, because a broken log is
/// usually broken in every line.
class IssueList {
 public:
  static constexpr std::int64_t kShown = 10;

  /// Counts an issue; `make_issue()` is called only if it will be shown.
  template <class MakeIssue>
  void Add(MakeIssue&& make_issue) {
    if (count_++ < kShown) issues_.push_back(std::forward<MakeIssue>(make_issue)());
  }

  /// @throws ConfigError with the kept issues, and "… and 37 more", if there is any.
  void ThrowIfAny(const std::string& source) const;

 private:
  std::int64_t count_ = 0;
  std::vector<Issue> issues_;
};

}  // namespace idbench
