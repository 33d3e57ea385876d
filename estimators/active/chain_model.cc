#include "estimators/active/chain_model.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "robots/plant/plant_error.h"
#include "robots/recording/channels.h"

namespace idbench {

ChainModel::ChainModel(const PlanarLagrangian& lagrangian, const Eigen::VectorXd& unknowns,
                       double step_s)
    : lagrangian_(lagrangian),
      beta_(unknowns.head(lagrangian.size())),
      lean_(unknowns.tail(unknowns.size() - lagrangian.size())),
      fv_(Eigen::VectorXd::Zero(lagrangian.dofs())),
      fc_(fv_),
      step_s_(step_s),
      width_(std::max(lagrangian.friction().coulomb_width_rad_s, kLeastWidth)),
      by_q_(lagrangian.dofs(), lagrangian.dofs()),
      by_qd_(by_q_),
      Z_(lagrangian.dofs(), lagrangian.size()),
      D_(by_q_),
      H_(D_),
      llt_(lagrangian.dofs()),
      qdd_(lagrangian.dofs()),
      free_(qdd_),
      v_(qdd_),
      next_(qdd_),
      rest_(qdd_),
      step_(qdd_),
      part_(qdd_),
      before_q_(qdd_),
      before_qd_(qdd_) {
  Eigen::Index k = lagrangian.FirstJointTerm();
  for (const auto& [kind, joint] : lagrangian.joint_terms()) {
    if (kind == JointParameter::kViscous) std::swap(fv_[joint], beta_[k]);
    if (kind == JointParameter::kCoulomb) std::swap(fc_[joint], beta_[k]);
    ++k;
  }
  fv_ *= step_s;
  fc_ *= step_s;
  rubs_ = !(fv_.isZero(0.0) && fc_.isZero(0.0));
}

bool ChainModel::Step(const Eigen::VectorXd& tau, Eigen::VectorXd& q, Eigen::VectorXd& qd) {
  acting_ = tau;
  if (lean_.size() > 0) {
    theta_ = lagrangian_.theta0();
    theta_.noalias() += lagrangian_.S() * q;
    acting_.noalias() -=
        lagrangian_.S().transpose() * (lean_.array() * theta_.array().cos()).matrix();
  }
  if (!lagrangian_.ForwardDynamics(beta_, q, qd, acting_, qdd_)) return false;
  free_ = qd + step_s_ * qdd_;
  v_ = free_;
  if (rubs_) {
    lagrangian_.MassMatrix(beta_, q, D_);
    if (!Rub()) return false;
  }
  qd = v_;
  q += step_s_ * qd;
  return true;
}

bool ChainModel::Step(const Eigen::VectorXd& tau, Eigen::VectorXd& q, Eigen::VectorXd& qd,
                      Sensitivity& by) {
  before_q_ = q;
  before_qd_ = qd;
  if (!Step(tau, q, qd)) return false;
  qdd_ = (qd - before_qd_) / step_s_;
  lagrangian_.TorqueDerivatives(beta_, before_q_, before_qd_, qdd_, by_q_, by_qd_);
  lagrangian_.Rows(before_q_, before_qd_, qdd_, Z_);
  lagrangian_.MassMatrix(beta_, before_q_, D_);
  Eigen::Index k = lagrangian_.FirstJointTerm();
  for (const auto& [kind, joint] : lagrangian_.joint_terms()) {
    if (kind == JointParameter::kViscous) Z_(joint, k) = qd[joint];
    if (kind == JointParameter::kCoulomb) Z_(joint, k) = std::tanh(qd[joint] / width_);
    ++k;
  }
  right_.noalias() = (D_ - step_s_ * by_qd_) * by.qd;
  right_.noalias() -= step_s_ * (by_q_ * by.q);
  right_.leftCols(Z_.cols()) -= step_s_ * Z_;
  if (lean_.size() > 0) {
    // theta_ is that before the step.
    const Eigen::MatrixXd& S = lagrangian_.S();
    right_.middleCols(Z_.cols(), lean_.size()) -=
        step_s_ * S.transpose() * theta_.array().cos().matrix().asDiagonal();
    right_.noalias() += step_s_ * S.transpose() *
                        (lean_.array() * theta_.array().sin()).matrix().asDiagonal() * (S * by.q);
  }
  AddFrictionSlopes(qd);
  llt_.compute(H_);
  if (llt_.info() != Eigen::Success) return false;
  llt_.solveInPlace(right_);
  by.qd = right_;
  by.q += step_s_ * by.qd;
  return true;
}

void ChainModel::AddFrictionSlopes(const Eigen::VectorXd& v) {
  H_ = D_;
  for (Eigen::Index j = 0; j < v.size(); ++j) {
    const double t = std::tanh(v[j] / width_);
    H_(j, j) += fv_[j] + fc_[j] / width_ * (1.0 - t * t);
  }
}

void ChainModel::Unbalance(const Eigen::VectorXd& v) {
  part_ = v - free_;
  rest_ = D_.lazyProduct(part_);
  for (Eigen::Index j = 0; j < v.size(); ++j) {
    rest_[j] += fv_[j] * v[j] + fc_[j] * std::tanh(v[j] / width_);
  }
}

bool ChainModel::Rub() {
  constexpr int kMostIterations = 100;
  constexpr int kMostHalvings = 30;
  constexpr double kRounding = 4e-15;
  part_.noalias() = D_.lazyProduct(free_);
  const double enough = kRounding * kRounding * (part_.squaredNorm() + fc_.squaredNorm());
  Unbalance(v_);
  double square = rest_.squaredNorm();
  for (int iteration = 0; iteration < kMostIterations && square > enough; ++iteration) {
    AddFrictionSlopes(v_);
    llt_.compute(H_);
    if (llt_.info() != Eigen::Success) return false;
    step_ = rest_;
    llt_.solveInPlace(step_);
    // The step leads down the squares of what is out of balance, at least at first.
    double part = 1.0;
    int halvings = 0;
    for (; halvings < kMostHalvings; ++halvings, part *= 0.5) {
      next_ = v_ - part * step_;
      Unbalance(next_);
      if (rest_.squaredNorm() < square) break;
    }
    if (halvings == kMostHalvings) break;  // rounding
    square = rest_.squaredNorm();
    v_ = next_;
  }
  return true;
}

ModelPlant::ModelPlant(const PlanarLagrangian& lagrangian, const Eigen::VectorXd& unknowns,
                       double period_s)
    : info_{.dofs = lagrangian.dofs(),
            .period_s = period_s,
            .modes = {CommandMode::kTorque},
            .channels = {std::string(kJointPosition)},
            .starts_moving = true,
            .torque_delay_periods = 0.0},
      model_(lagrangian, unknowns, period_s) {}

void ModelPlant::MoveTo(const ExperimentStart& start, Reading& reading) {
  q_ = start.q;
  qd_ = start.qd;
  exchanges_ = 0;
  Read(reading);
}

ExperimentState ModelPlant::Exchange(const Command& command, Reading& reading) {
  if (!model_.Step(command.value, q_, qd_)) {
    throw PlantError("the inertias of the model are not those of a robot");
  }
  ++exchanges_;
  Read(reading);
  return ExperimentState::kRunning;
}

void ModelPlant::Read(Reading& reading) const {
  reading.t = info_.period_s * static_cast<double>(exchanges_);
  ChannelReading& position = reading.At(kJointPosition);
  position.t = reading.t;
  position.value = q_;
}

}  // namespace idbench
