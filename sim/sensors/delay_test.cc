#include "sim/sensors/delay.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

namespace idbench {
namespace {

/// Readings of (t, t²) at 0, T, 2T … with T = 0.01 s.
Eigen::MatrixXd Readings(double delay_s, Eigen::Index samples) {
  Delay delay(delay_s);
  delay.Reset({1, 0, "identification/joint_position"});
  Eigen::MatrixXd readings(samples, 2);
  for (Eigen::Index i = 0; i < samples; ++i) {
    const double t = 0.01 * static_cast<double>(i);
    Eigen::VectorXd sample = Eigen::Vector2d(t, t * t);
    CHECK(delay.Apply(t, static_cast<std::uint64_t>(i), sample));
    readings.row(i) = sample.transpose();
  }
  return readings;
}

TEST_CASE("A delay of whole periods gives earlier samples, bit for bit") {
  const Eigen::MatrixXd now = Readings(0.0, 50);
  CHECK(now(49, 0) == 0.49);
  const Eigen::MatrixXd late = Readings(0.03, 50);
  CHECK(late.bottomRows(47) == now.topRows(47));
}

TEST_CASE(
    "In between it is linear, exact for what is, and off by x''·T²/8 at most for what is not") {
  const Eigen::MatrixXd late = Readings(0.025, 50);
  for (Eigen::Index i = 3; i < 50; ++i) {
    const double then = 0.01 * static_cast<double>(i) - 0.025;
    CHECK(late(i, 0) == doctest::Approx(then).epsilon(1e-12));  // rounding of t/T
    // In the middle of two samples the bound is met: 2·0.01²/8.
    CHECK(late(i, 1) - then * then == doctest::Approx(2.5e-5).epsilon(1e-9));
  }
}

TEST_CASE("Before the delay has passed the reading is the first one") {
  CHECK(Readings(0.025, 3).isZero(0.0));
}

TEST_CASE("A reset forgets the past") {
  Delay delay(0.02);
  Eigen::VectorXd sample = Eigen::VectorXd::Constant(1, 5.0);
  delay.Apply(0.0, 0, sample);
  delay.Reset({1, 1, "identification/joint_position"});
  sample(0) = 7.0;
  delay.Apply(0.0, 0, sample);
  CHECK(sample(0) == 7.0);
}

TEST_CASE("A delay that is negative or not finite is refused") {
  CHECK_THROWS_WITH_AS(Delay(-0.1), "Delay: it must be finite and at least 0",
                       std::invalid_argument);
  CHECK_THROWS_AS(Delay{NAN}, std::invalid_argument);
  CHECK_THROWS_AS(Delay{INFINITY}, std::invalid_argument);
}

}  // namespace
}  // namespace idbench
