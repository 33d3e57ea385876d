#include "estimators/sample_regression.h"

#include <cassert>

namespace idbench {

SampleRegression::SampleRegression(const Problem& problem)
    : dynamics_(problem.model, problem.friction),
      scratch_(dynamics_),
      H_(problem.row_count(), problem.parameters.size()),
      y0_(problem.row_count()),
      variance_(problem.row_count()) {
  assert(problem.parameters.affine() != nullptr);
  const AffineMap& map = *problem.parameters.affine();
  const std::vector<int> columns = UsedColumns(map);
  A_ = Eigen::MatrixXd(map.A(columns, Eigen::all)).sparseView();
  pi0_ = Eigen::VectorXd(map.pi0(columns)).sparseView();
  W_.resize(problem.row_count(), A_.rows());
  Eigen::Index row = 0;
  for (const EquationRows& rows : problem.rows) {
    rows_.emplace_back(dynamics_, std::vector{rows.equation}, columns);
    assert(rows.sigma.size() == rows_.back().row_count());
    variance_.segment(row, rows.sigma.size()) = rows.sigma.array().square();
    row += rows.sigma.size();
  }
}

void SampleRegression::Evaluate(const Sample& sample) {
  Eigen::Index row = 0;
  for (const RowRegressor& rows : rows_) {
    rows.Single(sample.q, sample.qd, sample.qdd, scratch_, W_.middleRows(row, rows.row_count()));
    row += rows.row_count();
  }
  H_.setZero();
  for (Eigen::Index k = 0; k < A_.outerSize(); ++k) {
    for (Eigen::SparseMatrix<double>::InnerIterator a(A_, k); a; ++a) {
      H_.col(k) += a.value() * W_.col(a.index());
    }
  }
  y0_.setZero();
  for (Eigen::SparseVector<double>::InnerIterator pi(pi0_); pi; ++pi) {
    y0_ += pi.value() * W_.col(pi.index());
  }
}

void SampleRegression::Residual(const Sample& sample, const Eigen::Ref<const Eigen::VectorXd>& x,
                                Eigen::VectorXd& residual) const {
  residual = sample.y - y0_;
  residual.noalias() -= H_ * x;
}

}  // namespace idbench
