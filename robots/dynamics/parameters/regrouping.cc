#include "robots/dynamics/parameters/regrouping.h"

#include <utility>

namespace idbench {
namespace {

/// Regrouping coefficients below this are round-off.
constexpr double kZeroCoefficient = 1e-9;

/// Orthonormal columns and the coordinates of every scaled column in them.
struct Selection {
  std::vector<Eigen::Index> independent;
  Eigen::MatrixXd coordinates;  ///< R of the QR decomposition without pivoting, rank × columns.
};

Selection SelectInOrder(const Eigen::MatrixXd& scaled) {
  Selection selection;
  Eigen::MatrixXd Q(scaled.rows(), scaled.cols());
  selection.coordinates = Eigen::MatrixXd::Zero(scaled.cols(), scaled.cols());
  for (Eigen::Index c = 0; c < scaled.cols(); ++c) {
    const auto rank = static_cast<Eigen::Index>(selection.independent.size());
    Eigen::VectorXd rest = scaled.col(c);
    for (int pass = 0; pass < 2; ++pass) {  // twice is enough (Kahan, Parlett)
      const Eigen::VectorXd along = Q.leftCols(rank).transpose() * rest;
      rest -= Q.leftCols(rank) * along;
      selection.coordinates.col(c).head(rank) += along;
    }
    const double norm = rest.norm();
    if (norm < kLeastIndependent) continue;
    Q.col(rank) = rest / norm;
    selection.coordinates(rank, c) = norm;
    selection.independent.push_back(c);
  }
  const auto rank = static_cast<Eigen::Index>(selection.independent.size());
  selection.coordinates.conservativeResize(rank, Eigen::NoChange);
  return selection;
}

}  // namespace

Regrouping RegroupColumns(const Eigen::MatrixXd& scaled) {
  Selection selection = SelectInOrder(scaled);
  const auto rank = static_cast<Eigen::Index>(selection.independent.size());
  Eigen::MatrixXd R_b(rank, rank);
  for (Eigen::Index i = 0; i < rank; ++i) {
    R_b.col(i) = selection.coordinates.col(selection.independent[static_cast<std::size_t>(i)]);
  }
  // W = Q·R, W_b = Q·R_b, thus K = R_b⁻¹ R.
  Eigen::MatrixXd K = R_b.triangularView<Eigen::Upper>().solve(selection.coordinates);
  K = (K.array().abs() < kZeroCoefficient).select(0.0, K);
  for (Eigen::Index i = 0; i < rank; ++i) {
    K.col(selection.independent[static_cast<std::size_t>(i)]) = Eigen::VectorXd::Unit(rank, i);
  }
  return {std::move(selection.independent), std::move(K)};
}

Eigen::MatrixXd IndependentColumns(const Eigen::MatrixXd& columns) {
  const Eigen::RowVectorXd norms = columns.colwise().norm();
  const Eigen::RowVectorXd inverse =
      norms.unaryExpr([](double norm) { return norm > 0.0 ? 1.0 / norm : 0.0; });
  return columns(Eigen::all, RegroupColumns(columns * inverse.asDiagonal()).independent);
}

}  // namespace idbench
