#include "bench/metrics/motion_variation.h"

#include <Eigen/Cholesky>

namespace idbench {
namespace {

/// A state of the motion, and its acceleration.
struct Instant {
  Eigen::VectorXd q, qd, qdd;
};

Instant AtSample(const Signals& motion, Eigen::Index k) {
  return {motion[kJointPosition].row(k), motion[kJointVelocity].row(k),
          motion[kJointAcceleration].row(k)};
}

/// Halfway between two samples, h apart, on the polynomial of degree 5 through both.
Instant Halfway(const Instant& a, const Instant& b, double h) {
  return {0.5 * (a.q + b.q) + 5.0 / 32.0 * h * (a.qd - b.qd) + h * h / 64.0 * (a.qdd + b.qdd),
          15.0 / (8.0 * h) * (b.q - a.q) - 7.0 / 16.0 * (a.qd + b.qd) + h / 32.0 * (b.qdd - a.qdd),
          1.5 / h * (b.qd - a.qd) - 0.25 * (a.qdd + b.qdd)};
}

/// The linearised equations of motion at instants of the motion.
class Variation {
 public:
  Variation(const PlanarLagrangian& lagrangian, const Eigen::VectorXd& beta,
            const std::vector<int>& free)
      : lagrangian_(lagrangian),
        beta_(beta),
        free_(free),
        by_q_(lagrangian.dofs(), lagrangian.dofs()),
        by_qd_(by_q_),
        D_(by_q_),
        Z_(lagrangian.dofs(), lagrangian.size()) {}

  void Linearise(const Instant& at) {
    lagrangian_.TorqueDerivatives(beta_, at.q, at.qd, at.qdd, by_q_, by_qd_);
    lagrangian_.MassMatrix(beta_, at.q, D_);
    lagrangian_.Rows(at.q, at.qd, at.qdd, Z_);
  }

  /// ∂q̈_F/∂δ of the state ∂(q_F, q̇_F)/∂δ.
  Eigen::MatrixXd Acceleration(const Eigen::MatrixXd& state) const {
    return -D_(free_, free_).llt().solve(Held(state)(free_, Eigen::all));
  }

  Eigen::MatrixXd Slope(const Eigen::MatrixXd& state) const {
    Eigen::MatrixXd slope(state.rows(), state.cols());
    slope << state.bottomRows(state.rows() / 2), Acceleration(state);
    return slope;
  }

  Eigen::MatrixXd Torque(const Eigen::MatrixXd& state) const {
    return Held(state) + D_(Eigen::all, free_) * Acceleration(state);
  }

 private:
  /// ∂τ/∂δ with all accelerations held.
  Eigen::MatrixXd Held(const Eigen::MatrixXd& state) const {
    const Eigen::Index half = state.rows() / 2;
    Eigen::MatrixXd torque = by_q_(Eigen::all, free_) * state.topRows(half) +
                             by_qd_(Eigen::all, free_) * state.bottomRows(half);
    torque.leftCols(Z_.cols()) += Z_;
    return torque;
  }

  const PlanarLagrangian& lagrangian_;
  const Eigen::VectorXd& beta_;
  const std::vector<int>& free_;
  Eigen::MatrixXd by_q_, by_qd_, D_, Z_;  ///< At the instant linearised last.
};

}  // namespace

void VaryMotion(const PlanarLagrangian& lagrangian, const Eigen::VectorXd& beta,
                const Signals& motion, const std::vector<int>& free,
                const std::function<void(Eigen::Index sample, const Eigen::MatrixXd& state,
                                         const Eigen::MatrixXd& torque)>& consume) {
  const auto free_states = 2 * static_cast<Eigen::Index>(free.size());
  Eigen::MatrixXd state = Eigen::MatrixXd::Zero(free_states, lagrangian.size() + free_states);
  state.rightCols(free_states).setIdentity();
  Variation variation(lagrangian, beta, free);
  for (Eigen::Index k = 0;; ++k) {
    const Instant now = AtSample(motion, k);
    variation.Linearise(now);
    consume(k, state, variation.Torque(state));
    if (k + 1 == motion.time_s.size()) return;
    const double h = motion.time_s[k + 1] - motion.time_s[k];
    const Instant next = AtSample(motion, k + 1);
    const Eigen::MatrixXd k1 = variation.Slope(state);
    variation.Linearise(Halfway(now, next, h));
    const Eigen::MatrixXd k2 = variation.Slope(state + 0.5 * h * k1);
    const Eigen::MatrixXd k3 = variation.Slope(state + 0.5 * h * k2);
    variation.Linearise(next);
    const Eigen::MatrixXd k4 = variation.Slope(state + h * k3);
    state += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
}

}  // namespace idbench
