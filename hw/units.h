#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace idbench {

/// A unit as a recording's column names carry it: `q1_deg` is in degrees.
struct ColumnUnit {
  std::string_view suffix;    ///< "deg": what stands behind the last underscore that matters.
  std::string_view si;        ///< "rad": the unit that idbench uses inside.
  double to_si = 1.0;         ///< Value in `si` = to_si · value in `suffix`.
  std::string_view quantity;  ///< "angle", "time" …
};

/// The unit that `column` ends in, the longest that fits: `qd1_rad_s` is in rad/s, not in s.
/// Nothing if it ends in none.
std::optional<ColumnUnit> UnitOfColumn(std::string_view column);

/// Nothing if there is no such suffix.
std::optional<ColumnUnit> UnitBySuffix(std::string_view suffix);

/// What carries the time stamps, among the channels' names.
inline constexpr std::string_view kTime = "time";

/// Suffixes of the units that fit `channel`: kTime or a name of robots/recording/dataset.h.
std::vector<std::string> UnitsOfChannel(std::string_view channel);

}  // namespace idbench
