#include "robots/dynamics/walkers/zero_dynamics.h"

#include <doctest/doctest.h>

#include <cmath>

#include "robots/dynamics/no_limits_test.h"

namespace idbench {
namespace {

/// A trunk with two limbs, one of them with its axis reversed; all joints have friction and rotors.
struct Walker {
  RobotModel model;
  PlanarLagrangian lagrangian;
  Eigen::VectorXd beta;

  static RobotModel MakeModel() {
    std::vector<Link> links(3);
    const char* names[] = {"trunk", "left", "right"};
    for (int i = 0; i < 3; ++i) {
      Link& link = links[static_cast<std::size_t>(i)];
      link.name = names[i];
      link.joint = std::string("to_") + names[i];
      link.parent = i == 0 ? -1 : 0;
      link.axis = Eigen::Vector3d::UnitY();
      if (i > 0) link.p0 = {0.0, 0.0, 0.6};
    }
    links[2].axis *= -1.0;
    RobotModel model("walker", "base", links, {0.0, 0.0, -9.81}, NoLimits(3));
    Eigen::MatrixXd B(3, 2);
    B << 0.0, 0.0, 0.0, -1.0, 1.0, 1.0;
    model.SetActuation({{"first", "second"}, B});
    return model;
  }

  static Eigen::VectorXd Pi() {
    const ParameterLayout layout(3);
    Eigen::VectorXd pi = Eigen::VectorXd::Zero(layout.size());
    const double mass[] = {7.0, 2.0, 3.0}, com[] = {0.3, -0.2, -0.3};
    for (int i = 0; i < 3; ++i) {
      pi.segment<10>(layout.Body(i)) =
          ToStandard({mass[i], {0.0, 0.0, com[i]}, 0.1 * Eigen::Matrix3d::Identity()});
      for (int kind = 0; kind < kJointParameterCount; ++kind) {
        pi(layout.Joint(i, static_cast<JointParameter>(kind))) = 0.1 + 0.05 * i + 0.03 * kind;
      }
    }
    return pi;
  }

  Walker()
      : model(MakeModel()),
        lagrangian(model, Pi(),
                   {JointParameter::kViscous, JointParameter::kCoulomb, JointParameter::kOffset,
                    JointParameter::kRotorInertia},
                   {.coulomb_width_rad_s = 0.5}),
        beta(lagrangian.FromPi(Pi())) {}

  Eigen::Vector2d MotorTorque(double t) const {
    return {3.0 * std::sin(5.0 * t) - 2.0, 1.5 * std::cos(4.0 * t)};
  }

  using State = Eigen::Matrix<double, 6, 1>;
  State Rate(double t, const State& x) const {
    Eigen::VectorXd qdd(3);
    REQUIRE(lagrangian.ForwardDynamics(beta, x.head(3), x.tail(3),
                                       model.actuation().B * MotorTorque(t), qdd));
    return (State() << x.tail(3), qdd).finished();
  }
};

/// A motion of the walker from forward dynamics with steps much finer than the samples.
struct Motion {
  Eigen::MatrixXd q, qd, qdd;  ///< At samples and half-way between them.

