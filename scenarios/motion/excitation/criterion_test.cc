#include "scenarios/motion/excitation/criterion.h"

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <cmath>

namespace idbench {
namespace {

constexpr ExcitationCriterion kAll[] = {
    ExcitationCriterion::kLogDet, ExcitationCriterion::kHadamard, ExcitationCriterion::kCondition,
    ExcitationCriterion::kLogCondition, ExcitationCriterion::kScaledCondition};

/// Rows without any pattern, whose columns have sizes that differ by a factor of ten.
Eigen::MatrixXd Rows() {
  Eigen::MatrixXd W(40, 6);
  for (Eigen::Index k = 0; k < W.size(); ++k) {
    W.data()[k] = std::sin(0.7 + 1.3 * static_cast<double>(k) + 0.01 * static_cast<double>(k * k));
  }
  for (Eigen::Index c = 0; c < W.cols(); ++c)
    W.col(c) *= std::pow(10.0, 0.2 * static_cast<double>(c));
  return W;
}

double Condition(const Eigen::MatrixXd& W) {
  const Eigen::VectorXd sigma = Eigen::JacobiSVD<Eigen::MatrixXd>(W).singularValues();
  return sigma[0] / sigma[sigma.size() - 1];
}

TEST_CASE("Criteria are what their formulas say of the rows") {
  const Eigen::MatrixXd W = Rows();
  const Eigen::MatrixXd M = W.transpose() * W;
  CHECK(CriterionOf(ExcitationCriterion::kLogDet, M) ==
        doctest::Approx(-std::log(M.determinant())).epsilon(1e-12));
  double hadamard = 0.0;
  for (Eigen::Index c = 0; c < W.cols(); ++c) hadamard -= std::log(W.col(c).squaredNorm());
  CHECK(CriterionOf(ExcitationCriterion::kHadamard, M) == doctest::Approx(hadamard).epsilon(1e-13));
  CHECK(CriterionOf(ExcitationCriterion::kCondition, M) ==
        doctest::Approx(Condition(W)).epsilon(1e-9));
  CHECK(CriterionOf(ExcitationCriterion::kLogCondition, M) ==
        doctest::Approx(std::log(Condition(W))).epsilon(1e-9));
  CHECK(
      CriterionOf(ExcitationCriterion::kScaledCondition, M) ==
      doctest::Approx(Condition(W * W.colwise().norm().cwiseInverse().asDiagonal())).epsilon(1e-9));
}

TEST_CASE("A smooth condition number is between the exact one and a fourth root of columns more") {
  const Eigen::MatrixXd M = Rows().transpose() * Rows();
  for (const ExcitationCriterion criterion :
       {ExcitationCriterion::kCondition, ExcitationCriterion::kScaledCondition}) {
    const double exact = CriterionOf(criterion, M);
    const double smooth = std::exp(SmoothCriterionOf(criterion, M).value);
    CHECK(smooth >= exact);
    CHECK(smooth <= std::pow(6.0, 0.25) * exact);
  }
  for (const ExcitationCriterion criterion :
       {ExcitationCriterion::kLogDet, ExcitationCriterion::kHadamard}) {
    CHECK(SmoothCriterionOf(criterion, M).value == CriterionOf(criterion, M));
  }
}

TEST_CASE("Derivatives of criteria are those of differences") {
  const Eigen::MatrixXd M = Rows().transpose() * Rows();
  for (const ExcitationCriterion criterion : kAll) {
    const SmoothCriterion smooth = SmoothCriterionOf(criterion, M);
    CHECK(smooth.by_M.isApprox(smooth.by_M.transpose(), 1e-12));
    for (Eigen::Index i = 0; i < M.rows(); ++i) {
      for (Eigen::Index j = 0; j <= i; ++j) {
        const double step = 1e-5 * std::sqrt(M(i, i) * M(j, j));
        const auto at = [&](double by) {
          Eigen::MatrixXd moved = M;
          moved(i, j) += by;
          if (i != j) moved(j, i) += by;
          return SmoothCriterionOf(criterion, moved).value;
        };
        const double difference = (at(step) - at(-step)) / (2.0 * step);
        const double exact = (i == j ? 1.0 : 2.0) * smooth.by_M(i, j);
        CAPTURE(ToString(criterion));
        // Truncation, relative to the greatest derivative in these units.
        CHECK(std::abs(difference - exact) * std::sqrt(M(i, i) * M(j, j)) < 1e-7);
      }
    }
  }
}

TEST_CASE("Rows that cannot tell columns apart have infinite criteria") {
  Eigen::MatrixXd W = Rows();
  W.col(3).setZero();
  const Eigen::MatrixXd M = W.transpose() * W;
  for (const ExcitationCriterion criterion : kAll) {
    CAPTURE(ToString(criterion));
    CHECK(std::isinf(CriterionOf(criterion, M)));
    CHECK(std::isinf(SmoothCriterionOf(criterion, M).value));
  }
}

}  // namespace
}  // namespace idbench
