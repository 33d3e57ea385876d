#include "scenarios/motion/excitation/augmented_lagrangian.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace idbench {
namespace {

/// (x − 2)² + (y − 1)² on x² ≤ y, x + y ≤ 2: least at (1, 1), where both hold as equalities.
/// Source: Nocedal & Wright, Numerical Optimization, 2nd ed. 2006, equation (12.2).
class TwoConstraints : public ConstrainedFunction {
 public:
  Eigen::Index constraints() const override { return 2; }
  double MoveTo(const Eigen::VectorXd& x, Eigen::VectorXd& g) override {
    x_ = x;
    g = Eigen::Vector2d(x[0] * x[0] - x[1], x[0] + x[1] - 2.0);
    return (x[0] - 2.0) * (x[0] - 2.0) + (x[1] - 1.0) * (x[1] - 1.0);
  }
  Eigen::VectorXd Gradient(const Eigen::VectorXd& weights) override {
    Eigen::Vector2d by_x(2.0 * (x_[0] - 2.0), 2.0 * (x_[1] - 1.0));
    by_x += weights[0] * Eigen::Vector2d(2.0 * x_[0], -1.0);
    by_x += weights[1] * Eigen::Vector2d(1.0, 1.0);
    return by_x;
  }

 private:
  Eigen::VectorXd x_;
};

/// −ln(1 − |x|²) + a·x: defined inside a circle alone.
class InsideCircle : public ConstrainedFunction {
 public:
  Eigen::Index constraints() const override { return 0; }
  double MoveTo(const Eigen::VectorXd& x, Eigen::VectorXd& g) override {
    x_ = x;
    g.resize(0);
    const double left = 1.0 - x.squaredNorm();
    return left > 0.0 ? -std::log(left) + 40.0 * x[0] : std::numeric_limits<double>::infinity();
  }
  Eigen::VectorXd Gradient(const Eigen::VectorXd&) override {
    Eigen::VectorXd by_x = 2.0 * x_ / (1.0 - x_.squaredNorm());
    by_x[0] += 40.0;
    return by_x;
  }

 private:
  Eigen::VectorXd x_;
};

TEST_CASE("A minimum on two constraints is found from inside and from outside") {
  LagrangianOptions options;
  options.rounds = 6;
  options.evaluations = 40;
  for (const Eigen::Vector2d& start : {Eigen::Vector2d(0.0, 0.5), Eigen::Vector2d(3.0, -4.0)}) {
    TwoConstraints function;
    const LagrangianSolution solution = Minimise(function, start, options);
    // The multipliers 2/3 converge by a factor of ρ a round.
    CHECK((solution.x - Eigen::Vector2d(1.0, 1.0)).norm() < 1e-6);
    CHECK(solution.f == doctest::Approx(1.0).epsilon(1e-6));
    CHECK(std::abs(solution.worst) < 1e-6);
    CHECK(solution.evaluations <= 240);
  }
}

TEST_CASE("A step to where the function is not defined is taken back") {
  InsideCircle function;
  const LagrangianSolution solution = Minimise(function, Eigen::Vector2d(0.5, 0.5), {});
  // 2x/(1 − x²) = −40
  CHECK(solution.x[0] == doctest::Approx((1.0 - std::sqrt(1.0 + 1600.0)) / 40.0).epsilon(1e-6));
  CHECK(std::abs(solution.x[1]) < 1e-5);
}

TEST_CASE("The same input gives the same bits") {
  TwoConstraints one, other;
  CHECK(Minimise(one, Eigen::Vector2d(0.0, 0.5), {}).x ==
        Minimise(other, Eigen::Vector2d(0.0, 0.5), {}).x);
}

TEST_CASE("A start where the function is not defined is refused") {
  InsideCircle function;
  CHECK_THROWS_AS(Minimise(function, Eigen::Vector2d(2.0, 0.0), {}), std::invalid_argument);
}

}  // namespace
}  // namespace idbench
