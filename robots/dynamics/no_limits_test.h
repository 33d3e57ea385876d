#pragma once

#include <Eigen/Core>
#include <limits>

#include "robots/dynamics/model.h"

namespace idbench {

/// For tests: limits that nothing reaches, of n joints.
inline JointLimits NoLimits(Eigen::Index n) {
  const Eigen::VectorXd infinite =
      Eigen::VectorXd::Constant(n, std::numeric_limits<double>::infinity());
  return {-infinite, infinite, infinite, infinite, infinite};
}

}  // namespace idbench
