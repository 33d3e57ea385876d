#pragma once

#include <Eigen/Core>
#include <string_view>
#include <vector>

#include "robots/dynamics/parametrisation.h"
#include "robots/recording/aligned_view.h"

namespace idbench {

/// One kind of equation that an estimator is to use, with the declared noise of its rows.
struct EquationRows {
  Equation equation = Equation::kTorque;
  /// Declared standard deviation of each row (n or 6) [N·m or N]; empty where none is declared.
  Eigen::VectorXd sigma;
};

/// The channel that holds the measured side of an equation.
std::string_view MeasuredChannel(Equation equation);
/// n for joint torques, 6 for the base wrench.
int RowsOf(Equation equation, int dofs);

/// What is to be estimated, and all that an estimator may know about the robot.
///
/// Bounds, prior, friction columns and declared σ stand here, so that all estimators of a table get
/// the same; an estimator's own options hold only what is its own.
struct Problem {
  RobotModel model;        ///< Kinematic tree, gravity, limits: no value that is to be estimated.
  FrictionShape friction;  ///< s(q̇) of the Coulomb columns.
  Parametrisation parameters;
  std::vector<EquationRows> rows;
  AlignmentOptions alignment;  ///< What to do where channels were not sampled together.

  std::vector<Equation> equations() const;
  /// Channels that hold the measured left-hand sides, in the order of `rows`.
  std::vector<std::string_view> measured_channels() const;
  /// Of one sample, in the order of `rows`.
  int row_count() const;
};

}  // namespace idbench
