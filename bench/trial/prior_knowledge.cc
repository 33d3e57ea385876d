#include "bench/trial/prior_knowledge.h"

#include <utility>

#include "scenarios/problem/drawn_mean.h"
#include "scenarios/problem/drawn_set.h"
#include "scenarios/problem/problem_builder.h"

namespace idbench {

Eigen::VectorXd DrawPrior(const Robot& robot, const Scenario& scenario,
                          const Eigen::VectorXd* true_pi, std::uint64_t seed, std::int64_t trial) {
  return scenario.problem.prior->mean_error
             ? DrawPriorMean(robot, scenario.problem, *true_pi, seed, trial)
             : DrawPriorSet(robot, *scenario.problem.prior, seed, trial);
}

Problem WithDrawnPrior(const Problem& problem, const Robot& robot, const ProblemOptions& options,
                       const Eigen::VectorXd& prior_pi, const Eigen::VectorXd* true_pi,
                       std::uint64_t seed, std::int64_t trial) {
  if (!options.prior->unknown_error) return WithPrior(problem, robot, options, prior_pi);
  return WithPrior(problem, robot, options, *true_pi,
                   DrawUnknownFactors(*options.prior, problem.parameters.names, seed, trial));
}

PriorKnowledge KnowledgeOf(const Problem& problem, const Robot& robot, const Scenario& scenario,
                           const Eigen::VectorXd* true_pi, std::uint64_t seed, std::int64_t trial) {
  if (!scenario.problem.prior) return {problem, {}};
  Eigen::VectorXd pi = DrawPrior(robot, scenario, true_pi, seed, trial);
  Problem drawn = WithDrawnPrior(problem, robot, scenario.problem, pi, true_pi, seed, trial);
  return {std::move(drawn), std::move(pi)};
}

}  // namespace idbench
