#include "estimators/solvers/sample_regression.h"

#include <cassert>

namespace idbench {

SampleRegression::Configured::Configured(const Problem& problem, int configuration,
                                         const std::vector<int>& columns)
    : dynamics(problem.model, problem.friction, configuration), scratch(dynamics) {
  Eigen::Index row = 0;
  for (const EquationRows& each : problem.rows) {
    if (InfoOf(each.equation).rows != RowsFrom::kStateRows) {
      rows.emplace_back(row, RowRegressor(dynamics, {each.placed()}, columns));
    }
    row += each.count(problem.model);
  }
}

SampleRegression::SampleRegression(const Problem& problem)
    : parameters_(problem.parameters),
      at_(parameters_.MakeLinearisation()),
      column_of_(static_cast<std::size_t>(parameters_.pi_size()), -1),
      H_(problem.row_count(), parameters_.size()),
      y0_(problem.row_count()),
      variance_(problem.row_count()),
      mask_(problem.model, problem.rows) {
  const std::vector<int> columns = parameters_.UsedPi();
  for (std::size_t k = 0; k < columns.size(); ++k) {
    column_of_[static_cast<std::size_t>(columns[k])] = static_cast<Eigen::Index>(k);
  }
  W_.resize(problem.row_count(), static_cast<Eigen::Index>(columns.size()));
  W_.setZero();
  read_state_ = Eigen::MatrixXd::Zero(H_.rows(), H_.cols());
  for (std::size_t k = 0; k < problem.model.configurations().size(); ++k) {
    configured_.push_back(std::make_unique<Configured>(problem, static_cast<int>(k), columns));
  }
  Eigen::Index row = 0;
  for (const EquationRows& rows : problem.rows) {
    const int n = problem.model.dofs();
    const EquationInfo& info = InfoOf(rows.equation);
    if (info.rows == RowsFrom::kStateRows) {
      assert(parameters_.size() == 2 * n);
      const int first = info.reads_velocity ? n : 0;
      Eigen::Index own = row;
      for (const int joint : ChosenRows(rows.placed(), n)) read_state_(own++, first + joint) = 1.0;
    }
    assert(rows.sigma.size() == rows.count(problem.model));
    variance_.segment(row, rows.sigma.size()) = rows.sigma.array().square();
    row += rows.sigma.size();
  }
}

void SampleRegression::Evaluate(const Sample& sample) {
  Configured& configured = *configured_[static_cast<std::size_t>(sample.configuration)];
  for (const auto& [first, rows] : configured.rows) {
    rows.Single(sample.q, sample.qd, sample.qdd, configured.scratch,
                W_.middleRows(first, rows.row_count()), sample.inputs);
  }
  if (parameters_.affine() != nullptr) Multiply();
}

void SampleRegression::Linearise(const Eigen::Ref<const Eigen::VectorXd>& x) {
  if (parameters_.affine() != nullptr) return;
  parameters_.Linearise(x, at_);
  Multiply();
  y0_.noalias() -= H_ * x;
}

void SampleRegression::Multiply() {
  const auto column = [this](Eigen::Index pi) {
    return W_.col(column_of_[static_cast<std::size_t>(pi)]);
  };
  H_ = read_state_;
  for (Eigen::Index k = 0; k < at_.J.outerSize(); ++k) {
    for (Eigen::SparseMatrix<double>::InnerIterator a(at_.J, k); a; ++a) {
      // A mapped body stores zeros too.
      if (a.value() != 0.0) H_.col(k) += a.value() * column(a.index());
    }
  }
  y0_.setZero();
  for (Eigen::Index k = 0; k < at_.pi.size(); ++k) {
    if (at_.pi[k] != 0.0) y0_ += at_.pi[k] * column(k);
  }
}

void SampleRegression::Residual(const Sample& sample, const Eigen::Ref<const Eigen::VectorXd>& x,
                                Eigen::VectorXd& residual) const {
  residual = sample.y - y0_;
  residual.noalias() -= H_ * x;
  if (!mask_.empty()) mask_.Apply(sample.qd, residual);
}

}  // namespace idbench
