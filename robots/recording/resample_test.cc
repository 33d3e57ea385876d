#include "robots/recording/resample.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

namespace idbench {
namespace {

Eigen::VectorXd JitteredInstants(Eigen::Index size, double h) {
  Eigen::VectorXd t(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const double n = static_cast<double>(i);
    t[i] = h * (n + 0.2 * std::sin(2.3 * n));
  }
  return t;
}

TEST_CASE("The nominal rate is that of the median step, which a drop-out does not move") {
  CHECK(NominalRate(Eigen::Vector4d(0.0, 0.1, 0.2, 5.0)) == doctest::Approx(10.0).epsilon(1e-14));
  // Of an even number of steps, 1 and 3, the mean of the two in the middle.
  CHECK(NominalRate(Eigen::Vector3d(0.0, 1.0, 4.0)) == 0.5);
  CHECK_THROWS_WITH_AS(NominalRate(Eigen::VectorXd::Zero(1)),
                       "got 1 time stamps, a rate needs at least 2", std::invalid_argument);
}

TEST_CASE("Jitter is the largest deviation of a step, as a share of the median step") {
  CHECK(LargestJitter(Eigen::VectorXd::LinSpaced(9, 0.0, 2.0)) == 0.0);  // steps of 1/4, exact
  CHECK(LargestJitter(Eigen::Vector4d(0.0, 1.0, 2.0, 3.25)) == 0.25);
}

TEST_CASE("Time stamps that differ by rounding are the same, by jitter not") {
  const Eigen::VectorXd a = Eigen::VectorXd::LinSpaced(100, 0.0, 1.0);
  Eigen::VectorXd b = a;
  b[50] += 1e-9;  // a step is 1e-2
  CHECK(IsSameTime(a, b));
  b[50] += 1e-6;
  CHECK_FALSE(IsSameTime(a, b));
  CHECK_FALSE(IsSameTime(a, a.head(99)));
}

TEST_CASE("Uniform time begins at the first instant and does not pass the last") {
  const Eigen::VectorXd t = UniformTime(1.0, 2.05, 10.0);
  REQUIRE(t.size() == 11);
  CHECK(t[0] == 1.0);
  CHECK(t[10] == 2.0);
  CHECK(UniformTime(0.0, 0.3, 10.0).size() == 4);  // 3 · 0.1 > 0.3 by rounding
  CHECK(UniformTime(1.0, 1.0, 10.0).size() == 1);
  CHECK_THROWS_WITH_AS(UniformTime(2.0, 1.0, 10.0), "UniformTime: got 2 … 1 s at 10 Hz",
                       std::invalid_argument);
  CHECK_THROWS_AS(UniformTime(0.0, 1.0, 0.0), std::invalid_argument);
}

TEST_CASE("Samples come back at their own instants") {
  const Eigen::VectorXd t = JitteredInstants(30, 0.1);
  const Eigen::MatrixXd x = t.array().sin().matrix();
  for (const auto interpolation : {Interpolation::kLinear, Interpolation::kCubic}) {
    const Eigen::MatrixXd y = Interpolate(t, x, t, interpolation);
    // Exact where an interval begins; the last instant is the end of one, rounded once.
    CHECK(y.topRows(29) == x.topRows(29));
    CHECK(std::abs(y(29, 0) - x(29, 0)) < 1e-15);
  }
}

TEST_CASE("Lines are interpolated exactly, and by the cubic parabolas too") {
  const Eigen::VectorXd t = JitteredInstants(30, 0.1);
  const Eigen::VectorXd at = UniformTime(t[0], t[29], 77.0);
  Eigen::MatrixXd x(30, 2), expected(at.size(), 2);
  x << 3.0 * t, t.array().square().matrix();
  expected << 3.0 * at, at.array().square().matrix();
  const Eigen::MatrixXd linear = Interpolate(t, x, at, Interpolation::kLinear);
  const Eigen::MatrixXd cubic = Interpolate(t, x, at, Interpolation::kCubic);
  // Rounding of numbers up to 9.
  CHECK((linear - expected).col(0).cwiseAbs().maxCoeff() < 1e-14);
  CHECK((linear - expected).col(1).cwiseAbs().maxCoeff() > 1e-3);
  CHECK((cubic - expected).cwiseAbs().maxCoeff() < 1e-13);
}

double InterpolationError(double rate_hz, Interpolation interpolation) {
  const Eigen::VectorXd t = UniformTime(0.0, 3.0, rate_hz);
  const Eigen::VectorXd at = UniformTime(0.0, 2.9, 7.3 * rate_hz);
  const Eigen::MatrixXd x = t.array().sin().matrix();
  return (Interpolate(t, x, at, interpolation).col(0).array() - at.array().sin()).abs().maxCoeff();
}

TEST_CASE("Halving the step divides the error by 4 (linear) and by at least 8 (cubic)") {
  // 2^order; the instants do not fall on the worst places alike, hence 5 %.
  CHECK(InterpolationError(100.0, Interpolation::kLinear) /
            InterpolationError(200.0, Interpolation::kLinear) ==
        doctest::Approx(4.0).epsilon(0.05));
  CHECK(InterpolationError(100.0, Interpolation::kCubic) /
            InterpolationError(200.0, Interpolation::kCubic) >
        7.6);
}

TEST_CASE("Nothing is extrapolated") {
  const Eigen::VectorXd t = Eigen::VectorXd::LinSpaced(5, 0.0, 1.0);
  const Eigen::MatrixXd x = Eigen::MatrixXd::Ones(5, 1);
  for (const double outside : {-0.01, 1.01}) {
    CHECK_THROWS_AS(
        Interpolate(t, x, Eigen::VectorXd::Constant(1, outside), Interpolation::kLinear),
        std::invalid_argument);
  }
  CHECK_THROWS_WITH_AS(Interpolate(t, x, Eigen::VectorXd::Constant(1, 1.5), Interpolation::kLinear),
                       "Interpolate: 1.5 s lies outside 0 … 1 s", std::invalid_argument);
  CHECK_THROWS_WITH_AS(Interpolate(t.head(2), x.topRows(2), t.head(1), Interpolation::kCubic),
                       "Interpolate: got 2 samples, at least 3 are needed", std::invalid_argument);
  CHECK_THROWS_WITH_AS(Interpolate(t, x.topRows(2), t, Interpolation::kCubic),
                       "Interpolate: 5 time stamps for 2 samples", std::invalid_argument);
}

TEST_CASE("Decimation keeps every k-th sample from the first on") {
  const Eigen::MatrixXd x = Eigen::VectorXd::LinSpaced(8, 0.0, 7.0);
  CHECK(Decimate(x, 3) == Eigen::Vector3d(0.0, 3.0, 6.0));
  CHECK(Decimate(x, 1) == x);
  CHECK(Decimate(x, 100) == Eigen::VectorXd::Zero(1));
  CHECK_THROWS_WITH_AS(Decimate(x, 0), "Decimate: got factor 0, at least 1 is accepted",
                       std::invalid_argument);
}

}  // namespace
}  // namespace idbench
