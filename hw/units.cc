#include "hw/units.h"

#include <array>
#include <cassert>
#include <numbers>

#include "robots/recording/dataset.h"

namespace idbench {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;        // [rad]
constexpr double kTurnPerMinute = std::numbers::pi / 30.0;  // [rad/s]

constexpr std::array kUnits = {
    ColumnUnit{"s", "s", 1.0, "time"},
    ColumnUnit{"ms", "s", 1e-3, "time"},
    ColumnUnit{"us", "s", 1e-6, "time"},
    ColumnUnit{"ns", "s", 1e-9, "time"},
    ColumnUnit{"rad", "rad", 1.0, "angle"},
    ColumnUnit{"deg", "rad", kDegree, "angle"},
    ColumnUnit{"m", "m", 1.0, "length"},
    ColumnUnit{"mm", "m", 1e-3, "length"},
    ColumnUnit{"rad_s", "rad/s", 1.0, "angular velocity"},
    ColumnUnit{"deg_s", "rad/s", kDegree, "angular velocity"},
    ColumnUnit{"rpm", "rad/s", kTurnPerMinute, "angular velocity"},
    ColumnUnit{"m_s", "m/s", 1.0, "velocity"},
    ColumnUnit{"mm_s", "m/s", 1e-3, "velocity"},
    ColumnUnit{"rad_s2", "rad/s²", 1.0, "angular acceleration"},
    ColumnUnit{"deg_s2", "rad/s²", kDegree, "angular acceleration"},
    ColumnUnit{"m_s2", "m/s²", 1.0, "acceleration"},
    ColumnUnit{"mm_s2", "m/s²", 1e-3, "acceleration"},
    ColumnUnit{"nm", "N·m", 1.0, "torque"},
    ColumnUnit{"n", "N", 1.0, "force"},
    ColumnUnit{"a", "A", 1.0, "current"},
    ColumnUnit{"ma", "A", 1e-3, "current"},
};

/// What the columns of a channel may be: of a revolute joint, of a prismatic joint; of a wrench,
/// its forces and its moments.
struct Quantities {
  std::string_view channel, one, other;
};

constexpr std::array kQuantities = {
    Quantities{kTime, "time", ""},
    Quantities{kJointPosition, "angle", "length"},
    Quantities{kJointVelocity, "angular velocity", "velocity"},
    Quantities{kJointAcceleration, "angular acceleration", "acceleration"},
    Quantities{kJointTorque, "torque", "force"},
    Quantities{kMotorTorque, "torque", ""},
    Quantities{kMotorCurrent, "current", ""},
    Quantities{kBaseWrench, "force", "torque"},
    Quantities{kEndEffectorWrench, "force", "torque"},
    Quantities{kActuatorTorque, "torque", "force"},
    Quantities{kHallPosition, "angle", "length"},
    Quantities{kAccelerometer, "acceleration", ""},
    Quantities{kGyroscope, "angular velocity", ""},
    Quantities{kDistance, "length", ""},
};

bool EndsInUnit(std::string_view column, std::string_view suffix) {
  return column.size() > suffix.size() + 1 && column.ends_with(suffix) &&
         column[column.size() - suffix.size() - 1] == '_';
}

}  // namespace

std::optional<ColumnUnit> UnitOfColumn(std::string_view column) {
  std::optional<ColumnUnit> longest;
  for (const ColumnUnit& unit : kUnits) {
    if (EndsInUnit(column, unit.suffix) &&
        (!longest || unit.suffix.size() > longest->suffix.size())) {
      longest = unit;
    }
  }
  return longest;
}

std::optional<ColumnUnit> UnitBySuffix(std::string_view suffix) {
  for (const ColumnUnit& unit : kUnits) {
    if (unit.suffix == suffix) return unit;
  }
  return std::nullopt;
}

std::vector<std::string> UnitsOfChannel(std::string_view channel) {
  std::vector<std::string> suffixes;
  for (const Quantities& quantities : kQuantities) {
    if (quantities.channel != channel) continue;
    for (const ColumnUnit& unit : kUnits) {
      if (unit.quantity == quantities.one || unit.quantity == quantities.other) {
        suffixes.emplace_back(unit.suffix);
      }
    }
  }
  assert(!suffixes.empty());
  return suffixes;
}

}  // namespace idbench
