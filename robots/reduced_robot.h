#pragma once

#include <map>
#include <string>

#include "robots/robot.h"

namespace idbench {

/// Returns, for the links of a whole robot that a part of it has too, by their index, −1 the base:
/// in which link of the part the body with the link's frame is, and at which pose. Links without a
/// body of their own are not there.
std::map<int, LinkBody> PlacesInPart(const Robot& whole, const Robot& part);

/// Gives a part of a robot what the robot.json of the whole says: name, limits, sets, terms,
/// motors, force/torque sensors.
///
/// A set's inertia of a link that is held is added to that of the link that carries it, at its pose
/// there. Where a link of the whole is not in the part, but some body fused into it is (the root of
/// the part), that body's inertia is the model file's. Terms and motors keep their shares on joints
/// that move, and are left out without any, see TermIn(); positions at which motors are 0 move with
/// the joints that are held. Sensors are left out with their offsets, and noted, beyond which only
/// a part of a link lies, see CutInPart(), or nothing.
/// @param whole  see LoadWhole().
/// @param part   as read from the model file alone.
/// @throws PartError if several motors drive the joints that move as one would, or none does.
Robot ReducedRobot(const Robot& whole, Robot part);

}  // namespace idbench
