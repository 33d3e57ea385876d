#include "estimators/motors/partial_least_squares.h"

#include <doctest/doctest.h>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <vector>

#include "estimators/motors/driven_arm_test.h"
#include "estimators/motors/row_triangles.h"
#include "robots/random/random_stream.h"

namespace idbench {
namespace {

Eigen::MatrixXd Drawn(Eigen::Index rows, Eigen::Index columns, const std::string& name) {
  const RandomStream stream(3, 0, name);
  Eigen::MatrixXd drawn(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i) {
    for (Eigen::Index k = 0; k < columns; ++k) {
      drawn(i, k) = stream.Normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(k));
    }
  }
  return drawn;
}

/// SIMPLS of one response: weights from what is left of Xᵀy beside the loadings, which are kept
/// orthonormal. Source: de Jong, Chemometrics and Intelligent Laboratory Systems 18, 1993.
Eigen::MatrixXd Simpls(const Eigen::MatrixXd& X, const Eigen::VectorXd& y, Eigen::Index most) {
  Eigen::MatrixXd V(X.cols(), most), path(X.cols(), most);
  Eigen::VectorXd s = X.transpose() * y, b = Eigen::VectorXd::Zero(X.cols());
  Eigen::MatrixXd scores(X.rows(), most);
  for (Eigen::Index k = 0; k < most; ++k) {
    Eigen::VectorXd r = s;
    Eigen::VectorXd t = X * r;
    for (int again = 0; again < 2; ++again) {  // scores lose orthogonality to round-off
      for (Eigen::Index j = 0; j < k; ++j) {
        const double along = scores.col(j).dot(t);
        t -= along * scores.col(j);
        r -= along * path.col(j);  // holds the weights of unit scores until the end
      }
    }
    r /= t.norm();
    scores.col(k) = t.normalized();
    path.col(k) = r;
    Eigen::VectorXd v = X.transpose() * scores.col(k);
    for (int again = 0; again < 2; ++again) v -= V.leftCols(k) * (V.leftCols(k).transpose() * v);
    V.col(k) = v.normalized();
    for (int again = 0; again < 2; ++again) {
      s -= V.leftCols(k + 1) * (V.leftCols(k + 1).transpose() * s);
    }
  }
  for (Eigen::Index k = 0; k < most; ++k) {
    b += path.col(k) * scores.col(k).dot(y);
    path.col(k) = b;
  }
  return path;
}

/// Least squares within the Krylov space of XᵀX and Xᵀy, whose basis is orthonormal to round-off.
Eigen::MatrixXd KrylovLeastSquares(const Eigen::MatrixXd& X, const Eigen::VectorXd& y,
                                   Eigen::Index most) {
  Eigen::MatrixXd K(X.cols(), most), path(X.cols(), most);
  Eigen::VectorXd next = X.transpose() * y;
  for (Eigen::Index k = 0; k < most; ++k) {
    for (int again = 0; again < 3; ++again) {
      next -= K.leftCols(k) * (K.leftCols(k).transpose() * next);
    }
    K.col(k) = next.normalized();
    const Eigen::MatrixXd within = X * K.leftCols(k + 1);
    path.col(k) = K.leftCols(k + 1) * Eigen::HouseholderQR<Eigen::MatrixXd>(within).solve(y);
    next = X.transpose() * (X * K.col(k));
  }
  return path;
}

double RelativeDifference(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return (a - b).norm() / b.norm();
}

TEST_CASE("One latent variable is the gradient with the best step") {
  const Eigen::MatrixXd X = Drawn(30, 4, "X");
  const Eigen::VectorXd y = Drawn(30, 1, "y");
  const Eigen::VectorXd w = X.transpose() * y;
  const Eigen::VectorXd expected = w * (w.squaredNorm() / (X * w).squaredNorm());
  CHECK(RelativeDifference(PartialLeastSquares(X, y, 1).b.col(0), expected) < 1e-14);
}

TEST_CASE("As many latent variables as unknowns are least squares, and no more are found") {
  const Eigen::MatrixXd X = Drawn(40, 6, "X");
  const Eigen::VectorXd y = Drawn(40, 1, "y");
  const LatentPath path = PartialLeastSquares(X, y, 50);
  REQUIRE(path.size() == 6);
  CHECK(RelativeDifference(path.b.col(5), X.colPivHouseholderQr().solve(y)) < 1e-12);
}

TEST_CASE("Without full rank the path ends at the least-squares solution of least norm") {
  const Eigen::MatrixXd X = Drawn(60, 7, "X") * Drawn(7, 12, "mix");
  const Eigen::VectorXd y = Drawn(60, 1, "y");
  const LatentPath path = PartialLeastSquares(X, y, 12);
  REQUIRE(path.size() == 7);
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(X, Eigen::ComputeThinU | Eigen::ComputeThinV);
  Eigen::VectorXd inverse = Eigen::VectorXd::Zero(12);
  inverse.head(7) = svd.singularValues().head(7).cwiseInverse();
  const Eigen::VectorXd least =
      svd.matrixV() * (inverse.asDiagonal() * (svd.matrixU().transpose() * y));
  CHECK(RelativeDifference(path.b.col(6), least) < 1e-11);
}

TEST_CASE("Nothing on the right-hand side gives no latent variable") {
  CHECK(PartialLeastSquares(Drawn(20, 3, "X"), Eigen::VectorXd::Zero(20), 3).size() == 0);
}

TEST_CASE("Rows that are turned give the same path") {
  const Eigen::MatrixXd X = Drawn(50, 8, "X");
  const Eigen::VectorXd y = Drawn(50, 1, "y");
  Eigen::MatrixXd both(50, 9);
  both << X, y;
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(both);
  const Eigen::MatrixXd triangle = qr.matrixQR().topRows(9).triangularView<Eigen::Upper>();
  const LatentPath path = PartialLeastSquares(X, y, 8);
  const LatentPath turned = PartialLeastSquares(triangle.leftCols(8), triangle.col(8), 8);
  REQUIRE(turned.size() == path.size());
  for (Eigen::Index k = 0; k < path.size(); ++k) {
    CHECK(RelativeDifference(turned.b.col(k), path.b.col(k)) < 1e-11);
  }
}

TEST_CASE("NIPALS, SIMPLS and least squares in Krylov spaces agree on the driven arm") {
  const DrivenArm arm;
  const std::vector<Dataset> datasets = {
      arm.Record("a", 20.0, {.pwm_pct = 0.05, .force_n = 0.15, .moment_nm = 0.005})};
  const RegressionRows rows(arm.problem, datasets);
  const Eigen::MatrixXd triangle =
      RowTriangles(rows, 1).Triangle(Eigen::VectorXd::Ones(rows.row_count()));
  const Eigen::Index p = rows.unknowns();
  Eigen::MatrixXd X = triangle.leftCols(p);
  const Eigen::VectorXd norms = X.colwise().norm();
  const double least = 1e-12 * norms.maxCoeff();
  for (Eigen::Index k = 0; k < p; ++k) {
    if (norms[k] > least) X.col(k) /= norms[k];
  }
  const Eigen::VectorXd y = triangle.col(p);
  const LatentPath path = PartialLeastSquares(X, y, 80);
  REQUIRE(path.size() >= 72);
  const Eigen::MatrixXd simpls = Simpls(X, y, path.size());
  const Eigen::MatrixXd krylov = KrylovLeastSquares(X, y, path.size());
  for (Eigen::Index k = 0; k < path.size(); ++k) {
    CAPTURE(k + 1);
    // What the deflation loses grows with the condition of what the latent variables span.
    const double tolerance = k < 60 ? 1e-9 : 1e-8;
    CHECK(RelativeDifference(simpls.col(k), path.b.col(k)) < tolerance);
    CHECK(RelativeDifference(krylov.col(k), path.b.col(k)) < tolerance);
  }
}

}  // namespace
}  // namespace idbench
