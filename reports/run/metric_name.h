#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace idbench {

/// Parts of `quantity@experiment@t=5`, where the quantity may have an argument, `name(key=value)`;
/// `quantity@experiment`, `quantity@window` or `quantity@t=5`; missing ones are "".
struct MetricName {
  explicit MetricName(const std::string& name);
  std::string quantity;    ///< With its argument.
  std::string experiment;  ///< Or window.
  std::string checkpoint;  ///< "t=5"

  /// Returns the quantity without its argument.
  std::string base() const { return quantity.substr(0, quantity.find('(')); }
  /// Returns the value of the argument `key`; nothing unless the quantity has that one and a number
  /// there.
  std::optional<double> Argument(std::string_view key) const;

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
