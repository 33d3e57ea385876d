#include "scenarios/motion/trajectory/blended.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "scenarios/motion/state_at_test.h"
#include "scenarios/motion/trajectory/fourier.h"

namespace idbench {
namespace {

/// Two joints, two harmonics.
FourierMotion Inner() {
  return {FourierSeries{0.15, Eigen::Vector2d(0.3, -0.7),
                        (Eigen::Matrix2d() << 0.5, -0.8, 1.1, 0.2).finished(),
                        (Eigen::Matrix2d() << -0.4, 0.9, 0.3, -1.0).finished()},
          10.0};
}

BlendedMotion Blended() {
  return {Eigen::Vector2d(1.5, -0.2), 3.6, 1.0, std::make_unique<FourierMotion>(Inner()), 13.0};
}

TEST_CASE("It rests at the start, and is the other motion once it is blended in") {
  const BlendedMotion motion = Blended();
  CHECK(motion.duration_s() == 13.0);
  for (const double t : {0.0, 2.0, 3.6}) {
    CHECK(StateAt(motion, t).q == Eigen::Vector2d(1.5, -0.2));
    CHECK(StateAt(motion, t).qd.isZero(0.0));
    CHECK(StateAt(motion, t).qdd.isZero(0.0));
  }
  for (const double t : {4.601, 5.0, 12.9}) {
    const JointState inner = StateAt(Inner(), t - 3.6);
    CHECK(StateAt(motion, t).q.isApprox(inner.q, 1e-14));  // q_start + (q − q_start)
    CHECK(StateAt(motion, t).qd == inner.qd);
    CHECK(StateAt(motion, t).qdd == inner.qdd);
  }
}

TEST_CASE("Velocity and acceleration are the derivatives of position, in every piece") {
  const BlendedMotion motion = Blended();
  const double h = 1e-5;
  for (const double t : {1.0, 3.7, 3.9, 4.1, 4.5, 4.7, 9.0}) {
    const JointState before = StateAt(motion, t - h);
    const JointState now = StateAt(motion, t);
    const JointState after = StateAt(motion, t + h);
    // Truncation h²/6·|d³| ≤ 1.7e-11·1e3; rounding 2e-16/h. Absolute, as the signal may vanish.
    CHECK(((after.q - before.q) / (2.0 * h) - now.qd).cwiseAbs().maxCoeff() < 1e-7);
    CHECK(((after.qd - before.qd) / (2.0 * h) - now.qdd).cwiseAbs().maxCoeff() < 1e-7);
  }
}

TEST_CASE("Position, velocity and acceleration are continuous where the pieces meet") {
  const BlendedMotion motion = Blended();
  for (const double t : {3.6, 4.6}) {
    const JointState before = StateAt(motion, t - 1e-9);
    const JointState after = StateAt(motion, t + 1e-9);
    // 2e-9 s times the greatest rates, of which the third derivative of 60·δ + … ≈ 200 leads.
    CHECK((after.q - before.q).cwiseAbs().maxCoeff() < 1e-6);
    CHECK((after.qd - before.qd).cwiseAbs().maxCoeff() < 1e-6);
    CHECK((after.qdd - before.qdd).cwiseAbs().maxCoeff() < 1e-6);
  }
}

TEST_CASE("A position stays between the start and the other motion's") {
  const BlendedMotion motion = Blended();
  for (int i = 0; i <= 1000; ++i) {
    const double t = 3.6 + 1e-3 * i;
    const Eigen::VectorXd inner = StateAt(Inner(), t - 3.6).q;
    const Eigen::VectorXd q = StateAt(motion, t).q;
    for (int j = 0; j < 2; ++j) {
      const double start = j == 0 ? 1.5 : -0.2;
      CHECK(q(j) >= std::min(start, inner(j)) - 1e-15);
      CHECK(q(j) <= std::max(start, inner(j)) + 1e-15);
    }
  }
}

TEST_CASE("A blend that takes no time is refused") {
  CHECK_THROWS_WITH_AS(
      BlendedMotion(Eigen::Vector2d::Zero(), 1.0, 0.0, std::make_unique<FourierMotion>(Inner()),
                    5.0),
      "BlendedMotion: rest 1 s, blend 0 s, duration 5 s: expected at least 0, and positive",
      std::invalid_argument);
}

}  // namespace
}  // namespace idbench
