#include "scenarios/motion/trajectory/sequence.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "scenarios/motion/state_at_test.h"
#include "scenarios/motion/trajectory/fourier.h"
#include "scenarios/motion/trajectory/way_points.h"

namespace idbench {
namespace {

using Joints = Eigen::Vector2d;

/// Two joints, which are neither at rest nor without acceleration at either end.
std::unique_ptr<Motion> Swaying(double duration_s) {
  return std::make_unique<FourierMotion>(
      FourierSeries{0.15, Joints(0.3, -0.7), Joints(0.5, 1.1), Joints(-0.4, 0.3)}, duration_s);
}

std::unique_ptr<Motion> Still() {
  return std::make_unique<WayPointMotion>(std::vector<Eigen::VectorXd>{Joints(1.0, -0.5)},
                                          std::vector<double>{}, 2.0);
}

/// Swaying for 3 s, still from 4.5 s to 6.5 s, swaying from 8 s to 9 s.
SequenceMotion Three() {
  std::vector<std::unique_ptr<Motion>> parts;
  parts.push_back(Swaying(3.0));
  parts.push_back(Still());
  parts.push_back(Swaying(1.0));
  return {std::move(parts), 1.5, 2};
}

void CheckEqual(const JointState& state, const JointState& expected, double most) {
  CHECK((state.q - expected.q).cwiseAbs().maxCoeff() <= most);
  CHECK((state.qd - expected.qd).cwiseAbs().maxCoeff() <= most);
  CHECK((state.qdd - expected.qdd).cwiseAbs().maxCoeff() <= most);
}

TEST_CASE("A sequence is each of its parts in its time, and ends with the last") {
  const SequenceMotion motion = Three();
  CHECK(motion.duration_s() == 9.0);
  CHECK(motion.BlendBegin(0) == 3.0);
  CHECK(motion.BlendBegin(1) == 6.5);
  for (const double t : {0.0, 1.0, 2.9}) {
    CheckEqual(StateAt(motion, t), StateAt(*Swaying(3.0), t), 0.0);
  }
  for (const double t : {4.5, 5.0, 6.4})
    CheckEqual(StateAt(motion, t), StateAt(*Still(), 0.0), 0.0);
  for (const double t : {8.0, 8.25, 9.0, 9.5}) {
    CheckEqual(StateAt(motion, t), StateAt(*Swaying(1.0), t - 8.0), 0.0);
  }
}

TEST_CASE("Position, velocity and acceleration are continuous at both ends of a blend") {
  const SequenceMotion motion = Three();
  for (const double t : {3.0, 4.5, 6.5, 8.0}) {
    // 2e-12 s times the greatest rate, 60·Δq/T³ ≈ 20, beside rounding.
    CheckEqual(StateAt(motion, t + 1e-12), StateAt(motion, t - 1e-12), 1e-9);
  }
  CheckEqual(StateAt(motion, 3.0), StateAt(*Swaying(3.0), 3.0), 1e-14);  // rounding
  CheckEqual(StateAt(motion, 6.5), StateAt(*Still(), 2.0), 1e-14);
}

TEST_CASE("Within a blend, velocity and acceleration are the derivatives of position") {
  const SequenceMotion motion = Three();
  const double h = 1e-5;
  for (const double t : {3.2, 3.9, 4.4, 6.6, 7.3, 7.9}) {
    const JointState before = StateAt(motion, t - h), now = StateAt(motion, t),
                     after = StateAt(motion, t + h);
    // Truncation h²/6·|d³| ≤ 1.7e-11·1e3; rounding 2e-16/h.
    CHECK(((after.q - before.q) / (2.0 * h) - now.qd).cwiseAbs().maxCoeff() < 1e-7);
    CHECK(((after.qd - before.qd) / (2.0 * h) - now.qdd).cwiseAbs().maxCoeff() < 1e-7);
  }
}

TEST_CASE("A sequence of one part, or without time between its parts, is refused") {
  std::vector<std::unique_ptr<Motion>> one;
  one.push_back(Still());
  CHECK_THROWS_WITH_AS(
      SequenceMotion(std::move(one), 1.0, 2),
      "SequenceMotion: 1 parts, blends of 1 s: expected at least two, and positive",
      std::invalid_argument);
  std::vector<std::unique_ptr<Motion>> two;
  two.push_back(Still());
  two.push_back(Still());
  CHECK_THROWS_WITH_AS(
      SequenceMotion(std::move(two), 0.0, 2),
      "SequenceMotion: 2 parts, blends of 0 s: expected at least two, and positive",
      std::invalid_argument);
}

}  // namespace
}  // namespace idbench
