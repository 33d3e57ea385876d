#pragma once

#include <doctest/doctest.h>

#include <vector>

#include "robots/robot.h"
#include "robots/term_options.h"
#include "sim/truth/compile_truth.h"

namespace idbench {

/// planar3 with two motors on joint 2, and terms of all shapes.
inline TrueRobot AllShapes(const MujocoPlantOptions& options = {},
                           const MismatchOptions& mismatch = {},
                           const PerJoint& load_coefficient = {}) {
  Robot robot = LoadRobot("planar3");
  Eigen::Matrix3d B;
  B << 3.0, 0.0, 0.0,  //
      0.0, 2.0, 1.5,   //
      0.0, 0.0, -1.5;
  robot.model.SetActuation({{"a", "b", "belt"}, B});
  std::vector<Issue> issues;
  AddTerms({{.type = TermKind::kViscous, .motors = "b"},
            {.type = TermKind::kCoulomb, .motors = "a"},
            {.type = TermKind::kAsymmetric, .motors = "belt"},
            {.type = TermKind::kStribeck, .joints = "joint1", .velocity_rad_s = 0.4},
            {.type = TermKind::kOffset, .motors = "belt"},
            {.type = TermKind::kRotorInertia, .on = TermPlace::kMotors}},
           "", robot, issues);
  REQUIRE(issues.empty());
  Eigen::VectorXd pi = robot.FindSet("")->pi;
  const Eigen::Index own = std::ssize(robot.model.terms());
  pi.tail(own) = Eigen::VectorXd::LinSpaced(own, 0.02, 0.1);
  TrueJointOptions joints;
  joints.friction = {.viscous_nms_rad = PerJoint{{0.4, 0.3, 0.2}},
                     .coulomb_nm = PerJoint{{0.5, 0.6, 0.7}},
                     .offset_nm = PerJoint{{0.1, -0.2, 0.3}},
                     .stribeck_excess_nm = {{0.0, 0.3, 0.2}},
                     .stribeck_velocity_rad_s = {{0.1, 0.1, 0.3}},
                     .load_coefficient = load_coefficient};
  joints.mismatch = mismatch;
  joints.ApplyTo(ParameterLayout(robot.model), pi);
  return CompileTruth(robot, pi, options, joints);
}

}  // namespace idbench
