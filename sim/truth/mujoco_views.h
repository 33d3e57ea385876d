#pragma once

#include <Eigen/Core>

namespace idbench {

/// Views of MuJoCo's arrays: a vector of three numbers, and a rotation, which lies row by row.
using ConstVector3 = Eigen::Map<const Eigen::Vector3d>;
using RowMajor3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

}  // namespace idbench
