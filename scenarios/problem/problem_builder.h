#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "estimators/interface/problem.h"
#include "robots/robot.h"
#include "scenarios/problem/problem_options.h"

namespace idbench {

/// Builds what all estimators of a scenario get, without the declared σ of its rows and without the
/// drawn errors of its prior. Nothing in it comes from the truth.
///
/// @param source  name of the scenario in messages.
/// @throws ConfigError if robot and problem do not fit, e.g. if a rank is not certain.
Problem BuildProblem(const Robot& robot, const ProblemOptions& options, const std::string& source);

/// Returns `problem` with the prior of a trial: its mean, its covariance, bounds that are factors
/// of it, and known centres of mass. Names of the unknowns and known principal axes stay.
/// @param robot, options  as for `problem`; the options must have a prior.
/// @param prior_pi        DrawPriorSet() of the trial.
/// @param factors         of the means of the unknowns; empty: 1.
Problem WithPrior(const Problem& problem, const Robot& robot, const ProblemOptions& options,
                  const Eigen::VectorXd& prior_pi, const Eigen::VectorXd& factors = {});

}  // namespace idbench
