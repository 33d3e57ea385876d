#pragma once

#include <Eigen/Core>
#include <string>

#include "robots/dynamics/parameters.h"

namespace idbench {

/// Body of a compiled model that is part of a link, and its pose in the link's frame.
struct LinkBody {
  int link;            ///< Index of the link, −1 for the base.
  int body;            ///< Body id in the compiled model.
  std::string name;    ///< "" if the file gives none.
  bool carries_frame;  ///< The link's frame is this body's frame; other bodies are fused into it.
  Eigen::Matrix3d R_LB = Eigen::Matrix3d::Identity();
  Eigen::Vector3d p_LB_L = Eigen::Vector3d::Zero();
  /// As in the model file, in the body's own frame.
  CentralInertia inertia;
};

}  // namespace idbench
