#include "estimators/walkers/walker_regressor.h"

#include <cassert>
#include <cmath>

namespace idbench {

AbsoluteAngle AbsoluteAngle::Of(double q1, double rate, double acceleration) {
  return {std::sin(q1), std::cos(q1), rate, acceleration};
}

WalkerRegressor::WalkerRegressor(const PlanarLagrangian& model, const Eigen::MatrixXd& root,
                                 const Eigen::MatrixXd& q, const Eigen::MatrixXd& qd,
                                 const Eigen::MatrixXd& qdd)
    : model_(model),
      root_(root),
      links_(root * model.S().transpose()),
      sign_(model.S()(0, 0)),
      qd_(qd),
      qdd_(qdd) {
  // Joint 1 turns all links alike.
  assert((model.S().col(0).array() == sign_).all());
  const auto relative = model.S().rightCols(model.dofs() - 1);
  const auto of_links = [&](const Eigen::MatrixXd& joints) -> Eigen::MatrixXd {
    return relative * joints.bottomRows(model.dofs() - 1);
  };
  const Eigen::MatrixXd phi = of_links(q).colwise() + model.theta0();
  cos_phi_ = phi.array().cos();
  sin_phi_ = phi.array().sin();
  omega_ = of_links(qd);
  alpha_ = of_links(qdd);
  qd_.row(0).setZero();
  qdd_.row(0).setZero();
  const auto couplings = static_cast<Eigen::Index>(model.couplings().size());
  cos_delta_.resize(couplings, q.cols());
  sin_delta_.resize(couplings, q.cols());
  for (Eigen::Index c = 0; c < couplings; ++c) {
    const auto& [a, i] = model.couplings()[static_cast<std::size_t>(c)];
    cos_delta_.row(c) = (phi.row(i) - phi.row(a)).array().cos();
    sin_delta_.row(c) = (phi.row(i) - phi.row(a)).array().sin();
  }
}

void WalkerRegressor::Rows(Eigen::Index k, const AbsoluteAngle& angle,
                           Eigen::Ref<RowMajor> rows) const {
  assert(rows.rows() == root_.rows() && rows.cols() == unknowns());
  const auto omega = [&](int i) { return omega_(i, k) + sign_ * angle.rate; };
  const auto alpha = [&](int i) { return alpha_(i, k) + sign_ * angle.acceleration; };
  const int n = model_.dofs();
  for (int i = 0; i < n; ++i) rows.col(i) = alpha(i) * links_.col(i);
  int column = model_.FirstCoupling();
  for (Eigen::Index c = 0; c < cos_delta_.rows(); ++c) {
    const auto& [a, i] = model_.couplings()[static_cast<std::size_t>(c)];
    const double cosine = cos_delta_(c, k), sine = sin_delta_(c, k);
    rows.col(column++) = (cosine * alpha(i) - sine * omega(i) * omega(i)) * links_.col(a) +
                         (cosine * alpha(a) + sine * omega(a) * omega(a)) * links_.col(i);
  }
  for (int i = 0; i < n; ++i) {
    const double sin_theta = sign_ * angle.sine * cos_phi_(i, k) + angle.cosine * sin_phi_(i, k);
    rows.col(column++) = -sin_theta * links_.col(i);
  }
  for (const auto& [kind, j] : model_.joint_terms()) {
    const double rate = j == 0 ? angle.rate : qd_(j, k);
    const double acceleration = j == 0 ? angle.acceleration : qdd_(j, k);
    rows.col(column++) = JointColumn(kind, rate, acceleration, model_.friction()) * root_.col(j);
  }
}

void WalkerRegressor::Derivatives(Eigen::Index k, const AbsoluteAngle& angle,
                                  const Eigen::Ref<const Eigen::VectorXd>& beta,
                                  Eigen::Ref<Eigen::MatrixXd> derivatives) const {
  assert(derivatives.rows() == root_.rows() && derivatives.cols() == 4);
  const auto omega = [&](int i) { return omega_(i, k) + sign_ * angle.rate; };
  // Of the torques on the links' angles, each link's in its row.
  constexpr int kMost = PlanarLagrangian::kMaxDofs;
  Eigen::Matrix<double, Eigen::Dynamic, 4, 0, kMost, 4> on_links(model_.dofs(), 4);
  on_links.setZero();
  for (int i = 0; i < model_.dofs(); ++i) {
    const double G = beta(model_.FirstGravity() + i);
    on_links(i, 0) = -G * sign_ * cos_phi_(i, k);
    on_links(i, 1) = -G * sin_phi_(i, k);
    on_links(i, 3) = beta(i) * sign_;
  }
  int column = model_.FirstCoupling();
  for (Eigen::Index c = 0; c < cos_delta_.rows(); ++c) {
    const auto& [a, i] = model_.couplings()[static_cast<std::size_t>(c)];
    const double P = sign_ * beta(column++);
    const double twice = 2.0 * P * sin_delta_(c, k);
    on_links(i, 2) += twice * omega(a);
    on_links(a, 2) -= twice * omega(i);
    on_links(i, 3) += P * cos_delta_(c, k);
    on_links(a, 3) += P * cos_delta_(c, k);
  }
  derivatives = links_.lazyProduct(on_links);
  column = model_.FirstJointTerm();
  for (const auto& [kind, j] : model_.joint_terms()) {
    const double value = beta(column++);
    if (j != 0) continue;
    derivatives.col(2) += value * JointSlope(kind, angle.rate, model_.friction()) * root_.col(0);
    if (kind == JointParameter::kRotorInertia) derivatives.col(3) += value * root_.col(0);
  }
}

}  // namespace idbench
