#include "scenarios/motion/trajectory/point_to_point.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "scenarios/motion/state_at_test.h"

namespace idbench {
namespace {

const Eigen::Vector2d kBegin(0.0, 0.0), kOne(1.0, -2.0), kNext(-1.0, -2.0);

/// 1 s to the first point, 0.5 s there, 2 s to the next, and on to the first without a rest.
PointToPointMotion Walk(const JointLag& lag = {}, double duration_s = 5.0) {
  return {kBegin, {{kOne, 1.0, 0.5}, {kNext, 2.0, 0.0}, {kOne, 1.0, 0.3}}, lag, duration_s};
}

TEST_CASE("It rests where it is told, and passes the middle of each way at half time") {
  const PointToPointMotion motion = Walk();
  CHECK(motion.duration_s() == 5.0);
  CHECK(motion.begin() == kBegin);
  CHECK(motion.moves().size() == 3);
  for (const double t : {-1.0, 0.0}) CHECK(StateAt(motion, t).q == kBegin);
  for (const double t : {1.0, 1.2, 1.4999}) CHECK(StateAt(motion, t).q == kOne);
  for (const double t : {4.5, 4.9, 60.0}) CHECK(StateAt(motion, t).q == kOne);  // it holds the last
  CHECK((StateAt(motion, 0.5).q - 0.5 * kOne).norm() < 1e-15);
  CHECK((StateAt(motion, 2.5).q - 0.5 * (kOne + kNext)).norm() < 1e-15);
  CHECK((StateAt(motion, 3.5).q - kNext).norm() < 1e-14);
  CHECK((StateAt(motion, 4.0).q - 0.5 * (kOne + kNext)).norm() < 1e-15);
  // Peak speed 15/8·Δq/T at half time.
  CHECK((StateAt(motion, 2.5).qd - 1.875 / 2.0 * (kNext - kOne)).norm() < 1e-14);
  CHECK(StateAt(motion, 1.2).qd.isZero(0.0));
}

TEST_CASE("With a lag it goes on from where each move and each rest left it") {
  const JointLag lag{Eigen::Vector2d(8.0, 12.0), Eigen::Vector2d(0.7, 0.3)};
  const PointToPointMotion motion = Walk(lag);
  CHECK((StateAt(motion, 0.0).q - kBegin).norm() < 1e-15);
  CHECK(StateAt(motion, 0.0).qd.norm() < 1e-14);
  for (const double t : {1.0, 1.5, 3.5, 4.5}) {
    const double h = 1e-9;
    const JointState before = StateAt(motion, t - h), after = StateAt(motion, t + h);
    // Over 2e-9 s: speeds of up to 4, accelerations of 20, and their rates of 20·12.
    CHECK((after.q - before.q).norm() < 1e-8);
    CHECK((after.qd - before.qd).norm() < 5e-8);
    CHECK((after.qdd - before.qdd).norm() < 1e-6);
  }
  // It is late: a ramp would be followed 2ζ/ω later, and it swings past the point.
  CHECK(StateAt(motion, 0.5).q[0] < 0.5);
  CHECK(StateAt(motion, 1.05).q[1] < -2.0);
  CHECK(StateAt(motion, 60.0).q == kOne);
  // The equation itself, in the rest after the first move.
  const JointState state = StateAt(motion, 1.2);
  const Eigen::Array2d w = lag.rad_s.array();
  const Eigen::Vector2d told = w.square() * (kOne - state.q).array() -
                               2.0 * lag.damping_ratio.array() * w * state.qd.array();
  CHECK((state.qdd - told).norm() < 1e-11);
}

TEST_CASE("No moves, no time and a negative rest are refused") {
  CHECK_THROWS_WITH_AS(PointToPointMotion(kBegin, {}, {}, 1.0),
                       "PointToPointMotion: 0 moves in 1 s: expected at least one, a positive "
                       "duration, and no negative rest",
                       std::invalid_argument);
  CHECK_THROWS_AS(Walk({}, 0.0), std::invalid_argument);
  CHECK_THROWS_AS(PointToPointMotion(kBegin, {{kOne, 1.0, -0.1}}, {}, 1.0), std::invalid_argument);
  CHECK_THROWS_AS(PointToPointMotion(kBegin, {{kOne, 0.0, 0.1}}, {}, 1.0), std::invalid_argument);
  CHECK_THROWS_AS(PointToPointMotion(kBegin, {{Eigen::Vector3d::Zero(), 1.0, 0.1}}, {}, 1.0),
                  std::invalid_argument);
}

}  // namespace
}  // namespace idbench
