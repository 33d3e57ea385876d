#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "estimators/interface/problem.h"
#include "robots/robot.h"
#include "scenarios/scenario.h"

namespace idbench {

/// What estimators know of a robot before any data. Nothing in it comes from the truth, but a mean
/// that is drawn about it, see DrawPriorMean() and DrawUnknownFactors().
struct PriorKnowledge {
  Problem problem;
  Eigen::VectorXd prior_pi;  ///< Parameter set of its prior; empty without a prior.
};

/// Returns π of the prior of a trial: DrawPriorMean() where its mean is drawn about the truth, else
/// DrawPriorSet().
/// @param scenario  of the cell, with a prior.
/// @param true_pi   of the trial, for a mean that is drawn about it; else it is not read.
Eigen::VectorXd DrawPrior(const Robot& robot, const Scenario& scenario,
                          const Eigen::VectorXd* true_pi, std::uint64_t seed, std::int64_t trial);

/// Returns `problem` with the prior of a trial. Where an `unknown_error` draws its means about the
/// truth, `prior_pi` is what controllers know alone.
/// @param options  with a prior. @param prior_pi, true_pi  of DrawPrior().
Problem WithDrawnPrior(const Problem& problem, const Robot& robot, const ProblemOptions& options,
                       const Eigen::VectorXd& prior_pi, const Eigen::VectorXd* true_pi,
                       std::uint64_t seed, std::int64_t trial);

/// Returns what estimators know in a trial.
/// @param problem   of the scenario, without the errors of a prior.
/// @param scenario  of the cell.
/// @param true_pi   as of DrawPrior().
PriorKnowledge KnowledgeOf(const Problem& problem, const Robot& robot, const Scenario& scenario,
                           const Eigen::VectorXd* true_pi, std::uint64_t seed, std::int64_t trial);

}  // namespace idbench
