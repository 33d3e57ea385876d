#include "scenarios/motion/excitation/excitation_objective.h"

#include <cmath>
#include <utility>

namespace idbench {

ExcitationObjective::ExcitationObjective(const Dynamics& dynamics, const RowRegressor& rows,
                                         ExcitationCriterion criterion, double weight,
                                         const MotionConstraints& constraints, SampledBasis basis)
    : rows_(rows),
      criterion_(criterion),
      weight_(weight),
      constraints_(constraints),
      basis_(std::move(basis)),
      scratch_(dynamics) {}

double ExcitationObjective::MoveTo(const Eigen::VectorXd& x, Eigen::VectorXd& g) {
  const Eigen::Index m = basis_.B.cols();
  const Eigen::Map<const Eigen::MatrixXd> c(x.data(), m, x.size() / m);
  q_.noalias() = basis_.B * c;
  qd_.noalias() = basis_.Bd * c;
  qdd_.noalias() = basis_.Bdd * c;
  constraints_.Values(states(), scratch_, g_);
  g = g_.reshaped();
  rows_.Dense(states(), scratch_, W_);
  SmoothCriterion smooth = SmoothCriterionOf(criterion_, InformationOf(rows_, W_));
  by_M_ = std::move(smooth.by_M);
  return weight_ * smooth.value;
}

Eigen::VectorXd ExcitationObjective::Gradient(const Eigen::VectorXd& weights) {
  // ∂M/∂W: d(WᵀW) = dWᵀ·W + Wᵀ·dW, so that ∂J/∂W = 2·W·∂J/∂M.
  std::vector<Eigen::MatrixXd> G(W_.size());
  for (std::size_t r = 0; r < W_.size(); ++r) {
    const std::vector<int>& columns = rows_.ColumnsOf(static_cast<int>(r));
    G[r].noalias() = W_[r] * (2.0 * weight_ * by_M_(columns, columns));
  }
  StateGradient by_states;
  rows_.Gradient(states(), G, scratch_, by_states);
  constraints_.AddGradient(states(), weights.reshaped(q_.rows(), constraints_.size()), scratch_,
                           by_states);
  Eigen::MatrixXd by_c(basis_.B.cols(), q_.cols());
  by_c.noalias() = basis_.B.transpose() * by_states.q;
  by_c.noalias() += basis_.Bd.transpose() * by_states.qd;
  by_c.noalias() += basis_.Bdd.transpose() * by_states.qdd;
  return by_c.reshaped();
}

}  // namespace idbench
