#pragma once

#include <string>
#include <vector>

#include "scenarios/options/fields.h"

namespace idbench {

/// A plane that a point of the robot can press against, see Wall.
struct WallOptions {
  std::string link;                               ///< Body of the model file, or attached body.
  std::vector<double> point_m = {0.0, 0.0, 0.0};  ///< That touches, in that body's frame.
  std::vector<double> through_m;                  ///< Point of the plane, in base axes.
  std::vector<double> normal;                     ///< Out of the wall, in base axes.
  double stiffness_n_m = 0.0;
  double damping_ns_m = 0.0;
  double friction = 0.0;
  double friction_width_m_s = 1e-3;

  bool operator==(const WallOptions&) const = default;
};
/// The table refuses lists of another length, and a normal of zero.
FieldTable Visit(WallOptions& options);

/// Returns "a wall of 8000 N/m before tool". The options must have no issue.
std::string Describe(const WallOptions& wall);

}  // namespace idbench
