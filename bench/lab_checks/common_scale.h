#pragma once

#include <Eigen/Core>
#include <optional>

#include "bench/lab_checks/lab_rows.h"
#include "robots/robot.h"

namespace idbench {

/// Common factor s of all torques that the file's inertias imply: y_j = s·τ_j(file) + friction of
/// joint j, offset and rotor inertia included, by weighted least squares.
struct CommonScale {
  double factor = 1.0;     ///< s: recorded torques over those of the file.
  double sigma = 0.0;      ///< Of s, by leaving out one block after another.
  double explained = 0.0;  ///< Part of what friction leaves that s·τ(file) explains.
  /// Part below which the file does not tell a factor.
  static constexpr double kLeastExplained = 0.5;
  /// The same of each column of torques alone, n.
  Eigen::VectorXd of_column = {}, explained_of_column = {};
};

CommonScale FindCommonScale(const Robot& robot, const LabRows& rows, const DataChange& change);

/// Returns the factors by which each column of torques fits the file's inertias, alone; of columns
/// that these do not explain, the median of the others. Nothing if they explain less than half of
/// the columns.
std::optional<Eigen::VectorXd> FactorsOfFile(const Robot& robot, const LabRows& rows,
                                             const DataChange& change);

}  // namespace idbench
