#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "scenarios/options/fields.h"

namespace idbench {

/// Rounds of an augmented Lagrangian.
struct LagrangianOptions {
  int rounds = 4;
  int evaluations = 110;  ///< Of a round, at most.
  double penalty = 10.0;  ///< ρ of the first round.
  double growth = 3.0;    ///< Factor on ρ from round to round.
  int memory = 20;        ///< Pairs that L-BFGS keeps.

  bool operator==(const LagrangianOptions&) const = default;
};
FieldTable Visit(LagrangianOptions& options);

/// A function to be minimised, and m constraints that may not be above 0.
class ConstrainedFunction {
 public:
  virtual ~ConstrainedFunction() = default;
  virtual Eigen::Index constraints() const = 0;
  /// Moves to x and returns f(x); not finite where f is not defined. @param[out] g  constraints().
  virtual double MoveTo(const Eigen::VectorXd& x, Eigen::VectorXd& g) = 0;
  /// Returns ∂/∂x of f + Σ weights·g where it is.
  virtual Eigen::VectorXd Gradient(const Eigen::VectorXd& weights) = 0;
};

/// What a minimisation found.
struct LagrangianSolution {
  Eigen::VectorXd x;
  double f = 0.0;
  double worst = 0.0;  ///< Greatest constraint; met if it is at most 0.
  int evaluations = 0;
};

/// Minimises f(x) subject to g(x) ≤ 0 from x on. Each round minimises
///
///   f(x) + Σ (max(0, λ + ρ·g)² − λ²)/(2ρ)
///
/// with L-BFGS (NLopt), and then sets λ to max(0, λ + ρ·g). The same input gives the same bits.
/// Source: Nocedal & Wright, Numerical Optimization, 2nd ed. 2006, section 17.4.
/// @throws std::invalid_argument if f is not finite at x.
LagrangianSolution Minimise(ConstrainedFunction& function, Eigen::VectorXd x,
                            const LagrangianOptions& options);

}  // namespace idbench