  Motion(const Walker& walker, Eigen::Index samples, double step_s)
      : q(2 * samples - 1, 3), qd(q), qdd(q) {
    constexpr int kFiner = 64;
    const double h = 0.5 * step_s / kFiner;
    Walker::State x = (Walker::State() << 0.2, 2.8, -0.3, 0.7, -0.4, 0.9).finished();
    for (Eigen::Index i = 0; i < q.rows(); ++i) {
      for (int k = 0; k < (i == 0 ? 0 : kFiner); ++k) {
        const double t = 0.5 * step_s * static_cast<double>(i - 1) + k * h;
        const Walker::State k1 = walker.Rate(t, x), k2 = walker.Rate(t + 0.5 * h, x + 0.5 * h * k1),
                            k3 = walker.Rate(t + 0.5 * h, x + 0.5 * h * k2),
                            k4 = walker.Rate(t + h, x + h * k3);
        x += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
      }
      q.row(i) = x.head(3);
      qd.row(i) = x.tail(3);
      qdd.row(i) = walker.Rate(0.5 * step_s * static_cast<double>(i), x).tail(3);
    }
  }
  StateSamples samples() const { return {q, qd, qdd}; }
};

/// β and the motion's beginning.
Eigen::VectorXd Unknowns(const Walker& walker, const Motion& motion) {
  Eigen::VectorXd x(walker.beta.size() + 2);
  x << walker.beta, motion.q(0, 0), motion.qd(0, 0);
  return x;
}

/// Largest error of q1 over a second.
double AngleError(Eigen::Index samples) {
  const Walker walker;
  const double step_s = 1.0 / static_cast<double>(samples - 1);
  const Motion motion(walker, samples, step_s);
  const ZeroDynamics zero(walker.lagrangian, walker.model.actuation(), motion.samples(), step_s);
  ZeroDynamics::Response response;
  REQUIRE(zero.Simulate(Unknowns(walker, motion), false, response));
  double error = 0.0;
  for (Eigen::Index k = 0; k < samples; ++k) {
    error = std::max(error, std::abs(response.q1(k) - motion.q(2 * k, 0)));
  }
  return error;
}

TEST_CASE("Along a motion from forward dynamics, angle and motor torques are those of the motion") {
  const Walker walker;
  const double step_s = 0.0025;
  const Motion motion(walker, 401, step_s);
  const ZeroDynamics zero(walker.lagrangian, walker.model.actuation(), motion.samples(), step_s);
  ZeroDynamics::Response r;
  REQUIRE(zero.Simulate(Unknowns(walker, motion), false, r));
  CHECK(zero.unknowns() == walker.beta.size() + 2);
  double angle = 0.0, rate = 0.0, acceleration = 0.0, torque = 0.0;
  for (Eigen::Index k = 0; k < 401; ++k) {
    angle = std::max(angle, std::abs(r.q1(k) - motion.q(2 * k, 0)));
    rate = std::max(rate, std::abs(r.qd1(k) - motion.qd(2 * k, 0)));
    acceleration = std::max(acceleration, std::abs(r.qdd1(k) - motion.qdd(2 * k, 0)));
    const Eigen::Vector2d u = walker.MotorTorque(step_s * static_cast<double>(k));
    torque = std::max(torque, (r.u.row(k).transpose() - u).norm());
  }
  // RK4: 1e-7 at steps of 0.01 s, a 256th at these; rates of all are near 10 1/s, inertias 1 kg·m².
  CHECK(angle < 2e-9);
  CHECK(rate < 1e-8);
  CHECK(acceleration < 1e-7);
  CHECK(torque < 1e-7);
}

TEST_CASE("Half the step leaves a sixteenth of the error") {
  const double coarse = AngleError(26), fine = AngleError(51);
  CHECK(std::abs(std::log2(coarse / fine) - 4.0) < 0.4);  // what the next order, h⁵, adds
}

TEST_CASE("Sensitivities are the derivatives of what is simulated") {
  const Walker walker;
  const Motion motion(walker, 41, 0.02);
  const ZeroDynamics zero(walker.lagrangian, walker.model.actuation(), motion.samples(), 0.02);
  const Eigen::VectorXd x = Unknowns(walker, motion);
  ZeroDynamics::Response r, more, less;
  REQUIRE(zero.Simulate(x, true, r));
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    CAPTURE(k);
    const double step = 1e-5;
    REQUIRE(zero.Simulate(x + step * Eigen::VectorXd::Unit(x.size(), k), false, more));
    REQUIRE(zero.Simulate(x - step * Eigen::VectorXd::Unit(x.size(), k), false, less));
    const auto differs = [&](const Eigen::VectorXd& up, const Eigen::VectorXd& down,
                             const Eigen::MatrixXd& by) {
      const Eigen::VectorXd difference = (up - down) / (2.0 * step);
      return (difference - by.row(k).transpose()).cwiseAbs().maxCoeff() /
             (1.0 + difference.cwiseAbs().maxCoeff());
    };
    // Central differences: step² of curvature and 1e-16/step of round-off.
    CHECK(differs(more.q1, less.q1, r.q1_by) < 1e-8);
    CHECK(differs(more.qd1, less.qd1, r.qd1_by) < 1e-8);
    CHECK(differs(more.qdd1, less.qdd1, r.qdd1_by) < 1e-8);
    for (Eigen::Index m = 0; m < 2; ++m) {
      CHECK(differs(more.u.col(m), less.u.col(m), r.u_by[static_cast<std::size_t>(m)]) < 1e-8);
    }
  }
}

TEST_CASE("Without a positive inertia there is no motion, nor where the angle runs away") {
  const Walker walker;
  const Motion motion(walker, 21, 0.02);
  const ZeroDynamics zero(walker.lagrangian, walker.model.actuation(), motion.samples(), 0.02);
  ZeroDynamics::Response r;
  Eigen::VectorXd x = Unknowns(walker, motion);
  x(0) = -100.0;
  CHECK_FALSE(zero.Simulate(x, false, r));
  x = Unknowns(walker, motion);
  x(x.size() - 1) = 1e5;
  CHECK_FALSE(zero.Simulate(x, false, r));
  x(x.size() - 1) = std::nan("");
  CHECK_FALSE(zero.Simulate(x, false, r));
}

TEST_CASE("What has no zero dynamics of its first joint is refused") {
  const Walker walker;
  const Motion motion(walker, 21, 0.02);
  const auto make = [&](const Actuation& actuation, Eigen::Index instants, double step_s) {
    const Eigen::MatrixXd q = motion.q.topRows(instants);
    ZeroDynamics(walker.lagrangian, actuation, {q, q, q}, step_s);
  };
  Actuation actuation = walker.model.actuation();
  CHECK_NOTHROW(make(actuation, 3, 0.02));
  CHECK_THROWS_WITH(make(actuation, 4, 0.02),
                    "ZeroDynamics: of N samples, N > 1, it needs 2N − 1 instants, got 4");
  CHECK_THROWS_WITH(make(actuation, 1, 0.02),
                    "ZeroDynamics: of N samples, N > 1, it needs 2N − 1 instants, got 1");
  CHECK_THROWS_WITH(make(actuation, 5, 0.0), "ZeroDynamics: the step must be positive");
  CHECK_THROWS_WITH(ZeroDynamics(walker.lagrangian, actuation,
                                 {motion.q, motion.qd.leftCols(2), motion.qdd}, 0.02),
                    "ZeroDynamics: the motion is 41 × 2, expected 41 × 3");
  actuation.B(0, 0) = 1.0;
  CHECK_THROWS_WITH(make(actuation, 5, 0.02), "ZeroDynamics: a motor drives the first joint");
  actuation.B.row(0).setZero();
  actuation.B.row(2).setZero();
  CHECK_THROWS_WITH(make(actuation, 5, 0.02),
                    "ZeroDynamics: the torques of 2 joints do not tell those of 2 motors");
  actuation.B = Eigen::MatrixXd::Zero(2, 1);
  CHECK_THROWS_WITH(make(actuation, 5, 0.02),
                    "ZeroDynamics: the actuation is not that of the model");
}

}  // namespace
}  // namespace idbench
