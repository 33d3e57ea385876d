#include "hw/units.h"

#include <algorithm>
#include <array>
#include <numbers>

#include "robots/recording/channels.h"

namespace idbench {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;        // [rad]
constexpr double kTurnPerMinute = std::numbers::pi / 30.0;  // [rad/s]

constexpr std::array kCommonUnits = {
    ColumnUnit{"s", "s", 1.0},
    ColumnUnit{"ms", "s", 1e-3},
    ColumnUnit{"us", "s", 1e-6},
    ColumnUnit{"ns", "s", 1e-9},
    ColumnUnit{"rad", "rad", 1.0},
    ColumnUnit{"deg", "rad", kDegree},
    ColumnUnit{"m", "m", 1.0},
    ColumnUnit{"mm", "m", 1e-3},
    ColumnUnit{"rad_s", "rad/s", 1.0},
    ColumnUnit{"deg_s", "rad/s", kDegree},
    ColumnUnit{"rpm", "rad/s", kTurnPerMinute},
    ColumnUnit{"m_s", "m/s", 1.0},
    ColumnUnit{"mm_s", "m/s", 1e-3},
    ColumnUnit{"rad_s2", "rad/s²", 1.0},
    ColumnUnit{"deg_s2", "rad/s²", kDegree},
    ColumnUnit{"m_s2", "m/s²", 1.0},
    ColumnUnit{"mm_s2", "m/s²", 1e-3},
    ColumnUnit{"nm", "N·m", 1.0},
    ColumnUnit{"knm", "N·m", 1e3},
    ColumnUnit{"mnm", "N·m", 1e-3},
    ColumnUnit{"ncm", "N·m", 1e-2},
    ColumnUnit{"nmm", "N·m", 1e-3},
    ColumnUnit{"n", "N", 1.0},
    ColumnUnit{"a", "A", 1.0},
    ColumnUnit{"ma", "A", 1e-3},
};

/// The common ones, and that of each channel which is in none of them.
const std::vector<ColumnUnit>& Units() {
  static const std::vector<ColumnUnit> kUnits = [] {
    std::vector<ColumnUnit> units(kCommonUnits.begin(), kCommonUnits.end());
    for (const ChannelInfo& channel : kDataChannels) {
      const std::string_view si = channel.units.front();
      if (std::ranges::find(units, si, &ColumnUnit::si) != units.end()) continue;
      units.push_back({channel.suffix, si, 1.0});
    }
    return units;
  }();
  return kUnits;
}

bool EndsInUnit(std::string_view column, std::string_view suffix) {
  return column.size() > suffix.size() + 1 && column.ends_with(suffix) &&
         column[column.size() - suffix.size() - 1] == '_';
}

}  // namespace

std::optional<ColumnUnit> UnitOfColumn(std::string_view column) {
  std::optional<ColumnUnit> longest;
  for (const ColumnUnit& unit : Units()) {
    if (EndsInUnit(column, unit.suffix) &&
        (!longest || unit.suffix.size() > longest->suffix.size())) {
      longest = unit;
    }
  }
  return longest;
}

std::optional<ColumnUnit> UnitBySuffix(std::string_view suffix) {
  for (const ColumnUnit& unit : Units()) {
    if (unit.suffix == suffix) return unit;
  }
  return std::nullopt;
}

std::vector<std::string> UnitsOfChannel(std::string_view channel) {
  constexpr std::array<std::string_view, 2> kUnitsOfTime = {"s", ""};
  const auto& accepted = channel == kTime ? kUnitsOfTime : ChannelNamed(channel).units;
  std::vector<std::string> suffixes;
  for (const ColumnUnit& unit : Units()) {
    if (std::ranges::find(accepted, unit.si) != accepted.end()) suffixes.emplace_back(unit.suffix);
  }
  return suffixes;
}

}  // namespace idbench
