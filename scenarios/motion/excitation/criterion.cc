#include "scenarios/motion/excitation/criterion.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

namespace idbench {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
/// Power of the singular values in place of the greatest and the least one.
constexpr double kPower = 8.0;

/// Returns D·M·D with ones on the diagonal. @param[out] d  the diagonal of D.
Eigen::MatrixXd WithUnitDiagonal(const Eigen::MatrixXd& M, Eigen::VectorXd& d) {
  d = M.diagonal().cwiseSqrt().cwiseInverse();
  return d.asDiagonal() * M * d.asDiagonal();
}

/// Returns true if the least of eigenvalues, increasing, is round-off of the greatest.
bool IsSingular(const Eigen::VectorXd& lambda) {
  const auto p = static_cast<double>(lambda.size());
  return !(lambda[0] > p * std::numeric_limits<double>::epsilon() * lambda[lambda.size() - 1]);
}

double Condition(const Eigen::MatrixXd& M) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(M, Eigen::EigenvaluesOnly);
  const Eigen::VectorXd& lambda = solver.eigenvalues();
  return IsSingular(lambda) ? kInfinite : std::sqrt(lambda[lambda.size() - 1] / lambda[0]);
}

/// ln of the smooth condition number.
SmoothCriterion SmoothLogCondition(const Eigen::MatrixXd& M) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(M);
  const Eigen::VectorXd& lambda = solver.eigenvalues();
  const Eigen::Index p = lambda.size();
  if (IsSingular(lambda)) return {kInfinite, {}};
  // σ^k = λ^(k/2), by their greatest, so that no power overflows.
  const Eigen::ArrayXd up = (lambda.array() / lambda[p - 1]).pow(0.5 * kPower);
  const Eigen::ArrayXd down = (lambda[0] / lambda.array()).pow(0.5 * kPower);
  const double of_up = up.sum(), of_down = down.sum();
  const double value =
      0.5 * std::log(lambda[p - 1] / lambda[0]) + (std::log(of_up) + std::log(of_down)) / kPower;
  const Eigen::VectorXd by_lambda = 0.5 * (up / of_up - down / of_down) / lambda.array();
  const Eigen::MatrixXd& V = solver.eigenvectors();
  return {value, V * by_lambda.asDiagonal() * V.transpose()};
}

SmoothCriterion SmoothScaledCondition(const Eigen::MatrixXd& M) {
  Eigen::VectorXd d;
  const Eigen::MatrixXd scaled = WithUnitDiagonal(M, d);
  if (!d.allFinite()) return {kInfinite, {}};
  SmoothCriterion result = SmoothLogCondition(scaled);
  if (!std::isfinite(result.value)) return result;
  const Eigen::VectorXd sums = result.by_M.cwiseProduct(scaled).rowwise().sum();
  result.by_M = d.asDiagonal() * result.by_M * d.asDiagonal();
  result.by_M.diagonal() -= sums.cwiseProduct(d.cwiseAbs2());
  return result;
}

}  // namespace

double CriterionOf(ExcitationCriterion criterion, const Eigen::MatrixXd& M) {
  switch (criterion) {
    case ExcitationCriterion::kLogDet: {
      const Eigen::LLT<Eigen::MatrixXd> llt(M);
      if (llt.info() != Eigen::Success) return kInfinite;
      return -2.0 * Eigen::MatrixXd(llt.matrixL()).diagonal().array().log().sum();
    }
    case ExcitationCriterion::kHadamard:
      return -M.diagonal().array().log().sum();
    case ExcitationCriterion::kCondition:
      return Condition(M);
    case ExcitationCriterion::kLogCondition:
      return std::log(Condition(M));
    case ExcitationCriterion::kScaledCondition: {
      Eigen::VectorXd d;
      const Eigen::MatrixXd scaled = WithUnitDiagonal(M, d);
      return d.allFinite() ? Condition(scaled) : kInfinite;
    }
  }
  return kInfinite;
}

SmoothCriterion SmoothCriterionOf(ExcitationCriterion criterion, const Eigen::MatrixXd& M) {
  switch (criterion) {
    case ExcitationCriterion::kLogDet: {
      const Eigen::LLT<Eigen::MatrixXd> llt(M);
      if (llt.info() != Eigen::Success) return {kInfinite, {}};
      return {-2.0 * Eigen::MatrixXd(llt.matrixL()).diagonal().array().log().sum(),
              -llt.solve(Eigen::MatrixXd::Identity(M.rows(), M.cols()))};
    }
    case ExcitationCriterion::kHadamard: {
      const double value = CriterionOf(criterion, M);
      if (!std::isfinite(value)) return {kInfinite, {}};
      return {value, -Eigen::MatrixXd(M.diagonal().cwiseInverse().asDiagonal())};
    }
    case ExcitationCriterion::kCondition:
    case ExcitationCriterion::kLogCondition:
      return SmoothLogCondition(M);
    case ExcitationCriterion::kScaledCondition:
      return SmoothScaledCondition(M);
  }
  return {kInfinite, {}};
}

}  // namespace idbench
