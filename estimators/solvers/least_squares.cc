#include "estimators/solvers/least_squares.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace idbench {
namespace {

/// Squared norms; those that are round-off become 0.
Eigen::VectorXd WithoutRoundOff(const Eigen::VectorXd& squared_norms) {
  const double least = kZeroColumn * kZeroColumn * squared_norms.maxCoeff();
  return squared_norms.unaryExpr([least](double norm) { return norm > least ? norm : 0.0; });
}

/// 1/norm, and 0 for a column that counts as zero.
Eigen::VectorXd Scale(const Eigen::VectorXd& squared_norms) {
  return squared_norms.unaryExpr(
      [](double norm) { return norm > 0.0 ? 1.0 / std::sqrt(norm) : 0.0; });
}

}  // namespace

NormalEquations NormalEquations::Zero(Eigen::Index unknowns) {
  return {Eigen::MatrixXd::Zero(unknowns, unknowns), Eigen::VectorXd::Zero(unknowns)};
}

Eigen::VectorXd SquaredColumnNorms(const Eigen::MatrixXd& AtA) {
  return WithoutRoundOff(AtA.diagonal());
}

std::string DescribeUndetermined(const LeastSquaresSolution& solution,
                                 const std::vector<std::string>& names) {
  std::vector<std::string> involved;
  for (std::size_t k = 0; k < names.size(); ++k) {
    constexpr double kTakesPart = 1e-6;  // directions are known to about round-off/kRankTolerance
    if (solution.undetermined[static_cast<Eigen::Index>(k)] > kTakesPart) {
      involved.push_back(names[k]);
    }
  }
  constexpr std::size_t kShown = 8;
  const std::size_t more = involved.size() - std::min(involved.size(), kShown);
  involved.resize(involved.size() - more);
  return fmt::format(
      "the data determine {} of {} directions; not determined, alone or among each other: {}{}",
      solution.rank, names.size(), fmt::join(involved, ", "),
      more > 0 ? fmt::format(" and {} more", more) : "");
}

std::optional<LeastSquaresSolution> SolveNormalEquations(const NormalEquations& sums) {
  const Eigen::Index p = sums.Aty.size();
  const Eigen::VectorXd scale = Scale(SquaredColumnNorms(sums.AtA));
  const Eigen::MatrixXd scaled = scale.asDiagonal() * sums.AtA * scale.asDiagonal();
  const Eigen::VectorXd squared_values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(scaled, Eigen::EigenvaluesOnly).eigenvalues();
  const double largest = squared_values[p - 1];
  const double least = squared_values[0];
  if (!(least * kNormalEquationsLimit * kNormalEquationsLimit > largest)) return std::nullopt;
  const Eigen::LLT<Eigen::MatrixXd> cholesky(scaled);
  LeastSquaresSolution solution;
  solution.rank = p;
  solution.undetermined = Eigen::VectorXd::Zero(p);
  solution.condition = std::sqrt(largest / least);
  solution.x = scale.asDiagonal() * cholesky.solve(scale.asDiagonal() * sums.Aty);
  solution.inverse =
      scale.asDiagonal() * cholesky.solve(Eigen::MatrixXd::Identity(p, p)) * scale.asDiagonal();
  return solution;
}

StreamingQr::StreamingQr(Eigen::Index unknowns)
    : triangle_(Eigen::MatrixXd::Zero(unknowns + 1, unknowns + 1)) {}

void StreamingQr::Add(const Eigen::Ref<const Eigen::MatrixXd>& A,
                      const Eigen::Ref<const Eigen::VectorXd>& y) {
  const Eigen::Index size = triangle_.rows();
  assert(A.cols() == size - 1 && A.rows() == y.size());
  Eigen::MatrixXd stacked(size + A.rows(), size);
  stacked.topRows(size) = triangle_;
  stacked.bottomLeftCorner(A.rows(), size - 1) = A;
  stacked.col(size - 1).tail(A.rows()) = y;
  const Eigen::HouseholderQR<Eigen::Ref<Eigen::MatrixXd>> qr(stacked);  // in place
  triangle_ = stacked.topRows(size).triangularView<Eigen::Upper>();
}

LeastSquaresSolution StreamingQr::Solve() const {
  const Eigen::Index p = triangle_.rows() - 1;
  const Eigen::VectorXd squared_norms = triangle_.leftCols(p).colwise().squaredNorm().transpose();
  const Eigen::VectorXd scale = Scale(WithoutRoundOff(squared_norms));
  const Eigen::MatrixXd scaled = triangle_.topLeftCorner(p, p) * scale.asDiagonal();
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(scaled, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Eigen::VectorXd& values = svd.singularValues();
  LeastSquaresSolution solution;
  solution.by_qr = true;
  solution.condition =
      values[p - 1] > 0.0 ? values[0] / values[p - 1] : std::numeric_limits<double>::infinity();
  while (solution.rank < p && values[solution.rank] > kRankTolerance * values[0]) ++solution.rank;
  solution.undetermined = svd.matrixV().rightCols(p - solution.rank).rowwise().norm();
  if (!solution.determined()) return solution;
  solution.x = scale.asDiagonal() * svd.solve(triangle_.col(p).head(p));
  const Eigen::MatrixXd root =
      scale.asDiagonal() * svd.matrixV() * values.cwiseInverse().asDiagonal();
  solution.inverse = root * root.transpose();
  return solution;
}

}  // namespace idbench
