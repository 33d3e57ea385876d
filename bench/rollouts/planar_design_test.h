#pragma once

#include <string>

#include "bench/rollouts/motion_design.h"
#include "robots/dynamics/parameters/base_parameters.h"
#include "robots/plant/canonical_text.h"
#include "robots/robot.h"

namespace idbench {

/// For tests: a design of planar2's motion with several candidates.
struct PlanarDesign {
  Robot robot = LoadRobot("planar2");
  HashedRobot hashed{robot};
  MotionDesign design{
      .robot = hashed,
      .options = FourierOptions{.duration_s = 1.0, .candidates = 3, .draw = Draw::kTrial},
      .shown = {
          {.equations = {Equation::kTorque},
           .columns = FindBaseParameters(robot.model, {Equation::kTorque},
                                         ConsideredParameters(robot.model, {Equation::kTorque}, {}))
                          .independent}}};
};

inline std::string TextOf(const Motion& motion) {
  CanonicalText text;
  motion.Describe(text);
  return text.text();
}

}  // namespace idbench
