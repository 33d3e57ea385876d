#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "robots/robot.h"
#include "scenarios/options/config_error.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Side of a force/torque sensor on which its link's own inertia lies.
enum class LinkSide : std::uint8_t {
  kDistal,    ///< Beyond the sensor, which sits at the link's joint.
  kProximal,  ///< Before the sensor, which sits at the link's far end.
};
template <>
inline constexpr auto kEnumNames<LinkSide> = std::to_array<EnumName<LinkSide>>(
    {{LinkSide::kDistal, "distal"}, {LinkSide::kProximal, "proximal"}});

/// A force/torque sensor, see Cut.
struct ForceTorqueSensorOptions {
  std::string link;
  std::vector<double> point_m = {0.0, 0.0, 0.0};  ///< p_LS_L.
  std::vector<double> rpy_rad = {0.0, 0.0, 0.0};  ///< R_LS = Rot(z, yaw)·Rot(y, pitch)·Rot(x, roll)
  LinkSide link_side = LinkSide::kDistal;

  bool operator==(const ForceTorqueSensorOptions&) const = default;
};
FieldTable Visit(ForceTorqueSensorOptions& options);

/// By name.
using ForceTorqueSensors = Labelled<ForceTorqueSensorOptions>;

/// Gives a robot the cuts of the sensors, beside those that it has. A sensor may be on any body of
/// the model file that moves; where that is fixed to a link, the link's own inertia is that of
/// both. In a part of a robot, a sensor on a body that is fused into a link must have all of that
/// link on one side, see CutInPart().
///
/// Appends an issue for an unknown body, a name that holds a "/", a sensor that the robot has
/// already at another place, and one that divides a link of a part.
/// @param where  JSON pointer of `sensors`.
void AddCuts(const ForceTorqueSensors& sensors, const std::string& where, Robot& robot,
             std::vector<Issue>& issues);

/// Returns what AddCuts() makes the model's cuts of.
ForceTorqueSensors OptionsOfCuts(const RobotModel& model);

}  // namespace idbench
