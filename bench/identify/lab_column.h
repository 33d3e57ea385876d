#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hw/units.h"

namespace idbench {

/// What a column of a lab's log says it is.
enum class ColumnKind {
  kClock,
  kPosition,
  kVelocity,
  kAcceleration,
  kTorque,
  kCurrent,
  kOther,  ///< It says nothing of these, or that it is none of them: an error, a temperature.
};

/// Whose quantity it is.
enum class ColumnSource {
  kPlain,      ///< Nothing is said.
  kMeasured,   ///< "actual", "measured".
  kCommanded,  ///< "desired", "target", "cmd": what the robot was told, not what it did.
};

/// Reading of a column's name.
struct LabColumn {
  std::string name;  ///< As it stands in the log.
  ColumnKind kind = ColumnKind::kOther;
  ColumnSource source = ColumnSource::kPlain;
  bool motor = false;              ///< Of the motor, before its gear.
  std::string joint;               ///< Name of the robot's joint in it; "" if there is none.
  std::optional<int> number;       ///< Its number, as in q3.
  std::optional<ColumnUnit> unit;  ///< In its name: q3_deg, "q3 [deg]".
  std::string rest;                ///< Words that were not understood, between blanks.
  std::string unknown_unit;        ///< In brackets behind its name, or below it: "lbf·ft".

  bool operator==(const LabColumn& other) const { return name == other.name; }
};

/// Reads a name as labs write them: q1, qd_1, "dq[0]", actual_q_3, tau_J4, "Joint 2 Torque (Nm)",
/// jointEffort5, /joint_states/elbow/position_rad.
///
/// The name is cut into words at signs, digits and capitals. A word of the robot's joints, of
/// quantities, units and sources is understood; "d" alone means desired, as in q_d; words that say
/// nothing ("joint", "axis", "state") are passed over.
/// @param joints  names of the robot's joints.
LabColumn ReadLabColumn(const std::string& name, const std::vector<std::string>& joints);

/// Returns the unit that is spelled so by suffix or as in brackets, whatever its capitals: "ms",
/// "µs", "Nm", "N·m", "degrees". Nothing if it is not known.
std::optional<ColumnUnit> UnitBySpelling(std::string_view text);

/// "joint_position" …; "time"; "" for kOther.
std::string_view ChannelOf(const LabColumn& column);

}  // namespace idbench
