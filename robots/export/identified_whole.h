#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "robots/robot.h"

namespace idbench {

/// What becomes of the inertia of bodies whose joints are held, when an identified link is written
/// into the whole model.
enum class LockedBodies {
  kAsWritten,  ///< They keep what the file says; their carrier gets the rest of the link.
  kMerged,     ///< Their carrier gets all of the link; they become massless.
};

/// Whole robot with the parameters of an identified part.
struct IdentifiedWhole {
  Robot robot;                     ///< See LoadWhole(), with the terms of the part too.
  Eigen::VectorXd pi;              ///< Of the whole.
  std::vector<std::string> notes;  ///< What a user should know, one sentence each.
};

/// Returns whether a robot is less than its model file, or other joints of it are held.
bool IsReduced(const Robot& robot);

/// Returns the whole of which `part` is a part, with the part's parameters:
///
///   π_carrier = π_L − Σ X·π_locked,  both sides in the frame of link L of the part,
///
/// where X·π are the parameters of a body of the file that is locked to L, at the position at which
/// its joint is held. What is not in the part, and links that `pi` leaves as they are, stay as the
/// file has them; so do friction and rotor inertia of joints that do not move.
/// @param pi  of the part, see ParameterLayout.
/// @throws ConfigError if what is left for a carrier is no body, naming it and those locked to it.
IdentifiedWhole IntoWhole(const Robot& part, const Eigen::Ref<const Eigen::VectorXd>& pi,
                          LockedBodies locked);

}  // namespace idbench
