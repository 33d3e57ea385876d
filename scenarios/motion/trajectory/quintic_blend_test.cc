#include "scenarios/motion/trajectory/quintic_blend.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "scenarios/motion/trajectory/quintic.h"

namespace idbench {
namespace {

/// q = 1 − 2t + 0.5t² + 3t³ − t⁴ + 0.25t⁵, and minus that.
JointState TwoQuintics(double t) {
  const double q = 1.0 + t * (-2.0 + t * (0.5 + t * (3.0 + t * (-1.0 + t * 0.25))));
  const double qd = -2.0 + t * (1.0 + t * (9.0 + t * (-4.0 + t * 1.25)));
  const double qdd = 1.0 + t * (18.0 + t * (-12.0 + t * 5.0));
  return {Eigen::Vector2d(q, -q), Eigen::Vector2d(qd, -qd), Eigen::Vector2d(qdd, -qdd)};
}

TEST_CASE("Between two states of a quintic polynomial it is that polynomial") {
  const QuinticBlend blend(TwoQuintics(0.5), TwoQuintics(2.0), 1.5);
  JointState state = JointState::Zero(2);
  for (const double t : {0.0, 0.1, 0.7, 1.3, 1.5}) {
    blend.Evaluate(t, state);
    const JointState expected = TwoQuintics(0.5 + t);
    // Rounding of terms up to 100.
    CHECK(state.q.isApprox(expected.q, 1e-12));
    CHECK(state.qd.isApprox(expected.qd, 1e-12));
    CHECK(state.qdd.isApprox(expected.qdd, 1e-12));
  }
}

TEST_CASE("Between two poses at rest it is the quintic step, and between equal ones rest") {
  JointState from = JointState::Zero(2);
  from.q = Eigen::Vector2d(0.3, -0.1);
  JointState to = JointState::Zero(2);
  to.q = Eigen::Vector2d(1.3, -0.1);
  const QuinticBlend blend(from, to, 0.8);
  JointState state = JointState::Zero(2);
  for (const double t : {0.0, 0.2, 0.4, 0.75}) {
    const QuinticStep step = EvaluateQuinticStep(t, 0.8);
    blend.Evaluate(t, state);
    // Relative to 1, 15/8/T and 10/√3/T², of which rounding is 1e-15.
    CHECK(std::abs(state.q(0) - (0.3 + step.s)) < 1e-14);
    CHECK(std::abs(state.qd(0) - step.ds) < 1e-14);
    CHECK(std::abs(state.qdd(0) - step.dds) < 1e-13);
    CHECK(state.q(1) == -0.1);
    CHECK(state.qd(1) == 0.0);
    CHECK(state.qdd(1) == 0.0);
  }
}

TEST_CASE("A blend that takes no time, or between different robots, is refused") {
  CHECK_THROWS_WITH_AS(QuinticBlend(JointState::Zero(2), JointState::Zero(2), 0.0),
                       "QuinticBlend: from 2 joints to 2 in 0 s: expected the same joints, and a "
                       "positive duration",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(QuinticBlend(JointState::Zero(2), JointState::Zero(3), 1.0),
                       "QuinticBlend: from 2 joints to 3 in 1 s: expected the same joints, and a "
                       "positive duration",
                       std::invalid_argument);
}

}  // namespace
}  // namespace idbench
