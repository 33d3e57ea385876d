#pragma once

#include <string>
#include <vector>

#include "robots/dynamics/model.h"

namespace idbench {

/// Returns the names of the joints of which no limit of velocity is known.
std::vector<std::string> WithoutVelocityLimit(const RobotModel& model);

}  // namespace idbench
