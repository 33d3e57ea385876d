#pragma once

#include <optional>

#include "robots/dynamics/model.h"
#include "robots/robot.h"

/// What a part of a robot and the whole have in common, beside their bodies: sensors and terms,
/// which keep their names.
namespace idbench {

/// Returns the cut of a whole robot as its part has it; nothing if the part lacks its link, or only
/// a part of one of its links lies beyond.
std::optional<Cut> CutInPart(const Cut& cut, const Robot& whole, const Robot& part);

/// Returns the cut of a part as the whole has it, so that CutInPart() gives it back; nothing if
/// there is none: one before links that hang on several bodies which are fused in the part.
std::optional<Cut> CutInWhole(const Cut& cut, const Robot& part, const Robot& whole);

/// Returns a term of `from`, a whole robot or a part of one, as the other, `to`, has it. What acts
/// on a motor gets all joints that this drives there; what acts on joints those that are there; an
/// offset stays in its row of the wrench at the cut of that name.
/// @return nothing if `to` has neither the motor, nor the cut, nor any of the joints.
std::optional<Term> TermIn(const RobotModel& to, const RobotModel& from, const Term& term);

}  // namespace idbench
