#include "estimators/motors/row_triangles.h"

#include <doctest/doctest.h>

#include "estimators/interface/estimate.h"
#include "estimators/motors/driven_arm_test.h"

namespace idbench {
namespace {

const DrivenArm::Noise kSomeNoise{.pwm_pct = 0.05, .force_n = 0.15, .moment_nm = 0.005};

/// Σ w_j²·e² of samples from `begin` on, before `end`, of each dataset.
double SquaresOf(const RegressionRows& rows, const Eigen::VectorXd& x,
                 const Eigen::VectorXd& weights, double begin, double end) {
  double squares = 0.0;
  for (const Eigen::MatrixXd& e : rows.Residuals(x)) {
    const auto first = static_cast<Eigen::Index>(begin * static_cast<double>(e.rows()));
    const auto last = static_cast<Eigen::Index>(end * static_cast<double>(e.rows()));
    squares += (e.middleRows(first, last - first) * weights.asDiagonal()).squaredNorm();
  }
  return squares;
}

TEST_CASE("Triangles hold the weighted sums of squares of all folds, of one, and of the others") {
  const DrivenArm arm;
  // 330 and 110 samples: blocks end within folds, and folds within blocks.
  const std::vector<Dataset> datasets = {arm.Record("a", 11.0, kSomeNoise),
                                         arm.Record("b", 1.1, kSomeNoise)};
  const RegressionRows rows(arm.problem, datasets);
  const RowTriangles triangles(rows, 2);
  const Eigen::VectorXd weights = Eigen::VectorXd::LinSpaced(rows.row_count(), 0.5, 2.0);
  Eigen::MatrixXd xs(rows.unknowns(), 2);
  xs << arm.x(), 1.1 * arm.x() + Eigen::VectorXd::Constant(rows.unknowns(), 0.01);
  for (Eigen::Index k = 0; k < xs.cols(); ++k) {
    Eigen::VectorXd extended(rows.unknowns() + 1);
    extended << xs.col(k), -1.0;
    const double whole = SquaresOf(rows, xs.col(k), weights, 0.0, 1.0);
    const double second = SquaresOf(rows, xs.col(k), weights, 0.5, 1.0);
    const auto near = [](double value) { return doctest::Approx(value).epsilon(1e-10); };
    CHECK((triangles.Triangle(weights) * extended).squaredNorm() == near(whole));
    CHECK((triangles.Triangle(weights, 1) * extended).squaredNorm() == near(whole - second));
    CHECK(triangles.Squares(xs, weights, 1)[k] == near(second));
  }
}

TEST_CASE("Fewer samples than folds are refused") {
  const DrivenArm arm;
  const std::vector<Dataset> datasets = {arm.Record("a", 0.12, {})};
  const RegressionRows rows(arm.problem, datasets);
  CHECK_THROWS_WITH_AS(RowTriangles(rows, 13), "12 samples are fewer than 13 folds",
                       EstimationFailure);
}

}  // namespace
}  // namespace idbench
