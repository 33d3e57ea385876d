#include "scenarios/motion/excitation/augmented_lagrangian.h"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

namespace idbench {
namespace {

/// What a round minimises, and the best that it saw.
struct Round {
  ConstrainedFunction& function;
  const Eigen::VectorXd& lambda;
  double penalty;
  Eigen::VectorXd g = {};
  double least = std::numeric_limits<double>::infinity();
  Eigen::VectorXd best = {};
  int evaluations = 0;

  double Evaluate(const Eigen::VectorXd& x, double* gradient) {
    ++evaluations;
    const double f = function.MoveTo(x, g);
    if (!std::isfinite(f)) {
      // Nobody knows where it comes down: the line search takes a shorter step.
      if (gradient != nullptr) std::fill_n(gradient, x.size(), 0.0);
      return std::numeric_limits<double>::max();
    }
    const Eigen::VectorXd weights = (lambda + penalty * g).cwiseMax(0.0);
    const double value = f + (weights.squaredNorm() - lambda.squaredNorm()) / (2.0 * penalty);
    if (value < least) {
      least = value;
      best = x;
    }
    if (gradient != nullptr) {
      Eigen::Map<Eigen::VectorXd>(gradient, x.size()) = function.Gradient(weights);
    }
    return value;
  }
};

double EvaluateRound(unsigned size, const double* x, double* gradient, void* round) {
  return static_cast<Round*>(round)->Evaluate(Eigen::Map<const Eigen::VectorXd>(x, size), gradient);
}

using Optimiser = std::unique_ptr<std::remove_pointer_t<nlopt_opt>, decltype(&nlopt_destroy)>;

}  // namespace

LagrangianSolution Minimise(ConstrainedFunction& function, Eigen::VectorXd x,
                            const LagrangianOptions& options) {
  Eigen::VectorXd lambda = Eigen::VectorXd::Zero(function.constraints());
  double penalty = options.penalty;
  LagrangianSolution solution;
  for (int k = 0; k < options.rounds; ++k) {
    Round round{function, lambda, penalty};
    const Optimiser optimiser(nlopt_create(NLOPT_LD_LBFGS, static_cast<unsigned>(x.size())),
                              &nlopt_destroy);
    nlopt_set_min_objective(optimiser.get(), &EvaluateRound, &round);
    nlopt_set_maxeval(optimiser.get(), options.evaluations);
    nlopt_set_vector_storage(optimiser.get(), static_cast<unsigned>(options.memory));
    double least = 0.0;
    // Its verdict does not count: the best point that it saw does, also where round-off ends it.
    Eigen::VectorXd moved = x;
    nlopt_optimize(optimiser.get(), moved.data(), &least);
    solution.evaluations += round.evaluations;
    if (round.best.size() == 0) {
      throw std::invalid_argument("Minimise: the function is not finite where it starts");
    }
    x = std::move(round.best);
    solution.f = function.MoveTo(x, round.g);
    solution.worst = round.g.size() > 0 ? round.g.maxCoeff() : 0.0;
    lambda = (lambda + penalty * round.g).cwiseMax(0.0);
    penalty *= options.growth;
  }
  solution.x = std::move(x);
  return solution;
}

}  // namespace idbench
