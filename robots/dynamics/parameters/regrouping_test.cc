#include "robots/dynamics/parameters/regrouping.h"

#include <doctest/doctest.h>

namespace idbench {
namespace {

TEST_CASE("Dependent columns are told by the earlier ones, and all by W = W_b K") {
  // Column 1 has no effect, 2 is 0.5 of 0, and 4 is 0 less 3.
  Eigen::MatrixXd W(4, 5);
  W << 1, 0, 0.5, 0, 1, /**/ 0, 0, 0, 1, -1, /**/ 2, 0, 1, 1, 1, /**/ 0, 0, 0, 2, -2;
  const Regrouping regrouping = RegroupColumns(W);
  CHECK(regrouping.independent == std::vector<Eigen::Index>{0, 3});
  Eigen::MatrixXd expected(2, 5);
  expected << 1, 0, 0.5, 0, 1, /**/ 0, 0, 0, 1, -1;
  CHECK(regrouping.K.isApprox(expected, 1e-14));  // a few roundings
  CHECK(regrouping.K.col(0) == Eigen::Vector2d(1, 0));
  CHECK(regrouping.K.col(3) == Eigen::Vector2d(0, 1));
  CHECK((W(Eigen::all, regrouping.independent) * regrouping.K - W).norm() < 1e-14 * W.norm());
}

TEST_CASE("A column that is left with less than 1e-7 of itself depends on the others") {
  const auto count = [](double rest) {
    Eigen::Matrix2d W;
    W << 1, 1, 0, rest;
    return RegroupColumns(W).independent.size();
  };
  CHECK(count(2e-7) == 2);
  CHECK(count(0.5e-7) == 1);
}

TEST_CASE("Of columns without any effect none is independent") {
  const Regrouping regrouping = RegroupColumns(Eigen::MatrixXd::Zero(3, 2));
  CHECK(regrouping.independent.empty());
  CHECK(regrouping.K.rows() == 0);
  CHECK(regrouping.K.cols() == 2);
}

}  // namespace
}  // namespace idbench
