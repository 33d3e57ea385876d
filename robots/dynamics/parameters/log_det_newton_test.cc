#include "robots/dynamics/parameters/log_det_newton.h"

#include <doctest/doctest.h>

#include <cmath>

namespace idbench {
namespace {

/// One body that `M` moves, and no quadratic.
LogDetProblem OneBody(const Eigen::MatrixXd& M) {
  LogDetProblem problem;
  problem.M = M;
  problem.xi0 = Eigen::VectorXd::Zero(kInertialCount);
  problem.Q = Eigen::MatrixXd::Zero(M.cols(), M.cols());
  problem.r = Eigen::VectorXd::Zero(M.cols());
  return problem;
}

TEST_CASE("Coordinates of symmetric matrices keep their norm and lead back") {
  const Eigen::Matrix4d root = Eigen::Matrix4d::NullaryExpr([](Eigen::Index i, Eigen::Index j) {
    return std::sin(static_cast<double>(1 + 3 * i + 5 * j));
  });
  const Eigen::Matrix4d X = root + root.transpose();
  const InertialParameters xi = SymmetricCoordinates(X);
  CHECK(xi.norm() == doctest::Approx(X.norm()).epsilon(1e-15));
  CHECK((SymmetricMatrix(xi) - X).norm() < 1e-15 * X.norm());
  for (int k = 0; k < kInertialCount; ++k) {
    CHECK((SymmetricCoordinates(SymmetricBasis(k)) - InertialParameters::Unit(k)).norm() < 1e-15);
  }
}

TEST_CASE("The root of a quadratic is found for a variable that stays positive") {
  // ½ q v² − r v − μ ln v has its minimum where q v² − r v − μ = 0.
  LogDetProblem problem;
  problem.xi0.resize(0);
  problem.M.resize(0, 1);
  problem.positive = 1;
  problem.Q = Eigen::MatrixXd::Constant(1, 1, 3.0);
  problem.r = Eigen::VectorXd::Constant(1, -2.0);
  LogDetNewton newton(problem);
  for (const double mu : {10.0, 1.0, 1e-6}) {
    Eigen::VectorXd v = Eigen::VectorXd::Constant(1, 5.0);
    const NewtonResult result = newton.Minimise(mu, 1e-12, v);
    CHECK(result.converged);
    CHECK(v[0] == doctest::Approx((-2.0 + std::sqrt(4.0 + 12.0 * mu)) / 6.0).epsilon(1e-9));
  }
}

TEST_CASE("A body of which only the scale can change ends at the root of its cost") {
  // X = (1 + s)·1, tr X = 4 + 4 s: −r s − 4 μ ln(1 + s) has its minimum at 1 + s = −4 μ/r.
  LogDetProblem problem = OneBody(SymmetricCoordinates(Eigen::Matrix4d::Identity()));
  problem.r[0] = -1.0;
  LogDetNewton newton(problem);
  Eigen::VectorXd s = Eigen::VectorXd::Zero(1);
  CHECK(newton.Minimise(0.01, 1e-12, s).converged);
  CHECK(1.0 + s[0] == doctest::Approx(0.04).epsilon(1e-6));
}

TEST_CASE("The Hessian is that of the definition, of the columns that move the body") {
  // Two columns that move nothing stand around those that do.
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(kInertialCount, 6);
  for (Eigen::Index k = 0; k < kInertialCount; ++k) {
    for (Eigen::Index l = 1; l < 5; ++l) M(k, l) = std::sin(static_cast<double>(2 * k + 7 * l));
  }
  LogDetProblem problem = OneBody(M);
  problem.Q.diagonal() << 1.0, 2.0, 3.0, 4.0, 5.0, 6.0;
  LogDetNewton newton(problem);
  const Eigen::VectorXd v = (Eigen::VectorXd(6) << 9.0, 0.1, -0.05, 0.07, 0.02, 9.0).finished();
  const double mu = 0.7;
  REQUIRE(newton.Expand(mu, v));
  const Eigen::Matrix4d Y =
      (Eigen::Matrix4d::Identity() + SymmetricMatrix(InertialParameters(M * v))).inverse();
  Eigen::MatrixXd K(kInertialCount, kInertialCount);
  for (int k = 0; k < kInertialCount; ++k) {
    for (int l = 0; l < kInertialCount; ++l) {
      K(k, l) = (Y * SymmetricBasis(k) * Y * SymmetricBasis(l)).trace();
    }
  }
  const Eigen::MatrixXd expected = problem.Q + mu * M.transpose() * K * M;
  CHECK((newton.hessian().reconstructedMatrix() - expected).norm() < 1e-13 * expected.norm());
}

TEST_CASE("What moves without any effect is told") {
  LogDetNewton newton(OneBody(Eigen::MatrixXd::Zero(kInertialCount, 1)));
  Eigen::VectorXd v = Eigen::VectorXd::Zero(1);
  const NewtonResult result = newton.Minimise(1.0, 1e-10, v);
  CHECK(result.singular);
  CHECK_FALSE(result.converged);
}

}  // namespace
}  // namespace idbench
