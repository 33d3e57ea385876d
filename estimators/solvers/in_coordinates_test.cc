#include "estimators/solvers/in_coordinates.h"

#include <doctest/doctest.h>

#include <cmath>

#include "estimators/synthetic_test.h"

namespace idbench {
namespace {

TEST_CASE("In other coordinates the same π stands behind x = origin + S·v") {
  const Synthetic robot = Declared("planar2");
  const Eigen::VectorXd origin = robot.x();
  // Fewer coordinates than unknowns.
  Eigen::MatrixXd S = Eigen::MatrixXd::Zero(origin.size(), 2);
  S(0, 0) = 2.0;
  S(1, 0) = -1.0;
  S(2, 1) = 0.5;
  const Problem other = InCoordinates(robot.problem, origin, S);
  const Parametrisation& parameters = other.parameters;
  const Eigen::Vector2d v(0.3, -0.7);
  const Eigen::VectorXd pi = robot.problem.parameters.Pi(origin + S * v);
  CHECK((parameters.Pi(v) - pi).norm() < 1e-15 * pi.norm());  // rounding of the products
  CHECK(parameters.names == std::vector<std::string>{"v1", "v2"});
  CHECK(parameters.type() == robot.problem.parameters.type());
  CHECK(other.rows.size() == robot.problem.rows.size());
  CHECK(other.rows[0].sigma == robot.problem.rows[0].sigma);
}

TEST_CASE("Other coordinates have no bounds and no prior") {
  const Synthetic robot = Declared("planar2");
  REQUIRE(robot.problem.parameters.prior);
  const Eigen::Index size = robot.x().size();
  const Problem other =
      InCoordinates(robot.problem, robot.x(), Eigen::MatrixXd::Identity(size, size));
  CHECK(!other.parameters.prior);
  CHECK(other.parameters.lower.array().isInf().all());
  CHECK(other.parameters.upper.array().isInf().all());
}

TEST_CASE("A linearised problem has the tangent of π, and its own unknowns") {
  const Synthetic robot = Declared("planar2", "log_cholesky");
  const Eigen::VectorXd x = robot.x();
  const Problem linear = LinearisedAt(robot.problem, x);
  REQUIRE(linear.parameters.affine() != nullptr);
  const Eigen::VectorXd pi = robot.problem.parameters.Pi(x);
  CHECK((linear.parameters.Pi(x) - pi).norm() < 1e-13 * pi.norm());
  // The remainder is of second order.
  const Eigen::VectorXd step = 1e-4 * Eigen::VectorXd::Ones(x.size());
  const Eigen::VectorXd apart =
      linear.parameters.Pi(x + step) - robot.problem.parameters.Pi(x + step);
  CHECK(apart.norm() > 0.0);
  CHECK(apart.norm() < 1e-6 * pi.norm());
  CHECK(linear.parameters.names == robot.problem.parameters.names);
}

}  // namespace
}  // namespace idbench
