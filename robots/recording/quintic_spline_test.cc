#include "robots/recording/quintic_spline.h"

#include <doctest/doctest.h>

#include <cmath>

namespace idbench {
namespace {

/// x(t) at 0, h, 2h …, one column.
template <class Function>
Eigen::MatrixXd Sampled(Eigen::Index samples, double step_s, const Function& x) {
  return Eigen::VectorXd::NullaryExpr(
      samples, [&](Eigen::Index i) { return x(step_s * static_cast<double>(i)); });
}

double Quintic(double t) { return 1.0 + t * (-2.0 + t * (0.5 + t * (3.0 + t * (-1.0 + t)))); }
double QuinticRate(double t) { return -2.0 + t * (1.0 + t * (9.0 + t * (-4.0 + t * 5.0))); }
double QuinticAcceleration(double t) { return 1.0 + t * (18.0 + t * (-12.0 + t * 20.0)); }

TEST_CASE("A polynomial of degree 5 is its own quintic spline, with as many knots as may be") {
  for (const int knot_samples : {1, 3, 8, 100}) {
    CAPTURE(knot_samples);
    const Eigen::MatrixXd x = Sampled(41, 0.05, Quintic);
    const SmoothSignals s = QuinticSpline(x, 0.05, knot_samples, 2);
    REQUIRE(s.value.rows() == 81);
    // Round-off of values near 30, divided by the step once and twice.
    CHECK((s.value - Sampled(81, 0.025, Quintic)).cwiseAbs().maxCoeff() < 1e-12);
    CHECK((s.rate - Sampled(81, 0.025, QuinticRate)).cwiseAbs().maxCoeff() < 1e-10);
    CHECK((s.acceleration - Sampled(81, 0.025, QuinticAcceleration)).cwiseAbs().maxCoeff() < 1e-8);
  }
}

TEST_CASE("Six samples have one polynomial, and the spline is it") {
  const SmoothSignals s = QuinticSpline(Sampled(6, 0.2, Quintic), 0.2, 1, 4);
  CHECK((s.value - Sampled(21, 0.05, Quintic)).cwiseAbs().maxCoeff() < 1e-12);
}

TEST_CASE("The spline goes through all samples of all signals") {
  Eigen::MatrixXd x(30, 2);
  for (int i = 0; i < 30; ++i) x.row(i) << std::sin(1.7 * i * i), i % 3;
  const SmoothSignals s = QuinticSpline(x, 0.01);
  CHECK((s.value - x).cwiseAbs().maxCoeff() < 1e-12);
}

TEST_CASE("Half the step leaves a 32nd of the rate's error and a 16th of the acceleration's") {
  const auto error = [](Eigen::Index samples) {
    const double step_s = 2.0 / static_cast<double>(samples - 1);
    const auto x = [](double t) { return std::sin(3.0 * t); };
    const SmoothSignals s = QuinticSpline(Sampled(samples, step_s, x), step_s, 1, 2);
    const auto largest = [&](const Eigen::MatrixXd& got, auto expected) {
      return (got - Sampled(got.rows(), 0.5 * step_s, expected)).cwiseAbs().maxCoeff();
    };
    return std::pair(largest(s.rate, [](double t) { return 3.0 * std::cos(3.0 * t); }),
                     largest(s.acceleration, [](double t) { return -9.0 * std::sin(3.0 * t); }));
  };
  const auto [rate, acceleration] = error(61);
  const auto [finer_rate, finer_acceleration] = error(121);
  // The asymptotic order, up to what the next term of the expansion adds.
  CHECK(std::abs(std::log2(rate / finer_rate) - 5.0) < 0.5);
  CHECK(std::abs(std::log2(acceleration / finer_acceleration) - 4.0) < 0.5);
}

TEST_CASE("One knot for eight samples makes a coarse encoder's acceleration ten times better") {
  const double step_s = 0.01, count = 2.0 * 3.14159265358979 / 20000.0;
  const auto x = [](double t) { return std::sin(4.0 * t); };
  const auto read = [&](double t) { return count * std::round(x(t) / count); };
  const auto error = [&](int knot_samples) {
    const SmoothSignals s = QuinticSpline(Sampled(1001, step_s, read), step_s, knot_samples);
    return (s.acceleration -
            Sampled(1001, step_s, [](double t) { return -16.0 * std::sin(4.0 * t); }))
        .norm();
  };
  CHECK(error(8) < 0.1 * error(1));
}

TEST_CASE("What a spline cannot be made of is refused") {
  const Eigen::MatrixXd x = Eigen::MatrixXd::Zero(5, 1);
  CHECK_THROWS_WITH(QuinticSpline(x, 0.01),
                    "QuinticSpline: a quintic spline needs 6 samples, got 5");
  CHECK_THROWS_WITH(QuinticSpline(x, 0.0),
                    "QuinticSpline: step, samples per knot and instants per step must be positive");
  CHECK_THROWS_WITH(QuinticSpline(Eigen::MatrixXd::Zero(8, 1), 0.01, 2),
                    "QuinticSpline: 8 samples are too few for one knot every 2");
}

}  // namespace
}  // namespace idbench
