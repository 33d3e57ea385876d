#include "estimators/solvers/banded_arrow.h"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <cmath>

namespace idbench {
namespace {

/// Numbers in [−1, 1] without a pattern: rows and columns of full rank.
Eigen::MatrixXd FullRankNumbers(Eigen::Index rows, Eigen::Index cols, double seed) {
  return Eigen::MatrixXd::NullaryExpr(rows, cols, [seed](Eigen::Index i, Eigen::Index j) {
    return std::sin((seed + 1.7 * static_cast<double>(i)) * (2.3 + 3.1 * static_cast<double>(j)));
  });
}

/// 20 unknowns z, 3 unknowns β; residuals in pairs over windows of 5 z, and one for each z alone.
struct ArrowExample {
  static constexpr Eigen::Index kSize = 20, kBorder = 3, kWindow = 5;
  BandedArrow arrow{kSize, kWindow - 1, kBorder};
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(kSize + 2 * (kSize - kWindow + 1), kSize + kBorder);
  Eigen::VectorXd e = FullRankNumbers(J.rows(), 1, 0.7);

  ArrowExample() {
    Fill();
    const Eigen::MatrixXd Z = J.rightCols(kBorder);
    arrow.Reset(Z.transpose() * Z, Z.transpose() * e);
    Fill();
  }

  void Fill() {
    Eigen::Index row = 0;
    for (Eigen::Index k = 0; k < kSize; ++k, ++row) {
      J(row, k) = 0.1;
      arrow.Add(k, J.row(row).segment(k, 1), e[row]);
    }
    for (Eigen::Index k = 0; k + kWindow <= kSize; ++k, row += 2) {
      J.block(row, k, 2, kWindow) = FullRankNumbers(2, kWindow, 1.0 + static_cast<double>(k));
      J.block(row, kSize, 2, kBorder) = FullRankNumbers(2, kBorder, 2.0 + static_cast<double>(k));
      arrow.Add(k, J.block(row, k, 2, kWindow), J.block(row, kSize, 2, kBorder), e.segment(row, 2));
    }
  }

  Eigen::MatrixXd Damped(double lambda) const {
    Eigen::MatrixXd M = J.transpose() * J;
    M.diagonal().head(kSize) *= 1.0 + lambda;
    return M;
  }
};

TEST_CASE("A step is that of the dense normal equations, damped or not") {
  ArrowExample example;
  for (const double lambda : {0.0, 0.3, 1e4}) {
    CAPTURE(lambda);
    REQUIRE(example.arrow.Factor(lambda));
    Eigen::VectorXd dz, dbeta, step(23);
    const double promised = example.arrow.Solve(dz, dbeta);
    step << dz, dbeta;
    const Eigen::VectorXd expected =
        example.Damped(lambda).ldlt().solve(example.J.transpose() * example.e);
    CHECK((step - expected).norm() < 1e-11 * expected.norm());  // condition below 1e4
    const double gain = example.e.squaredNorm() - (example.e - example.J * step).squaredNorm();
    CHECK(promised == doctest::Approx(gain).epsilon(1e-10));
  }
}

TEST_CASE("The border's columns of the inverse are those of the dense inverse") {
  ArrowExample example;
  REQUIRE(example.arrow.Factor(0.0));
  BandedArrow::Rows of_z;
  Eigen::MatrixXd of_beta;
  example.arrow.InverseBorder(of_z, of_beta);
  const Eigen::MatrixXd columns =
      example.Damped(0.0).ldlt().solve(Eigen::MatrixXd::Identity(23, 23)).rightCols(3);
  CHECK((of_z - columns.topRows(20)).norm() < 1e-11 * columns.norm());
  CHECK((of_beta - columns.bottomRows(3)).norm() < 1e-11 * columns.norm());
}

TEST_CASE("A reset leaves nothing of what was added, and without beta in it there is no factor") {
  ArrowExample example;
  example.arrow.Reset(Eigen::Matrix3d::Zero(), Eigen::Vector3d::Zero());
  CHECK(!example.arrow.Factor(0.0));
  for (Eigen::Index k = 0; k < 20; ++k) example.arrow.Add(k, Eigen::RowVectorXd::Ones(1), 0.5);
  CHECK(!example.arrow.Factor(0.0));
  example.arrow.Reset(Eigen::Matrix3d::Identity(), Eigen::Vector3d::Zero());
  for (Eigen::Index k = 0; k < 20; ++k) example.arrow.Add(k, Eigen::RowVectorXd::Ones(1), 0.5);
  REQUIRE(example.arrow.Factor(0.0));
  Eigen::VectorXd dz, dbeta;
  example.arrow.Solve(dz, dbeta);
  CHECK(dz == Eigen::VectorXd::Constant(20, 0.5));
  CHECK(dbeta == Eigen::Vector3d::Zero());
}

TEST_CASE("A z or a beta that shows nowhere leaves no factor") {
  BandedArrow arrow(3, 1, 1);
  arrow.Reset(Eigen::MatrixXd::Ones(1, 1), Eigen::VectorXd::Ones(1));
  const Eigen::MatrixXd J = Eigen::MatrixXd::Ones(1, 2), Z = Eigen::MatrixXd::Ones(1, 1);
  arrow.Add(0, J, Z, Eigen::VectorXd::Ones(1));
  CHECK(!arrow.Factor(1.0));  // the third z
}

}  // namespace
}  // namespace idbench
