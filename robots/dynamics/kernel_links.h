#pragma once

#include <vector>

#include "robots/dynamics/kernel/kernel.h"
#include "robots/dynamics/model.h"

namespace idbench {

/// Returns the links of `model` in the kernel's form, see KernelLink. Numbers that differ from 0 or
/// ±1 by less than 1e-15, the round-off of a unit quaternion, count as 0 or ±1.
std::vector<KernelLink> MakeKernelLinks(const RobotModel& model);

}  // namespace idbench
