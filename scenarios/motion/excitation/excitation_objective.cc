#include "scenarios/motion/excitation/excitation_objective.h"

#include <utility>

namespace idbench {

ExcitationObjective::ExcitationObjective(const Dynamics& dynamics, const RowRegressor& rows,
                                         WeighedRows criterion, double weight,
                                         const MotionConstraints& constraints, SampledBasis basis)
    : rows_(rows),
      criterion_(std::move(criterion)),
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
  return weight_ * criterion_.MoveTo(samples());
}

Eigen::VectorXd ExcitationObjective::Gradient(const Eigen::VectorXd& weights) {
  StateGradient by_states;
  criterion_.Gradient(samples(), weight_, scratch_, by_states);
  constraints_.AddGradient(states(), weights.reshaped(q_.rows(), constraints_.size()), scratch_,
                           by_states);
  Eigen::MatrixXd by_c(basis_.B.cols(), q_.cols());
  by_c.noalias() = basis_.B.transpose() * by_states.q;
  by_c.noalias() += basis_.Bd.transpose() * by_states.qd;
  by_c.noalias() += basis_.Bdd.transpose() * by_states.qdd;
  return by_c.reshaped();
}

}  // namespace idbench
