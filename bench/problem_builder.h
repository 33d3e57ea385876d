#pragma once

#include <Eigen/Core>

#include "estimators/problem.h"
#include "robots/robot.h"
#include "scenarios/scenario.h"

namespace idbench {

/// The values of a set, scaled as asked: m ← mass_scale·m with the centre of mass where it is, and
/// I_com ← inertia_scale·I_com.
Eigen::VectorXd ScaledSet(const Robot& robot, const SetOptions& options);

/// Indices into π of what the scenario asks for.
std::vector<int> AskedParameters(const Robot& robot, const ProblemOptions& options);

/// What all estimators of a scenario get, without the declared σ of its rows. Nothing in it comes
/// from the truth.
///
/// @throws ConfigError (source: the scenario) where robot and problem do not fit, e.g. a rank that
/// is
///         not certain.
Problem BuildProblem(const Robot& robot, const ProblemOptions& options, const std::string& source);

}  // namespace idbench
