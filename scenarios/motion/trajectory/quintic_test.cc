#include "scenarios/motion/trajectory/quintic.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace idbench {
namespace {

TEST_CASE("The step goes from 0 to 1, at rest and without acceleration at both ends") {
  for (const double t : {-1.0, 0.0}) {
    const QuinticStep before = EvaluateQuinticStep(t, 2.0);
    CHECK(before.s == 0.0);
    CHECK(before.ds == 0.0);
    CHECK(before.dds == 0.0);
  }
  for (const double t : {2.0, 5.0}) {
    const QuinticStep after = EvaluateQuinticStep(t, 2.0);
    CHECK(after.s == 1.0);
    CHECK(after.ds == 0.0);
    CHECK(after.dds == 0.0);
  }
  CHECK(EvaluateQuinticStep(1.0, 2.0).s == doctest::Approx(0.5).epsilon(1e-15));
  // Just inside the ends: s ≈ 10u³, ṡ ≈ 30u², s̈ ≈ 60u, and the mirror image.
  CHECK(std::abs(EvaluateQuinticStep(1e-9, 1.0).dds) < 1e-7);
  CHECK(std::abs(EvaluateQuinticStep(1.0 - 1e-9, 1.0).dds) < 1e-7);
  CHECK(std::abs(EvaluateQuinticStep(1.0 - 1e-9, 1.0).s - 1.0) < 1e-14);  // rounding of 10 − 15 + 6
}

TEST_CASE("Speed and acceleration are derivatives, and their peaks are the stated ones") {
  double speed = 0.0;
  double acceleration = 0.0;
  const double h = 1e-5;
  for (int i = 1; i < 20000; ++i) {
    const double t = 3.0 * i / 20000;
    const QuinticStep now = EvaluateQuinticStep(t, 3.0);
    const QuinticStep before = EvaluateQuinticStep(t - h, 3.0);
    const QuinticStep after = EvaluateQuinticStep(t + h, 3.0);
    // Truncation h²/6·60/27 = 4e-11, and as much again of a one-sided end; rounding 1e-16/h.
    CHECK(std::abs((after.s - before.s) / (2.0 * h) - now.ds) < 1e-9);
    CHECK(std::abs((after.ds - before.ds) / (2.0 * h) - now.dds) < 2e-5 * h / 1e-5);
    speed = std::max(speed, now.ds * 3.0);
    acceleration = std::max(acceleration, std::abs(now.dds) * 9.0);
  }
  // The grid misses a peak by at most curvature/2·(1/40000)².
  CHECK(speed == doctest::Approx(kQuinticPeakSpeed).epsilon(1e-7));
  CHECK(acceleration == doctest::Approx(kQuinticPeakAcceleration).epsilon(1e-7));
}

}  // namespace
}  // namespace idbench
