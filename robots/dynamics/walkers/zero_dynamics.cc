#include "robots/dynamics/walkers/zero_dynamics.h"

#include <Eigen/LU>
#include <cmath>
#include <stdexcept>
#include <string>

namespace idbench {
namespace {

constexpr double kLargestAngle = 1e3;  ///< Beyond it a simulation has run away [rad].

/// u = weights·τ, m × n: the inverse of B without the first joint.
Eigen::MatrixXd MotorWeights(const Actuation& actuation) {
  const Eigen::MatrixXd& B = actuation.B;
  if (!B.row(0).isZero(0.0)) {
    throw std::invalid_argument("ZeroDynamics: a motor drives the first joint");
  }
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(B.bottomRows(B.rows() - 1));
  if (B.cols() != B.rows() - 1 || !lu.isInvertible()) {
    throw std::invalid_argument("ZeroDynamics: the torques of " + std::to_string(B.rows() - 1) +
                                " joints do not tell those of " + std::to_string(B.cols()) +
                                " motors");
  }
  Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(B.cols(), B.rows());
  weights.rightCols(B.cols()) = lu.inverse();
  return weights;
}

void CheckMotion(const PlanarLagrangian& model, const Actuation& actuation,
                 const StateSamples& motion, double step_s) {
  const Eigen::Index n = model.dofs(), instants = motion.size();
  for (const auto* part : {&motion.q, &motion.qd, &motion.qdd}) {
    if (part->rows() == instants && part->cols() == n) continue;
    throw std::invalid_argument("ZeroDynamics: the motion is " + std::to_string(part->rows()) +
                                " × " + std::to_string(part->cols()) + ", expected " +
                                std::to_string(instants) + " × " + std::to_string(n));
  }
  if (instants < 3 || instants % 2 == 0) {
    throw std::invalid_argument(
        "ZeroDynamics: of N samples, N > 1, it needs 2N − 1 instants, got " +
        std::to_string(instants));
  }
  if (actuation.B.rows() != n) {
    throw std::invalid_argument("ZeroDynamics: the actuation is not that of the model");
  }
  if (!(step_s > 0.0)) throw std::invalid_argument("ZeroDynamics: the step must be positive");
}

}  // namespace

ZeroDynamics::ZeroDynamics(const PlanarLagrangian& model, const Actuation& actuation,
                           const StateSamples& motion, double step_s)
    : step_s_(step_s), shape_(model.friction()), first_gravity_(model.FirstGravity()) {
  CheckMotion(model, actuation, motion, step_s);
  const Eigen::MatrixXd weights = MotorWeights(actuation);
  Eigen::Index column = model.FirstJointTerm();
  for (const auto& [kind, joint] : model.joint_terms()) {
    if (joint == 0 && kind == JointParameter::kViscous) viscous_ = column;
    if (joint == 0 && kind == JointParameter::kCoulomb) coulomb_ = column;
    if (joint == 0 && kind == JointParameter::kOffset) offset_ = column;
    ++column;
  }
  FindMomentum(model, motion);
  Eigen::MatrixXd all(weights.rows() + 1, weights.cols());
  all << Eigen::RowVectorXd::Unit(weights.cols(), 0), weights;
  motor_rows_ = MakeRows(model, all, motion);
  first_row_ = std::move(motor_rows_.front());
  first_row_.has_coulomb = coulomb_ >= 0;
  motor_rows_.erase(motor_rows_.begin());
}

void ZeroDynamics::FindMomentum(const PlanarLagrangian& model, const StateSamples& motion) {
  const Eigen::Index n = model.dofs(), instants = motion.size();
  turn_ = model.S().col(0);
  a_.resize(model.size(), instants);
  b_.resize(model.size(), instants);
  sin_phi_.resize(n, instants);
  cos_phi_.resize(n, instants);
  Eigen::MatrixXd rows(n, model.size());
  Eigen::VectorXd q, qd;
  for (Eigen::Index i = 0; i < instants; ++i) {
    q = motion.q.row(i);
    q(0) = 0.0;
    model.MomentumRows(q, Eigen::VectorXd::Unit(n, 0), rows);
    a_.col(i) = rows.row(0);
    qd = motion.qd.row(i);
    qd(0) = 0.0;
    model.MomentumRows(q, qd, rows);
    b_.col(i) = rows.row(0);
    const Eigen::VectorXd phi = model.theta0() + model.S() * q;
    sin_phi_.col(i) = phi.array().sin();
    cos_phi_.col(i) = phi.array().cos();
  }
}

std::vector<ZeroDynamics::Row> ZeroDynamics::MakeRows(const PlanarLagrangian& model,
                                                      const Eigen::MatrixXd& weights,
                                                      const StateSamples& motion) const {
  const Eigen::Index n = model.dofs(), size = model.size();
  std::vector<Row> made(static_cast<std::size_t>(weights.rows()));
  for (Eigen::Index r = 0; r < weights.rows(); ++r) {
    Row& row = made[static_cast<std::size_t>(r)];
    for (auto* part : {&row.acceleration, &row.square, &row.rate, &row.rest}) {
      part->resize(size, samples());
    }
    row.on_links = model.S() * weights.row(r).transpose();
  }
  Eigen::VectorXd q, qd, qdd;
  const auto columns_at = [&](double qd1, double qdd1) -> Eigen::MatrixXd {
    qd(0) = qd1;
    qdd(0) = qdd1;
    Eigen::MatrixXd Z(n, size);
    model.Rows(q, qd, qdd, Z);
    Z.middleCols(first_gravity_, n).setZero();
    if (coulomb_ >= 0) Z.col(coulomb_).setZero();
    return (weights * Z).transpose();
  };
  for (Eigen::Index k = 0; k < samples(); ++k) {
    q = motion.q.row(2 * k);
    qd = motion.qd.row(2 * k);
    qdd = motion.qdd.row(2 * k);
    q(0) = 0.0;
    // A polynomial of degree 2 in q̇1 and 1 in q̈1.
    const Eigen::MatrixXd rest = columns_at(0.0, 0.0), accelerating = columns_at(0.0, 1.0),
                          forth = columns_at(1.0, 0.0), back = columns_at(-1.0, 0.0);
    for (Eigen::Index r = 0; r < weights.rows(); ++r) {
      Row& row = made[static_cast<std::size_t>(r)];
      row.acceleration.col(k) = accelerating.col(r) - rest.col(r);
      row.square.col(k) = 0.5 * (forth.col(r) + back.col(r)) - rest.col(r);
      row.rate.col(k) = 0.5 * (forth.col(r) - back.col(r));
      row.rest.col(k) = rest.col(r);
    }
  }
  return made;
}

void ZeroDynamics::Resize(bool sensitivities, Response& r) const {
  const Eigen::Index count = samples();
  for (auto* part : {&r.q1, &r.qd1, &r.qdd1}) part->resize(count);
  r.u.resize(count, motors());
  r.columns_.resize(a_.rows());
  if (!sensitivities) return;
  for (auto* part : {&r.q1_by, &r.qd1_by, &r.qdd1_by}) part->resize(unknowns(), count);
  r.u_by.resize(motor_rows_.size());
  for (Eigen::MatrixXd& part : r.u_by) part.resize(unknowns(), count);
}

bool ZeroDynamics::Simulate(const Eigen::Ref<const Eigen::VectorXd>& x, bool sensitivities,
                            Response& r) const {
  const Eigen::Index size = a_.rows(), n = turn_.size();
  const auto beta = x.head(size);
  const auto gravity = beta.segment(first_gravity_, n);
  r.inertia_.noalias() = a_.transpose() * beta;
  if (!(r.inertia_.minCoeff() > 0.0)) return false;
  r.drift_.noalias() = b_.transpose() * beta;
  r.sine_.noalias() = cos_phi_.transpose() * gravity;
  r.cosine_.noalias() = sin_phi_.transpose() * turn_.cwiseProduct(gravity);
  Resize(sensitivities, r);
  Response::State& state = r.state_;
  state.q1 = x(size);
  state.p1 = r.inertia_(0) * x(size + 1) + r.drift_(0);
  if (sensitivities) {
    state.q1_by.setZero(unknowns());
    state.q1_by(size) = 1.0;
    state.p1_by.setZero(unknowns());
    state.p1_by.head(size) = x(size + 1) * a_.col(0) + b_.col(0);
    state.p1_by(size + 1) = r.inertia_(0);
  }
  for (Eigen::Index k = 0; k < samples(); ++k) {
    if (!(std::abs(state.q1) < kLargestAngle)) return false;
    Derive(beta, 2 * k, sensitivities, state, r, r.slopes_[0]);
    r.q1(k) = state.q1;
    r.qd1(k) = r.slopes_[0].q1;
    if (sensitivities) {
      r.q1_by.col(k) = state.q1_by;
      r.qd1_by.col(k) = r.slopes_[0].q1_by;
    }
    Accelerate(beta, k, sensitivities, r);
    if (k + 1 < samples()) Step(beta, k, sensitivities, r);
  }
  return true;
}

ZeroDynamics::Friction ZeroDynamics::Coulomb(double qd) const {
  const double s = shape_.Coulomb(qd), width = shape_.coulomb_width_rad_s;
  return {s, width > 0.0 ? (1.0 - s * s) / width : 0.0};
}

void ZeroDynamics::Derive(const Vector& beta, Eigen::Index instant, bool sensitivities,
                          const Response::State& state, const Response& r,
                          Response::State& rate) const {
  const double qd1 = (state.p1 - r.drift_(instant)) / r.inertia_(instant);
  const double s = std::sin(state.q1), c = std::cos(state.q1);
  const double sine = r.sine_(instant), cosine = r.cosine_(instant);
  const Friction coulomb = coulomb_ >= 0 ? Coulomb(qd1) : Friction{0.0, 0.0};
  rate.q1 = qd1;
  rate.p1 = sine * s + cosine * c;
  double damping = 0.0;
  if (viscous_ >= 0) {
    rate.p1 -= beta(viscous_) * qd1;
    damping += beta(viscous_);
  }
  if (coulomb_ >= 0) {
    rate.p1 -= beta(coulomb_) * coulomb.value;
    damping += beta(coulomb_) * coulomb.slope;
  }
  if (offset_ >= 0) rate.p1 -= beta(offset_);
  if (!sensitivities) return;
  // q̇1 = (p1 − bᵀβ)/(aᵀβ)
  rate.q1_by = state.p1_by;
  rate.q1_by.head(a_.rows()) -= b_.col(instant) + qd1 * a_.col(instant);
  rate.q1_by /= r.inertia_(instant);
  rate.p1_by = (sine * c - cosine * s) * state.q1_by - damping * rate.q1_by;
  rate.p1_by.segment(first_gravity_, turn_.size()) +=
      s * cos_phi_.col(instant) + c * turn_.cwiseProduct(sin_phi_.col(instant));
  if (viscous_ >= 0) rate.p1_by(viscous_) -= qd1;
  if (coulomb_ >= 0) rate.p1_by(coulomb_) -= coulomb.value;
  if (offset_ >= 0) rate.p1_by(offset_) -= 1.0;
}

void ZeroDynamics::Step(const Vector& beta, Eigen::Index sample, bool sensitivities,
                        Response& r) const {
  const auto shift = [&](double by, const Response::State& slope) -> const Response::State& {
    r.shifted_.q1 = r.state_.q1 + by * slope.q1;
    r.shifted_.p1 = r.state_.p1 + by * slope.p1;
    if (sensitivities) {
      r.shifted_.q1_by = r.state_.q1_by + by * slope.q1_by;
      r.shifted_.p1_by = r.state_.p1_by + by * slope.p1_by;
    }
    return r.shifted_;
  };
  const double h = step_s_;
  const Eigen::Index instant = 2 * sample;
  auto& [k1, k2, k3, k4] = r.slopes_;
  Derive(beta, instant + 1, sensitivities, shift(0.5 * h, k1), r, k2);
  Derive(beta, instant + 1, sensitivities, shift(0.5 * h, k2), r, k3);
  Derive(beta, instant + 2, sensitivities, shift(h, k3), r, k4);
  r.state_.q1 += h / 6.0 * (k1.q1 + 2.0 * k2.q1 + 2.0 * k3.q1 + k4.q1);
  r.state_.p1 += h / 6.0 * (k1.p1 + 2.0 * k2.p1 + 2.0 * k3.p1 + k4.p1);
  if (!sensitivities) return;
  r.state_.q1_by += h / 6.0 * (k1.q1_by + 2.0 * k2.q1_by + 2.0 * k3.q1_by + k4.q1_by);
  r.state_.p1_by += h / 6.0 * (k1.p1_by + 2.0 * k2.p1_by + 2.0 * k3.p1_by + k4.p1_by);
}

void ZeroDynamics::Accelerate(const Vector& beta, Eigen::Index sample, bool sensitivities,
                              Response& r) const {
  const double inertia = r.inertia_(2 * sample), q1 = r.q1(sample), qd1 = r.qd1(sample);
  double& qdd1 = r.qdd1(sample);
  Columns(first_row_, sample, q1, qd1, 0.0, r.columns_);
  qdd1 = -r.columns_.dot(beta) / inertia;
  if (sensitivities) {
    r.columns_ += qdd1 * first_row_.acceleration.col(sample);
    TorqueBy(first_row_, beta, sample, r, r.qdd1_by.col(sample));
    r.qdd1_by.col(sample) /= -inertia;
  }
  for (std::size_t m = 0; m < motor_rows_.size(); ++m) {
    const Row& row = motor_rows_[m];
    Columns(row, sample, q1, qd1, qdd1, r.columns_);
    r.u(sample, static_cast<Eigen::Index>(m)) = r.columns_.dot(beta);
    if (!sensitivities) continue;
    TorqueBy(row, beta, sample, r, r.u_by[m].col(sample));
    r.u_by[m].col(sample) += row.acceleration.col(sample).dot(beta) * r.qdd1_by.col(sample);
  }
}

void ZeroDynamics::Columns(const Row& row, Eigen::Index sample, double q1, double qd1, double qdd1,
                           Eigen::Ref<Eigen::VectorXd> columns) const {
  const double s = std::sin(q1), c = std::cos(q1);
  columns = qdd1 * row.acceleration.col(sample) + qd1 * qd1 * row.square.col(sample) +
            qd1 * row.rate.col(sample) + row.rest.col(sample);
  for (Eigen::Index i = 0; i < turn_.size(); ++i) {
    columns(first_gravity_ + i) =
        -row.on_links(i) * (turn_(i) * s * cos_phi_(i, 2 * sample) + c * sin_phi_(i, 2 * sample));
  }
  if (row.has_coulomb) columns(coulomb_) = shape_.Coulomb(qd1);
}

Eigen::Vector2d ZeroDynamics::Derivatives(const Row& row, Eigen::Index sample, double q1,
                                          double qd1,
                                          const Eigen::Ref<const Eigen::VectorXd>& beta) const {
  const double s = std::sin(q1), c = std::cos(q1);
  double by_q1 = 0.0;
  for (Eigen::Index i = 0; i < turn_.size(); ++i) {
    by_q1 -= beta(first_gravity_ + i) * row.on_links(i) *
             (turn_(i) * c * cos_phi_(i, 2 * sample) - s * sin_phi_(i, 2 * sample));
  }
  double by_qd1 = 2.0 * qd1 * row.square.col(sample).dot(beta) + row.rate.col(sample).dot(beta);
  if (row.has_coulomb) by_qd1 += beta(coulomb_) * Coulomb(qd1).slope;
  return {by_q1, by_qd1};
}

void ZeroDynamics::TorqueBy(const Row& row, const Vector& beta, Eigen::Index sample,
                            const Response& r, Eigen::Ref<Eigen::VectorXd> by) const {
  const Eigen::Vector2d slopes = Derivatives(row, sample, r.q1(sample), r.qd1(sample), beta);
  by = slopes[0] * r.q1_by.col(sample) + slopes[1] * r.qd1_by.col(sample);
  by.head(beta.size()) += r.columns_;
}

}  // namespace idbench
