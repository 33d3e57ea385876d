#pragma once

#include <Eigen/Core>

#include "bench/lab_checks/lab_rows.h"
#include "robots/robot.h"

namespace idbench {

/// Common factor s of all torques that the file's inertias imply: y_j = s·τ_j(file) + friction of
/// joint j, offset and rotor inertia included, by weighted least squares.
struct CommonScale {
  double factor = 1.0;     ///< s: recorded torques over those of the file.
  double sigma = 0.0;      ///< Of s, by leaving out one block after another.
  double explained = 0.0;  ///< Part of what friction leaves that s·τ(file) explains.
  /// The same of each column of torques alone, n.
  Eigen::VectorXd of_column = {}, explained_of_column = {};
};

CommonScale FindCommonScale(const Robot& robot, const LabRows& rows, const DataChange& change);

}  // namespace idbench
