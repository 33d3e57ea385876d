#pragma once

#include <optional>
#include <string>
#include <vector>

#include "robots/robot.h"

namespace idbench {

/// A robot whose file has bodies that cannot be, with others in their place.
struct GuessedBodies {
  std::vector<std::string> guessed;  ///< Links whose bodies have no mass or are points: guessed.
  std::vector<std::string> mended;   ///< Links whose bodies are the nearest ones that can be.
  std::string description;           ///< Text of a robot.json of the whole robot with them.
};

/// Returns the robot with bodies that can be, so that identification has a place to start from: in
/// place of a moving body without mass or extent a rod from the link's frame to that of the next
/// one, a fifth as thick as it is long, of 10 kg/m; in place of others the nearest one, see
/// MadePhysical(). Nothing if all bodies can be, or if the robot has a robot.json of its own, whose
/// sets say more than a guess does.
/// @param whole  all of the model file.
std::optional<GuessedBodies> GuessBodies(const Robot& whole);

}  // namespace idbench
