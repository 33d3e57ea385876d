#pragma once

#include <mujoco/mujoco.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "robots/part_plan.h"

namespace idbench {

/// Returns the body whose joint moves this one, or the world.
/// @param moving  the joints that count.
const mjsBody* Carrier(mjsBody* body, const std::set<const mjsElement*>& moving);

/// Checks what couples joints and bodies of a parsed model, all of which is left out afterwards:
/// equality constraints (mimic joints of a URDF too).
///
/// Notes those in which no joint of the plan moves. Refuses a connect or weld constraint between
/// bodies that move relative to each other; and, of a `part`, any coupling of a joint that moves.
/// Of a whole model, joints coupled to others are noted: they move by themselves.
/// @param[out] notes  appended.
/// @throws ConfigError with all that it refuses, by name.
void CheckCouplings(const mjSpec* spec, const PartPlan& plan, bool part,
                    const std::filesystem::path& file, std::vector<std::string>& notes);

}  // namespace idbench
