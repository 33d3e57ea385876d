#include "robots/recording/motion_band.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>

namespace idbench {
namespace {

/// Σ of sines with amplitudes that give them equal accelerations, on two joints out of phase.
PositionLog Sines(std::span<const double> frequencies_hz, double duration_s, double rate_hz) {
  PositionLog log;
  log.rate_hz = rate_hz;
  log.q.setZero(static_cast<Eigen::Index>(duration_s * rate_hz), 2);
  for (const double f : frequencies_hz) {
    const double w = 2.0 * std::numbers::pi * f;
    for (Eigen::Index i = 0; i < log.q.rows(); ++i) {
      const double t = static_cast<double>(i) / rate_hz;
      log.q(i, 0) += std::sin(w * t) / (w * w);
      log.q(i, 1) += std::cos(w * t + f) / (w * w);
    }
  }
  return log;
}

PositionLog WithNoise(PositionLog log, double sigma) {
  std::mt19937 bits(7);
  std::normal_distribution<double> normal(0.0, sigma);
  for (double& q : log.q.reshaped()) q += normal(bits);
  return log;
}

TEST_CASE("Of a few sines the band ends just above the highest, whatever the rate") {
  const std::array sines = {0.2, 0.5, 1.0};
  for (const double rate_hz : {100.0, 400.0}) {
    const PositionLog log = Sines(sines, 40.0, rate_hz);
    const MotionBand band = FindMotionBand({&log, 1});
    CHECK(band.steady);
    // Both passes keep 1/1.05 of a sine whose frequency is 1/1.35 of the cut-off; frequencies are
    // quarter octaves, so that the first above is at most 1.35·2^(1/4) times the sine's.
    CHECK(band.frequency_hz > 1.0);
    CHECK(band.frequency_hz < 1.61);
    // At 100 Hz, 20 times the band is above the highest frequency that is tried.
    if (rate_hz > 200.0) CHECK(band.cutoff_hz == doctest::Approx(20.0 * band.frequency_hz));
    CHECK(band.cutoff_hz <= 0.2 * rate_hz);
    CHECK(band.cutoff_hz > 16.0);
  }
}

TEST_CASE("Scraps of a log beside a long one do not move the band") {
  const std::array sines = {0.2, 0.5, 1.0};
  const PositionLog whole = Sines(sines, 40.0, 200.0);
  const MotionBand band = FindMotionBand({&whole, 1});
  for (const double scrap_s : {0.05, 0.9, 5.0}) {
    CAPTURE(scrap_s);
    const std::array logs = {Sines(sines, scrap_s, 200.0), whole};
    const MotionBand with = FindMotionBand(logs);
    CHECK(with.frequency_hz == band.frequency_hz);
    CHECK(with.cutoff_hz == band.cutoff_hz);
  }
}

TEST_CASE("A slow motion below a fast one is not all of the band") {
  const std::array both = {0.25, 5.0};
  PositionLog log = Sines(both, 40.0, 200.0);
  log.q += 0.5 * Sines(std::array{5.0}, 40.0, 200.0).q;
  const MotionBand band = FindMotionBand({&log, 1});
  CHECK(band.frequency_hz > 5.0);
  CHECK(band.frequency_hz < 5.0 * 1.61);
}

TEST_CASE("Noise lowers the cut-off to where it is as strong as the motion, and not the band") {
  const std::array sines = {0.5, 1.0};
  const PositionLog clean = Sines(sines, 40.0, 200.0);
  const PositionLog log = WithNoise(clean, 2e-3);
  const MotionBand band = FindMotionBand({&log, 1});
  CHECK(band.steady);
  CHECK(band.frequency_hz == doctest::Approx(FindMotionBand({&clean, 1}).frequency_hz));
  // Noise of density 2σ²/rate up to f has accelerations of (2π)⁴·2σ²/rate·f⁵/5; those of the motion
  // are 2·1/2. Equal at 9.6 Hz; the low-pass is not sharp, and frequencies are quarter octaves.
  const double equal =
      std::pow(5.0 * 200.0 / (2.0 * 4e-6 * std::pow(2.0 * std::numbers::pi, 4)), 0.2);
  CHECK(band.cutoff_hz > 0.7 * equal);
  CHECK(band.cutoff_hz < 1.3 * equal);
}

TEST_CASE("Where noise reaches into the band, the cut-off is the least bad, and that is said") {
  const PositionLog log = WithNoise(Sines(std::array{1.0}, 40.0, 200.0), 3e-2);
  const MotionBand band = FindMotionBand({&log, 1});
  CHECK_FALSE(band.steady);
  CHECK(band.cutoff_hz == band.frequency_hz);
}

TEST_CASE("Several logs count together") {
  const std::vector<PositionLog> logs = {Sines(std::array{0.5}, 40.0, 200.0),
                                         Sines(std::array{2.0}, 40.0, 100.0)};
  CHECK(FindMotionBand(logs).frequency_hz > 2.0);
}

TEST_CASE("Logs that tell nothing are refused") {
  CHECK_THROWS_WITH_AS(FindMotionBand({}), "there is no log", std::invalid_argument);
  PositionLog log{Eigen::MatrixXd::Zero(400, 1), 100.0};
  CHECK_THROWS_WITH_AS(FindMotionBand({&log, 1}), "nothing moves", std::invalid_argument);
  log.rate_hz = 0.0;
  CHECK_THROWS_WITH_AS(FindMotionBand({&log, 1}), "a rate is not positive", std::invalid_argument);
  const PositionLog few{Eigen::MatrixXd::Zero(199, 1), 100.0};
  CHECK_THROWS_WITH_AS(FindMotionBand({&few, 1}), "a log has fewer than 200 samples",
                       std::invalid_argument);
}

}  // namespace
}  // namespace idbench
