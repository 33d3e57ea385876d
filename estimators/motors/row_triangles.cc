#include "estimators/motors/row_triangles.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>

#include "estimators/solvers/least_squares.h"

namespace idbench {
namespace {

/// Samples that are triangularised at a time.
constexpr Eigen::Index kReducedAtOnce = 512;

Eigen::MatrixXd TriangleOf(const Eigen::MatrixXd& stacked) {
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(stacked);
  const Eigen::Index size = stacked.cols();
  return qr.matrixQR().topRows(size).triangularView<Eigen::Upper>();
}

}  // namespace

RowTriangles::RowTriangles(const RegressionRows& rows, int folds)
    : folds_(folds), unknowns_(rows.unknowns()) {
  std::vector<StreamingQr> reductions;
  for (int row = 0; row < rows.row_count(); ++row) {
    unknowns_in_.push_back(rows.UnknownsIn(row));
    for (int fold = 0; fold < folds; ++fold) {
      reductions.emplace_back(std::ssize(unknowns_in_.back()));
    }
  }
  const std::vector<Eigen::MatrixXd> known = rows.Residuals(Eigen::VectorXd::Zero(rows.unknowns()));
  for (const Eigen::MatrixXd& y : known) {
    if (y.rows() >= folds) continue;
    Refuse(fmt::format("{} samples are fewer than {} folds", y.rows(), folds));
  }
  rows.VisitColumns(kReducedAtOnce, [&](const RowColumns& columns) {
    const auto row = static_cast<std::size_t>(columns.row);
    const Eigen::MatrixXd& all = known[static_cast<std::size_t>(columns.dataset)];
    const Eigen::VectorXd y = OrZero(all.col(columns.row).segment(columns.first, columns.A.rows()));
    const Eigen::MatrixXd A = columns.A(Eigen::all, unknowns_in_[row]);
    const auto begin_of = [&](int fold) {
      return std::clamp(all.rows() * fold / folds - columns.first, Eigen::Index{0}, A.rows());
    };
    for (int fold = 0; fold < folds; ++fold) {
      const Eigen::Index begin = begin_of(fold), count = begin_of(fold + 1) - begin;
      if (count == 0) continue;
      reductions[row * static_cast<std::size_t>(folds) + static_cast<std::size_t>(fold)].Add(
          A.middleRows(begin, count), y.segment(begin, count));
    }
  });
  for (std::size_t k = 0; k < reductions.size(); ++k) {
    const auto per_row = static_cast<std::size_t>(folds);
    reduced_.push_back({k / per_row, static_cast<int>(k % per_row), reductions[k].triangle()});
  }
}

Eigen::MatrixXd RowTriangles::Triangle(const Eigen::Ref<const Eigen::VectorXd>& weights,
                                       int left_out) const {
  Eigen::Index height = 0;
  for (const Reduced& each : reduced_) {
    if (each.fold != left_out) height += each.triangle.rows();
  }
  Eigen::MatrixXd stacked = Eigen::MatrixXd::Zero(std::max(height, unknowns_ + 1), unknowns_ + 1);
  Eigen::Index at = 0;
  for (const Reduced& each : reduced_) {
    if (each.fold == left_out) continue;
    const double weight = weights[static_cast<Eigen::Index>(each.row)];
    const Eigen::Index size = each.triangle.rows();
    const std::vector<int>& in = unknowns_in_[each.row];
    for (Eigen::Index k = 0; k + 1 < size; ++k) {
      stacked.col(in[static_cast<std::size_t>(k)]).segment(at, size) =
          weight * each.triangle.col(k);
    }
    stacked.col(unknowns_).segment(at, size) = weight * each.triangle.col(size - 1);
    at += size;
  }
  return TriangleOf(stacked);
}

Eigen::VectorXd RowTriangles::Squares(const Eigen::Ref<const Eigen::MatrixXd>& xs,
                                      const Eigen::Ref<const Eigen::VectorXd>& weights,
                                      int fold) const {
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(xs.cols());
  for (const Reduced& each : reduced_) {
    if (each.fold != fold) continue;
    const double weight = weights[static_cast<Eigen::Index>(each.row)];
    const Eigen::Index last = each.triangle.cols() - 1;
    const Eigen::MatrixXd left =
        each.triangle.leftCols(last) * xs(unknowns_in_[each.row], Eigen::all);
    squares += weight * weight *
               (left.colwise() - each.triangle.col(last)).colwise().squaredNorm().transpose();
  }
  return squares;
}

}  // namespace idbench
