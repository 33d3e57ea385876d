#include "scenarios/motion/trajectory/lagged_step.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "scenarios/motion/trajectory/quintic.h"

namespace idbench {
namespace {

using Two = Eigen::Vector2d;

const Two kFrom(0.3, -1.0), kTo(1.0, 1.0);
constexpr double kStepS = 1.5;

JointState Moving() { return {Two(0.2, -0.7), Two(-0.4, 1.2), Two(0.0, 0.0)}; }

JointState AtTime(const LaggedStep& step, double t, const JointLag& lag) {
  JointState state = JointState::Zero(2);
  step.Evaluate(t, lag, state);
  return state;
}

TEST_CASE("Without a lag it is the quintic step, whatever the state") {
  const LaggedStep step(kFrom, kTo, kStepS, {}, Moving());
  CHECK(step.duration_s() == kStepS);
  for (const double t : {0.0, 0.2, 0.75, 1.1, 1.5}) {
    const QuinticStep quintic = EvaluateQuinticStep(t, kStepS);
    const JointState state = AtTime(step, t, {});
    // A few roundings of terms of up to 15 times the way of 2.
    CHECK((state.q - (kFrom + quintic.s * (kTo - kFrom))).norm() < 1e-14);
    CHECK((state.qd - quintic.ds * (kTo - kFrom)).norm() < 1e-13);
    CHECK((state.qdd - quintic.dds * (kTo - kFrom)).norm() < 1e-13);
  }
}

TEST_CASE("It begins in its state, and each derivative is that of the one before") {
  const JointLag lag{Two(8.0, 12.0), Two(0.7, 1.4)};
  const LaggedStep step(kFrom, kTo, kStepS, lag, Moving());
  CHECK((AtTime(step, 0.0, lag).q - Moving().q).norm() < 1e-14);
  CHECK((AtTime(step, 0.0, lag).qd - Moving().qd).norm() < 1e-13);
  const double h = 1e-5;
  for (const double t : {0.1, 0.4, 0.9, 1.3}) {
    const JointState before = AtTime(step, t - h, lag), after = AtTime(step, t + h, lag);
    // Truncation h²/6·ω³·1: 3e-8 of the amplitude, times ω for q̈; rounding 1e-16/h.
    CHECK(((after.q - before.q) / (2.0 * h) - AtTime(step, t, lag).qd).norm() < 1e-7);
    CHECK(((after.qd - before.qd) / (2.0 * h) - AtTime(step, t, lag).qdd).norm() < 1e-6);
  }
}

TEST_CASE("It obeys the equation of the lag at every instant, under- and overdamped") {
  for (const double zeta : {1e-3, 0.5, 1.0 - 1e-12, 1.0, 1.0 + 1e-12, 3.0, 100.0}) {
    for (const double omega : {1.0, 9.0, 400.0}) {
      CAPTURE(zeta);
      CAPTURE(omega);
      const JointLag lag{Two::Constant(omega), Two::Constant(zeta)};
      const LaggedStep step(kFrom, kTo, kStepS, lag, Moving());
      for (int i = 0; i <= 30; ++i) {
        const double t = kStepS * i / 30;
        const double s = EvaluateQuinticStep(t, kStepS).s;
        const JointState state = AtTime(step, t, lag);
        const Eigen::VectorXd told =
            omega * omega * (kFrom + s * (kTo - kFrom) - state.q) - 2.0 * zeta * omega * state.qd;
        // Both sides are differences of terms of up to ω²·2 and 2ζω·(1.2 + ω).
        const double terms = omega * omega * 2.0 + 2.0 * zeta * omega * (1.2 + omega);
        const double lost = std::pow(std::max(1.0, 1.0 / (SlowestRate(omega, zeta) * kStepS)), 5);
        CHECK((state.qdd - told).norm() < 1e-12 * lost * (1.0 + terms));
      }
    }
  }
}

TEST_CASE("The slowest rate is that of the pole that is nearest to 0") {
  CHECK(SlowestRate(8.0, 0.3) == 8.0);
  CHECK(SlowestRate(8.0, 1.0) == 8.0);
  // (s + 2)·(s + 8) = s² + 2·1.25·4·s + 4²
  CHECK(SlowestRate(4.0, 1.25) == doctest::Approx(2.0).epsilon(1e-15));
}

TEST_CASE("Held from rest it goes back as critically damped joints do, for as long as one asks") {
  const JointLag lag{Two(5.0, 2.0), Two(1.0, 1.0)};
  const JointState off{kFrom + Two(1.0, -2.0), Two::Zero(), Two::Zero()};
  const LaggedStep rest(kFrom, kFrom, 0.1, lag, off);
  for (const double t : {0.0, 0.05, 0.1, 2.0, 1e4}) {  // beyond its duration too
    const Eigen::Array2d decay = (-lag.rad_s.array() * t).exp();
    const Two expected =
        (off.q - kFrom).array() * decay * (1.0 + lag.rad_s.array() * t);  // e^(−ωt)(1 + ωt)
    CHECK((AtTime(rest, t, lag).q - kFrom - expected).norm() < 1e-14);
  }
  CHECK(AtTime(rest, 1e4, lag).qd.isZero(0.0));
  // cosh alone would overflow.
  const JointLag slow{Two(1e3, 1e3), Two(50.0, 50.0)};
  CHECK(AtTime(LaggedStep(kFrom, kFrom, 1.0, slow, off), 1e4, slow).q == kFrom);
}

TEST_CASE("The slower the lag, the fewer digits are left, as stated") {
  // Against a power series of the solution: (k + 1)(k + 2)·q_(k+2) = ω²·(d_k − q_k) − 2ζω(k + 1)·
  // q_(k+1), which converges fast for ωT near 1.
  const double omega = 1.0, zeta = 0.7;
  const JointLag lag{Two::Constant(omega), Two::Constant(zeta)};
  for (const double duration : {1.0, 0.2}) {
    const LaggedStep step(kFrom, kTo, duration, lag, Moving());
    const double way = kTo[1] - kFrom[1];
    const double told[6] = {kFrom[1],
                            0.0,
                            0.0,
                            10.0 * way / std::pow(duration, 3),
                            -15.0 * way / std::pow(duration, 4),
                            6.0 * way / std::pow(duration, 5)};
    double q[42] = {Moving().q[1], Moving().qd[1]};
    double sum = q[0] + q[1] * duration;
    for (int k = 0; k < 40; ++k) {
      const double drive = k < 6 ? told[k] : 0.0;
      q[k + 2] = (omega * omega * (drive - q[k]) - 2.0 * zeta * omega * (k + 1) * q[k + 1]) /
                 ((k + 1) * (k + 2));
      sum += q[k + 2] * std::pow(duration, k + 2);
    }
    const double stated = 1e-12 / std::pow(omega * duration, 5) * way;
    CHECK(std::abs(AtTime(step, duration, lag).q[1] - sum) < stated);
  }
}

TEST_CASE("Sizes that contradict each other, and what is not positive, are refused") {
  const JointLag lag{Two(8.0, 12.0), Two(0.7, 0.5)};
  CHECK_THROWS_WITH_AS(
      LaggedStep(kFrom, Eigen::Vector3d::Zero(), 1.0, {}, Moving()),
      "LaggedStep: from 2 joints to 3 in 1 s, with lags of 0 and 0, in a state of 2: expected the "
      "same joints, and a positive duration",
      std::invalid_argument);
  CHECK_THROWS_AS(LaggedStep(kFrom, kTo, 0.0, lag, Moving()), std::invalid_argument);
  CHECK_THROWS_AS(LaggedStep(kFrom, kTo, 1.0, lag, JointState::Zero(3)), std::invalid_argument);
  CHECK_THROWS_AS(LaggedStep(kFrom, kTo, 1.0, {Two(1.0, 1.0), Eigen::VectorXd::Ones(1)}, Moving()),
                  std::invalid_argument);
  CHECK_THROWS_WITH_AS(LaggedStep(kFrom, kTo, 1.0, {Two(1.0, 0.0), Two(1.0, 1.0)}, Moving()),
                       "LaggedStep: frequencies and damping ratios must be positive",
                       std::invalid_argument);
  CHECK_THROWS_AS(LaggedStep(kFrom, kTo, 1.0, {Two(1.0, 1.0), Two(1.0, -1.0)}, Moving()),
                  std::invalid_argument);
}

}  // namespace
}  // namespace idbench
