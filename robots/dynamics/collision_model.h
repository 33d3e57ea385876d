#pragma once

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

namespace idbench {

/// Sphere fixed to a body: what of a robot must not touch another such sphere, or the floor.
struct CollisionSphere {
  std::string name;
  int link = -1;                                     ///< Link that carries it; −1: the base.
  Eigen::Vector3d p_LC_L = Eigen::Vector3d::Zero();  ///< Its centre in the link's frame [m].
  double radius_m = 0.0;
};

/// Spheres of a robot, and which of them may meet.
struct CollisionModel {
  std::vector<CollisionSphere> spheres;
  std::vector<std::pair<int, int>> pairs;  ///< Indices of spheres that must keep apart.
  std::vector<int> above_floor;            ///< Those whose centres must stay above a floor.
};

}  // namespace idbench
