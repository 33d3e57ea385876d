#include "robots/recording/power_ratio.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>

namespace idbench {
namespace {

/// Uniform numbers in (0, 1) of a fixed sequence (Knuth's MMIX generator).
class Uniform {
 public:
  double operator()() {
    state_ = 6364136223846793005u * state_ + 1442695040888963407u;
    return (static_cast<double>(state_ >> 11) + 0.5) * 0x1.0p-53;
  }

 private:
  std::uint64_t state_ = 1;
};

/// The periodogram of white noise: exponential ordinates.
Eigen::VectorXd White(Uniform& uniform, Eigen::Index ordinates) {
  Eigen::VectorXd power(ordinates);
  for (double& each : power) each = -std::log(uniform());
  return power;
}

TEST_CASE("A line is worth two degrees of freedom, white noise twice its ordinates less two") {
  const PowerEstimate line = PowerOf(Eigen::Vector3d(0.0, 5.0, 0.0));
  CHECK(line.power == 5.0);
  CHECK(line.freedom == 2.0);
  Uniform uniform;
  // ΣP² of 4,000 ordinates scatters by √20/2/√4000 = 3.5 % (one standard deviation).
  CHECK(PowerOf(White(uniform, 4000)).freedom == doctest::Approx(7998.0).epsilon(0.1));
  CHECK(PowerOf(Eigen::Vector2d::Zero()).freedom == 2.0);
  // Three bins of one line behind a Hann taper.
  CHECK(PowerOf(Eigen::Vector3d(0.25, 1.0, 0.25), kHannRepetition).freedom ==
        doctest::Approx(4.0 * 2.25 / (kHannRepetition * 1.125) - 2.0));
}

TEST_CASE("Of two equal powers one is told to be larger as often as asked for") {
  Uniform uniform;
  int told = 0;
  const int trials = 20000;
  for (int trial = 0; trial < trials; ++trial) {
    const PowerEstimate a = PowerOf(White(uniform, 40)), b = PowerOf(White(uniform, 40));
    if (Exceeds(a, b, 0.05)) ++told;
  }
  // 1,000 ± 31; estimated degrees of freedom move the rate by a few tenths.
  CHECK(told > 700);
  CHECK(told < 1300);
}

TEST_CASE("A power that is larger by far is told to be, also beside none, and never an equal one") {
  CHECK(Exceeds({100.0, 10.0}, {1.0, 10.0}, 1e-3));
  CHECK(!Exceeds({2.0, 10.0}, {1.0, 10.0}, 1e-3));
  CHECK(!Exceeds({100.0, 2.0}, {1.0, 2.0}, 1e-3));  // F's quantile is 999
  CHECK(Exceeds({1.0, 2.0}, {0.0, 2.0}, 1e-3));
  CHECK(!Exceeds({0.0, 2.0}, {0.0, 2.0}, 1e-3));
}

}  // namespace
}  // namespace idbench
