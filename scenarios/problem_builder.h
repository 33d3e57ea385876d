#pragma once

#include <Eigen/Core>

#include "estimators/problem.h"
#include "robots/robot.h"
#include "scenarios/scenario.h"

namespace idbench {

/// Indices into π of what the scenario asks for.
std::vector<int> AskedParameters(const Robot& robot, const ProblemOptions& options);

/// What all estimators of a scenario get, without the declared σ of its rows and without the errors
/// that its prior draws. Nothing in it comes from the truth.
///
/// @throws ConfigError (source: the scenario) where robot and problem do not fit, e.g. a rank that
/// is
///         not certain.
Problem BuildProblem(const Robot& robot, const ProblemOptions& options, const std::string& source);

/// `problem`, of the same robot and options, with the prior of a trial: its mean, its covariance,
/// bounds that are factors of it, and known centres of mass. Names of the unknowns and known
/// principal axes stay.
/// @param prior_pi  DrawPriorSet() of the trial. @pre the options have a prior.
Problem WithPrior(const Problem& problem, const Robot& robot, const ProblemOptions& options,
                  const Eigen::VectorXd& prior_pi);

}  // namespace idbench
