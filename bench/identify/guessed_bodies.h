#pragma once

#include <optional>
#include <string>
#include <vector>

#include "robots/robot.h"

namespace idbench {

/// A robot whose file says nothing of some bodies that could be true: no mass, a point.
struct GuessedBodies {
  std::vector<std::string> links;  ///< Of which bodies were guessed.
  std::string description;         ///< Text of a robot.json of the whole robot with them.
};

/// Returns the robot with a rod in place of each moving body that cannot be: from the link's frame
/// to that of the next one, a fifth as thick as it is long, of 10 kg/m; that identification has a
/// place to start from. Nothing if all bodies can be, or if the robot has a robot.json of its own,
/// whose sets say more than a guess does.
/// @param whole  all of the model file.
std::optional<GuessedBodies> GuessBodies(const Robot& whole);

}  // namespace idbench
