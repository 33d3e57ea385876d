#include "reports/statistics/interval.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace idbench {
namespace {

TEST_CASE("Wilson's interval is that of the literature") {
  // Newcombe, Statistics in Medicine 17, 1998, table I: 81/263, 15/148, 0/20, 1/29.
  const auto check = [](double successes, double n, double lower, double upper) {
    const ConfidenceInterval interval = WilsonInterval(successes, n, 0.95);
    CHECK(std::abs(interval.lower - lower) < 5e-5);  // printed to four digits
    CHECK(std::abs(interval.upper - upper) < 5e-5);
  };
  check(81, 263, 0.2553, 0.3662);
  check(15, 148, 0.0624, 0.1605);
  check(0, 20, 0.0, 0.1611);
  check(1, 29, 0.0061, 0.1718);
  CHECK_THROWS_WITH_AS(WilsonInterval(3, 2, 0.95),
                       "WilsonInterval: got 3 of 2 and level 0.95; accepted are 0 ≤ successes ≤ n, "
                       "n > 0 and a level in (0, 1)",
                       std::invalid_argument);
}

TEST_CASE("Effective trials are those of the variance, within what the data can tell") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  CHECK(EffectiveTrials(0.25, 0.25 * 0.75 / 40, 10, 100) == doctest::Approx(40).epsilon(1e-14));
  CHECK(EffectiveTrials(0.25, 1, 10, 100) == 10);
  CHECK(EffectiveTrials(0.25, 1e-9, 10, 100) == 100);
  CHECK(EffectiveTrials(0.25, 0, 10, kInfinity) == kInfinity);
  CHECK(EffectiveTrials(0, 0, 10, 100) == 10);
  CHECK(EffectiveTrials(1, 0, 10, 100) == 10);
}

}  // namespace
}  // namespace idbench
