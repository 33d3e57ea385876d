#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "estimators/interface/estimate.h"
#include "estimators/interface/problem.h"
#include "robots/plant/plant.h"
#include "robots/random/random_stream.h"
#include "robots/recording/channels.h"
#include "robots/robot.h"

namespace idbench {

/// Uniform rods, the problem of their Lagrangian, and the true β.
struct RodsProblem {
  /// @param friction  unknowns beside those of the rods.
  /// @param guess     prior mean over the truth, of all unknowns.
  explicit RodsProblem(int rods, double guess, const std::vector<JointParameter>& friction = {})
      : robot(LoadRobot("rods" + std::to_string(rods))),
        problem{robot.model,
                FrictionShape{1e-3},
                PlanarLagrangianParametrisation(
                    robot.model, PlanarLagrangian(robot.model, robot.FindSet("")->pi, friction,
                                                  FrictionShape{1e-3})),
                {},
                {}} {
    truth = problem.parameters.FromPi(robot.FindSet("")->pi);
    problem.parameters.prior = Parametrisation::Prior{guess * truth, std::nullopt};
  }

  const PlanarLagrangian& lagrangian() const { return *problem.parameters.lagrangian(); }
  Eigen::VectorXd TrueGravity() const {
    return truth.segment(lagrangian().FirstGravity(), lagrangian().dofs());
  }
  Eigen::VectorXd GravityIn(const Eigen::VectorXd& x) const {
    return x.segment(lagrangian().FirstGravity(), lagrangian().dofs());
  }
  /// The largest relative error of the gravity parameters.
  double ErrorOf(const Eigen::VectorXd& x) const {
    return ((GravityIn(x) - TrueGravity()).array() / TrueGravity().array()).abs().maxCoeff();
  }

  Robot robot;
  Problem problem;
  Eigen::VectorXd truth;
};

/// Time between two exchanges with a ChainPlant, and the equal steps in it.
struct ChainPeriod {
  double period_s = 0.018;
  int steps = 1;
};

/// Chain of rods by its Lagrangian equations, semi-implicit Euler with implicit friction, read
/// without errors. It holds a torque over all steps of a period.
class ChainPlant : public Plant {
 public:
  /// @param beta  true parameters. @param coulomb  friction of each joint, tanh(q̇/1e-4) [N·m].
  ChainPlant(const PlanarLagrangian& lagrangian, Eigen::VectorXd beta, double coulomb = 0.0,
             const ChainPeriod& period = {})
      : lagrangian_(lagrangian),
        beta_(std::move(beta)),
        coulomb_(coulomb),
        steps_(period.steps),
        step_s_(period.period_s / period.steps) {
    info_.dofs = lagrangian.dofs();
    info_.period_s = period.period_s;
    info_.modes = {CommandMode::kTorque};
    info_.channels = {std::string(kJointPosition)};
    info_.starts_moving = true;
    info_.torque_delay_periods = 0.5 * (steps_ - 1) / steps_;
  }

  const PlantInfo& info() const override { return info_; }
  void MoveTo(const ExperimentStart& start, Reading& reading) override {
    q_ = start.q;
    qd_ = start.qd;
    limits_ = start.limits;
    exchanges_ = 0;
    Read(reading);
  }
  ExperimentState Exchange(const Command& command, Reading& reading) override {
    Eigen::VectorXd qdd(info_.dofs);
    for (int step = 0; step < steps_; ++step) {
      lagrangian_.ForwardDynamics(beta_, q_, qd_, command.value, qdd);
      qd_ = WithFriction(qd_ + step_s_ * qdd);
      q_ += step_s_ * qd_;
    }
    ++exchanges_;
    Read(reading);
    for (const PositionLimit& limit : limits_) {
      if (!(std::abs(limit.c.dot(q_) - limit.centre) <= limit.greatest)) {
        return ExperimentState::kFell;
      }
    }
    return ExperimentState::kRunning;
  }

 protected:
  PlantInfo info_;

 private:
  /// Velocities after a step with friction at these very velocities, from those without it: the
  /// minimum of ½·(v − v₀)ᵀ·M·(v − v₀) + h·fc·w·Σ ln cosh(v/w), by Newton's method.
  Eigen::VectorXd WithFriction(const Eigen::VectorXd& free) const {
    if (coulomb_ == 0.0) return free;
    constexpr double kWidth = 1e-4;
    const Eigen::Index n = free.size();
    const double impulse = step_s_ * coulomb_;
    Eigen::MatrixXd M(n, n);
    lagrangian_.MassMatrix(beta_, q_, M);
    const auto cost = [&](const Eigen::VectorXd& v) {
      const Eigen::ArrayXd u = (v / kWidth).array().abs();
      return 0.5 * (v - free).dot(M * (v - free)) +
             impulse * kWidth * (u + (-2.0 * u).exp().log1p()).sum();
    };
    Eigen::VectorXd v = free;
    for (int iteration = 0; iteration < 100; ++iteration) {
      const Eigen::ArrayXd t = (v / kWidth).array().tanh();
      const Eigen::VectorXd gradient = M * (v - free) + impulse * t.matrix();
      if (gradient.lpNorm<Eigen::Infinity>() < 1e-9 * impulse) break;
      Eigen::MatrixXd H = M;
      H.diagonal().array() += impulse / kWidth * (1.0 - t.square());
      const Eigen::VectorXd step = -H.llt().solve(gradient);
      double part = 1.0;
      while (part > 1e-12 && cost(v + part * step) > cost(v)) part *= 0.5;
      v += part * step;
    }
    return v;
  }

  void Read(Reading& reading) const {
    reading.t = info_.period_s * static_cast<double>(exchanges_);
    ChannelReading& position = reading.At(kJointPosition);
    position.t = reading.t;
    position.value = q_;
  }

  const PlanarLagrangian& lagrangian_;
  Eigen::VectorXd beta_;
  double coulomb_;
  int steps_;
  double step_s_;
  std::vector<PositionLimit> limits_;
  Eigen::VectorXd q_, qd_;
  long long exchanges_ = 0;
};

/// A chain whose positions are read with white noise.
class NoisyChain : public ChainPlant {
 public:
  NoisyChain(const RodsProblem& of, double noise_rad, std::int64_t trial)
      : ChainPlant(of.lagrangian(), of.truth), noise_rad_(noise_rad), stream_(1, trial, "noise") {}
  void MoveTo(const ExperimentStart& start, Reading& reading) override {
    ChainPlant::MoveTo(start, reading);
    Disturb(reading);
  }
  ExperimentState Exchange(const Command& command, Reading& reading) override {
    const ExperimentState state = ChainPlant::Exchange(command, reading);
    Disturb(reading);
    return state;
  }

 private:
  void Disturb(Reading& reading) {
    Eigen::VectorXd& q = reading.At(kJointPosition).value;
    for (Eigen::Index j = 0; j < q.size(); ++j) {
      q[j] += noise_rad_ * stream_.Normal(static_cast<std::uint64_t>(j), draws_);
    }
    ++draws_;
  }

  double noise_rad_;
  RandomStream stream_;
  std::uint64_t draws_ = 0;
};

/// Errors over their σ.
inline Eigen::ArrayXd OverSigma(const Estimate& estimate, const RodsProblem& of) {
  return (estimate.x - of.truth).array() / estimate.sigma().value().array();
}

}  // namespace idbench
