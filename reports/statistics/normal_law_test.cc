#include "reports/statistics/normal_law.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

namespace idbench {
namespace {

TEST_CASE("Quantiles of the normal law are those of its tables, and turn Φ = erfc/2 back") {
  CHECK(NormalQuantile(0.5) == 0);
  // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.1, with more digits.
  CHECK(NormalQuantile(0.95) == doctest::Approx(1.6448536269514722).epsilon(1e-15));
  CHECK(NormalQuantile(0.995) == doctest::Approx(2.5758293035489004).epsilon(1e-15));
  for (const double p : {1e-9, 0.02, 0.3, 0.8}) {
    CHECK(0.5 * std::erfc(-NormalQuantile(p) / std::sqrt(2.0)) ==
          doctest::Approx(p).epsilon(1e-14));
  }
}

TEST_CASE("The constants are the quantiles that they name") {
  CHECK(kNormal95 == doctest::Approx(NormalQuantile(0.975)).epsilon(4e-16));
  CHECK(std::abs(kSigmaPerMedian - 1 / NormalQuantile(0.75)) < 5e-5);  // four decimals
}

TEST_CASE("There is no quantile beyond the probabilities 0 and 1") {
  CHECK_THROWS_AS(NormalQuantile(-0.1), std::domain_error);
  CHECK_THROWS_AS(NormalQuantile(1.0), std::overflow_error);
}

}  // namespace
}  // namespace idbench
