#pragma once

#include <vector>

#include "robots/dynamics/kernel.h"
#include "robots/dynamics/model.h"

namespace idbench {

/// The links of `model` as the kernel wants them: see KernelLink. What differs from 0 or ±1 by
/// round-off of a unit quaternion, 1e-15, counts as that.
std::vector<KernelLink> MakeKernelLinks(const RobotModel& model);

}  // namespace idbench
