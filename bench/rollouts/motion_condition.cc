#include "bench/rollouts/motion_condition.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <vector>

namespace idbench {
namespace {

constexpr Eigen::Index kMotionSamples = 256;

}  // namespace

double MotionCondition(const Dynamics& dynamics, const RowRegressor& rows, const Motion& motion) {
  if (rows.row_count() == 0 || rows.column_count() == 0) return 1.0;  // nothing to be seen
  const int n = dynamics.dofs();
  Eigen::MatrixXd q(kMotionSamples, n), qd(kMotionSamples, n), qdd(kMotionSamples, n);
  JointState state{Eigen::VectorXd(n), Eigen::VectorXd(n), Eigen::VectorXd(n)};
  for (Eigen::Index k = 0; k < kMotionSamples; ++k) {
    motion.Evaluate(motion.duration_s() * static_cast<double>(k) / kMotionSamples, state);
    q.row(k) = state.q;
    qd.row(k) = state.qd;
    qdd.row(k) = state.qdd;
  }
  Dynamics::Scratch scratch(dynamics);
  std::vector<Eigen::MatrixXd> grams;
  rows.Gram({q, qd, qdd}, Eigen::MatrixXd::Zero(kMotionSamples, rows.row_count()), scratch, grams);
  Eigen::MatrixXd N = Eigen::MatrixXd::Zero(rows.column_count(), rows.column_count());
  for (int r = 0; r < rows.row_count(); ++r) {
    const std::vector<int>& columns = rows.ColumnsOf(r);
    const auto c = static_cast<Eigen::Index>(columns.size());
    N(columns, columns) += grams[static_cast<std::size_t>(r)].topLeftCorner(c, c);
  }
  const Eigen::VectorXd scale = N.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(
          Eigen::MatrixXd(scale.asDiagonal() * N * scale.asDiagonal()), Eigen::EigenvaluesOnly)
          .eigenvalues();
  return std::sqrt(values[values.size() - 1] / std::max(values[0], 0.0));
}

}  // namespace idbench
