#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "robots/recording/channels.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// What a robot is identified from; rates are derived from positions.
inline constexpr auto kIdentifyingChannels = std::to_array<std::string_view>(
    {kTime, kJointPosition, kMotorPosition, kJointTorque, kMotorTorque});

/// Where logs have what a robot is identified from: what their names do not tell.
struct LogColumns {
  Labelled<std::string> columns;  ///< Pattern by channel, see ExpandPattern().
  Labelled<std::string> units;    ///< Unit by channel.
  std::optional<double> rate_hz;  ///< Of equally spaced rows.
  /// What columns are multiplied by, and what is added then, in SI units, by channel: one number,
  /// or one of each joint.
  Labelled<PerJoint> factors = {}, offsets = {};

  bool empty() const {
    return columns.empty() && units.empty() && !rate_hz && factors.empty() && offsets.empty();
  }
};
FieldTable Visit(LogColumns& columns);

}  // namespace idbench
