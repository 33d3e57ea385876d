#include "estimators/sample_regression.h"

#include <cassert>

namespace idbench {

SampleRegression::SampleRegression(const Problem& problem)
    : dynamics_(problem.model, problem.friction),
      scratch_(dynamics_),
      equations_(problem.equations()),
      W_(Eigen::MatrixXd::Zero(problem.row_count(), problem.parameters.pi_size())),
      H_(problem.row_count(), problem.parameters.size()),
      y0_(problem.row_count()),
      variance_(problem.row_count()) {
  assert(problem.parameters.affine() != nullptr);
  A_ = problem.parameters.affine()->A.sparseView();
  pi0_ = problem.parameters.affine()->pi0.sparseView();
  Eigen::Index row = 0;
  for (const EquationRows& rows : problem.rows) {
    assert(rows.sigma.size() == RowsOf(rows.equation, dynamics_.dofs()));
    variance_.segment(row, rows.sigma.size()) = rows.sigma.array().square();
    row += rows.sigma.size();
  }
}

void SampleRegression::EvaluateTorques(const Sample& sample, Eigen::Index first_row) {
  const ParameterLayout& layout = dynamics_.layout();
  const Eigen::Index n = dynamics_.dofs();
  dynamics_.TorqueRegressor(sample.q, sample.qd, sample.qdd, scratch_,
                            W_.block(first_row, layout.Body(0), n, kInertialCount * n));
  for (int joint = 0; joint < dynamics_.dofs(); ++joint) {
    const auto column = [&](JointParameter parameter) -> double& {
      return W_(first_row + joint, layout.Joint(joint, parameter));
    };
    column(JointParameter::kViscous) = sample.qd[joint];
    column(JointParameter::kCoulomb) = dynamics_.friction().Coulomb(sample.qd[joint]);
    column(JointParameter::kOffset) = 1.0;
    column(JointParameter::kRotorInertia) = sample.qdd[joint];
  }
}

void SampleRegression::Evaluate(const Sample& sample) {
  Eigen::Index row = 0;
  for (const Equation equation : equations_) {
    if (equation == Equation::kTorque) {
      EvaluateTorques(sample, row);
    } else {
      dynamics_.WrenchRegressor(sample.q, sample.qd, sample.qdd, scratch_,
                                W_.block(row, 0, 6, kInertialCount * (dynamics_.dofs() + 1)));
    }
    row += RowsOf(equation, dynamics_.dofs());
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
