#pragma once

#include <string>

namespace idbench {

/// Parts of `quantity@experiment@t=5`, `quantity@experiment`, `quantity@window` or `quantity@t=5`;
/// missing ones are "".
struct MetricName {
  explicit MetricName(const std::string& name);
  std::string quantity;
  std::string experiment;  ///< Or window.
  std::string checkpoint;  ///< "t=5"

  /// Parts that a name can go without.
  struct Parts {
    bool experiment = false;
    bool checkpoint = false;
  };
  /// Returns the name without these parts, such as those that a side of a table shows.
  std::string Without(const Parts& dropped) const;
};

/// Returns true if `request` is `name`, or its beginning up to an @.
bool Requests(const std::string& request, const std::string& name);

}  // namespace idbench
