#include "bench/cell/prior_knowledge.h"

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

PriorKnowledge KnowledgeOf(const Problem& problem, const Robot& robot, const Scenario& scenario,
                           const Eigen::VectorXd* true_pi, std::uint64_t seed, std::int64_t trial) {
  if (!scenario.problem.prior) return {problem, {}};
  Eigen::VectorXd pi = DrawPrior(robot, scenario, true_pi, seed, trial);
  Problem drawn = WithPrior(problem, robot, scenario.problem, pi);
  return {std::move(drawn), std::move(pi)};
}

}  // namespace idbench
