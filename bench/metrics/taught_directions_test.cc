#include "bench/metrics/taught_directions.h"

#include <doctest/doctest.h>

#include <Eigen/LU>

namespace idbench {
namespace {

TEST_CASE(
    "A direction counts where one sigma of the bound moves the prediction by less than a tenth") {
  // Of two unknowns in units of their own, σ moves the prediction by 0.09 and 0.11 of its norm.
  const Eigen::Vector2d unit(1e3, 1e-4), sigma(0.09, 0.11);
  const Eigen::Matrix2d G = unit.cwiseAbs2().cwiseInverse().asDiagonal();
  const Eigen::Matrix2d J = sigma.cwiseProduct(unit).cwiseAbs2().cwiseInverse().asDiagonal();
  const Eigen::MatrixXd V = TaughtDirections(J, G, 1.0);
  REQUIRE(V.cols() == 1);
  CHECK(V(0, 0) * V(0, 0) == doctest::Approx(1e6));
  CHECK(V(1, 0) == doctest::Approx(0.0));
  CHECK(TaughtDirections(J, G, 2.0).cols() == 2);
  CHECK(TaughtDirections(J, G, 0.5).cols() == 0);
}

TEST_CASE("Directions are those of the problem, in whatever coordinates") {
  const Eigen::Matrix3d any{{1.0, 0.3, -0.2}, {0.1, 2.0, 0.4}, {-0.5, 0.2, 1.5}};
  Eigen::Matrix3d G = any * any.transpose();
  const Eigen::Matrix3d J = 50.0 * any.transpose() * any;
  const Eigen::Matrix3d change{
      {1e3, 0.0, 2.0}, {0.5, 1e-2, 0.0}, {0.0, 3.0, 7.0}};  // x = change·x'
  for (const double norm : {0.5, 1.0, 2.0, 4.0}) {
    CAPTURE(norm);
    const Eigen::MatrixXd V = TaughtDirections(J, G, norm);
    const Eigen::MatrixXd changed =
        TaughtDirections(change.transpose() * J * change, change.transpose() * G * change, norm);
    REQUIRE(V.cols() == changed.cols());
    CHECK((V.transpose() * G * V - Eigen::MatrixXd::Identity(V.cols(), V.cols())).norm() < 1e-9);
    // Both span one space.
    const Eigen::MatrixXd back = change * changed;
    CHECK((back - V * (V.transpose() * G * back)).norm() <= 1e-6 * back.norm());
  }
}

TEST_CASE("What the states do not see is none") {
  const Eigen::Vector3d seen(1.0, 1.0, 0.0);
  const Eigen::Matrix3d G = seen.asDiagonal();
  CHECK(TaughtDirections(1e6 * Eigen::Matrix3d::Identity(), G, 1.0).cols() == 2);
  const Eigen::Matrix3d none = Eigen::Matrix3d::Zero();
  CHECK(TaughtDirections(Eigen::Matrix3d::Identity(), none, 1.0).cols() == 0);
}

}  // namespace
}  // namespace idbench
