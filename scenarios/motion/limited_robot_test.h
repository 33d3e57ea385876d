#pragma once

#include <Eigen/Core>
#include <limits>
#include <vector>

#include "robots/dynamics/model.h"

namespace idbench {

/// Returns a robot with a shoulder limited to ±2 rad, 1 rad/s, 4 rad/s², 10 N·m, and an elbow
/// limited to ±3 rad only.
inline RobotModel LimitedRobot() {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  std::vector<Link> links(2);
  links[0].name = "upper";
  links[0].joint = "shoulder";
  links[1].name = "lower";
  links[1].joint = "elbow";
  links[1].parent = 0;
  return RobotModel(
      "arm", "base", links, Eigen::Vector3d(0, 0, -9.81),
      {Eigen::Vector2d(-2.0, -3.0), Eigen::Vector2d(2.0, 3.0), Eigen::Vector2d(1.0, kInf),
       Eigen::Vector2d(4.0, kInf), Eigen::Vector2d(10.0, kInf)});
}

}  // namespace idbench
