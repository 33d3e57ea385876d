#pragma once

#include <Eigen/Core>

#include "robots/plant/motion.h"
#include "robots/plant/plant.h"

namespace idbench {

inline constexpr double kRailMass = 2.0;

/// Mass on a rail under gravity, integrated exactly for a torque held for one step: 2·q̈ = τ − 3.
class Rail : public Plant {
 public:
  explicit Rail(double step_s, double q_offset = 0.0) : step_s_(step_s), q_offset_(q_offset) {}
  int dofs() const override { return 1; }
  double step_s() const override { return step_s_; }
  void Reset(const Eigen::VectorXd& q, const Eigen::VectorXd& qd) override {
    q_ = q(0) + q_offset_;
    qd_ = qd(0);
    steps_ = 0;
  }
  void Feedback(JointState& state) override {
    state.q(0) = q_;
    state.qd(0) = qd_;
  }
  void Step(const Eigen::VectorXd& tau, TrueSample& sample) override {
    const double qdd = (tau(0) - 3.0) / kRailMass;
    sample.t = step_s_ * static_cast<double>(steps_++);
    sample.state.q(0) = q_;
    sample.state.qd(0) = qd_;
    sample.state.qdd(0) = qdd;
    sample.tau = tau;
    q_ += step_s_ * qd_ + 0.5 * step_s_ * step_s_ * qdd;
    qd_ += step_s_ * qdd;
  }

 private:
  double step_s_, q_offset_;
  double q_ = 0.0, qd_ = 0.0;
  long long steps_ = 0;
};

/// Computes τ of the same system, for a controller's model.
inline void RailModel(const Eigen::VectorXd&, const Eigen::VectorXd&, const Eigen::VectorXd& qdd,
                      Eigen::VectorXd& tau) {
  tau(0) = kRailMass * qdd(0) + 3.0;
}

/// Motion at rest at 0.
class Rest : public Motion {
 public:
  explicit Rest(double duration_s, int dofs = 1) : duration_s_(duration_s), dofs_(dofs) {}
  double duration_s() const override { return duration_s_; }
  void Evaluate(double, JointState& desired) const override { desired = JointState::Zero(dofs_); }
  void Describe(CanonicalText& text) const override {
    text.Add("kind", "rest").Add("duration_s", duration_s_).Add("dofs", dofs_);
  }

 private:
  double duration_s_;
  int dofs_;
};

}  // namespace idbench
