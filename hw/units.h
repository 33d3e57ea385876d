#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace idbench {

/// Unit in the column names of a recording: `q1_deg` is in degrees.
struct ColumnUnit {
  /// "deg": the end of the name, after the last underscore that is not part of the unit.
  std::string_view suffix;
  std::string_view si;  ///< "rad": the unit that idbench uses internally.
  double to_si = 1.0;   ///< Value in `si` = to_si · value in `suffix`.
};

/// Returns the unit at the end of `column`, the longest that fits: `qd1_rad_s` is in rad/s, not in
/// s. Nothing if it ends in none.
std::optional<ColumnUnit> UnitOfColumn(std::string_view column);

/// Returns the unit with that suffix, or nothing if there is none.
std::optional<ColumnUnit> UnitBySuffix(std::string_view suffix);

/// Returns the suffixes of the units that fit `channel`: kTime or the name of a channel.
std::vector<std::string> UnitsOfChannel(std::string_view channel);

}  // namespace idbench
