#include "sim/sensors/drift.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

namespace idbench {
namespace {

/// Drift of σ = 0.4 and T = 2 s in samples every 10 ms; a second part has none.
Eigen::VectorXd DriftOf(Eigen::Index samples, std::int64_t trial, double scale = 1.0) {
  Drift drift(Eigen::Vector2d(scale * 0.4, 0.0), 2.0);
  drift.Reset({1, trial, "identification/wrench/ft"});
  Eigen::VectorXd d(samples);
  for (Eigen::Index i = 0; i < samples; ++i) {
    Eigen::VectorXd sample = Eigen::Vector2d(0.0, 3.0);
    CHECK(drift.Apply(0.01 * static_cast<double>(i), static_cast<std::uint64_t>(i), sample));
    d[i] = sample[0];
    REQUIRE(sample[1] == 3.0);
  }
  return d;
}

TEST_CASE("A drift has its variance from the first sample on, and its correlation") {
  constexpr int kTrials = 4000;
  constexpr Eigen::Index kSamples = 401;
  Eigen::Vector3d squares = Eigen::Vector3d::Zero();  // at 0, 1 and 4 s
  double one_s = 0.0, four_s = 0.0;                   // products of those apart
  for (int trial = 0; trial < kTrials; ++trial) {
    const Eigen::VectorXd d = DriftOf(kSamples, trial);
    squares += Eigen::Vector3d(d[0], d[100], d[400]).cwiseAbs2();
    one_s += d[0] * d[100];
    four_s += d[0] * d[400];
  }
  const double variance = 0.4 * 0.4;
  for (const double sum : {squares[0], squares[1], squares[2]}) {
    CHECK(sum / kTrials == doctest::Approx(variance).epsilon(0.09));  // 4·√(2/4000)
  }
  // The error of a mean of products is at most √2/√4000 of the variance: 2.2 %.
  CHECK(std::abs(one_s / kTrials / variance - std::exp(-0.5)) < 0.09);
  CHECK(std::abs(four_s / kTrials / variance - std::exp(-2.0)) < 0.09);
}

TEST_CASE("A drift moves by √(2h/T)·σ in a short step, and never jumps") {
  const Eigen::VectorXd d = DriftOf(20'000, 0);
  const Eigen::VectorXd moves = d.tail(19'999) - d.head(19'999);
  const double rms = std::sqrt(moves.squaredNorm() / 19'999.0);
  // √(2·(1 − a))·σ with a = e^(−h/T); 0.5 % of 20 000 draws.
  CHECK(rms == doctest::Approx(0.4 * std::sqrt(-2.0 * std::expm1(-0.005))).epsilon(0.02));
  CHECK(moves.cwiseAbs().maxCoeff() < 6.0 * rms);
}

TEST_CASE("Amplitudes scale the same drift, experiments have their own, and a reset begins anew") {
  const Eigen::VectorXd d = DriftOf(300, 7);
  CHECK((DriftOf(300, 7, 2.0) - 2.0 * d).cwiseAbs().maxCoeff() < 1e-15);
  CHECK(DriftOf(300, 8) != d);
  Drift drift(Eigen::VectorXd::Constant(1, 0.4), 2.0);
  for (int run = 0; run < 2; ++run) {
    drift.Reset({1, 7, "identification/wrench/ft"});
    Eigen::VectorXd sample = Eigen::VectorXd::Zero(1);
    drift.Apply(5.0 * run, 0, sample);
    CHECK(sample[0] == d[0]);
  }
}

TEST_CASE("A drift that cannot be is refused") {
  CHECK_THROWS_WITH_AS(Drift(Eigen::Vector2d(0.1, -0.1), 1.0),
                       "Drift: a standard deviation must be finite and at least 0",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(Drift(Eigen::Vector2d(0.1, 0.1), 0.0),
                       "Drift: the correlation time must be above 0", std::invalid_argument);
}

}  // namespace
}  // namespace idbench
