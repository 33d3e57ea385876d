#pragma once

#include "sim/truth/environment.h"
#include "sim/truth/true_robot.h"

namespace idbench {

/// A true robot, and what surrounds it in an experiment. Both must outlive it.
struct Scene {
  // A robot alone is a scene too.
  Scene(const TrueRobot& alone, const Environment* around = nullptr)  // NOLINT(*-explicit-*)
      : robot(alone), environment(around) {}

  const TrueRobot& robot;
  const Environment* environment;  ///< Or nullptr: nothing can touch the robot.
};

}  // namespace idbench
