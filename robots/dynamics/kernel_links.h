#pragma once

#include <vector>

#include "robots/dynamics/kernel/kernel.h"
#include "robots/dynamics/model.h"

namespace idbench {

/// Returns the links of `model` in the kernel's form, see KernelLink. Numbers that differ from 0 or
/// ±1 by less than 1e-15, the round-off of a unit quaternion, count as 0 or ±1.
std::vector<KernelLink> MakeKernelLinks(const RobotModel& model);

/// Returns the cut under the base, about the base's origin and in base axes, and then those of
/// `model`, each about its own origin S and in its own axes. With a an axis of S in the link's axes
/// and p = p_LS_L, the force along a is the power of the twist (0, a) at the link's origin, the
/// moment about a that of (a, p × a).
/// @param links  of the same model.
/// @param first  index of the first pack of the first of them; the others follow, see KernelCut.
std::vector<KernelCut> MakeKernelCuts(const RobotModel& model, const std::vector<KernelLink>& links,
                                      std::ptrdiff_t first);

}  // namespace idbench
