#include "reports/statistics/chi_square.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace idbench {
namespace {

ChiSquareSum SumOf(double sum, double degrees, std::size_t missing = 0) {
  return {sum, degrees, 1, missing};
}

TEST_CASE("A χ² sum has the probabilities of the closed forms and of the tables") {
  // Two degrees: 1 − e^(−x/2); one: erf(√(x/2)).
  CHECK(ProbabilityOfAtMost(SumOf(0.01, 2)) == doctest::Approx(-std::expm1(-0.005)).epsilon(1e-13));
  CHECK(ProbabilityOfAtMost(SumOf(3.0, 1)) ==
        doctest::Approx(std::erf(std::sqrt(1.5))).epsilon(1e-13));
  CHECK(ProbabilityOfAtMost(SumOf(0.0, 5)) == 0.0);
  // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.4: lower 0.001 quantiles of ten and
  // 100 degrees, printed to three decimals.
  CHECK(ProbabilityOfAtMost(SumOf(1.479, 10)) == doctest::Approx(0.001).epsilon(0.002));
  CHECK(ProbabilityOfAtMost(SumOf(61.918, 100)) == doctest::Approx(0.001).epsilon(0.0005));
}

TEST_CASE("Terms add up with their degrees of freedom") {
  ChiSquareSum sum;
  sum.Add(1.25, 3);
  sum.Add(0.5, 7);
  CHECK(sum.sum == 1.75);
  CHECK(sum.degrees == 10);
  CHECK(sum.terms == 2);
}

TEST_CASE("A missing term may have been the largest") {
  // The less of two χ² with two degrees: P(min ≤ x) = 1 − e^(−x), at most twice 1 − e^(−x/2).
  const double x = 0.02;
  const double p = ProbabilityOfAtMost(SumOf(x, 2, 1));
  CHECK(p == doctest::Approx(2 * -std::expm1(-x / 2)).epsilon(1e-12));
  CHECK(p >= -std::expm1(-x));
  CHECK(p < -std::expm1(-x) * 1.01);
  CHECK(ProbabilityOfAtMost(SumOf(3, 2, 1)) == 1.0);  // 2·0.78
  CHECK(ProbabilityOfAtMost(SumOf(0, 2, 1)) == 0.0);
}

TEST_CASE("What is no sum of squares is refused") {
  CHECK_THROWS_WITH_AS(ProbabilityOfAtMost({}),
                       "ProbabilityOfAtMost: got 0 terms with the sum 0 and 0 degrees of freedom; "
                       "accepted are at least one term, a finite sum ≥ 0 and finite degrees > 0",
                       std::invalid_argument);
  CHECK_THROWS_AS(ProbabilityOfAtMost(SumOf(-1, 2)), std::invalid_argument);
  CHECK_THROWS_AS(ProbabilityOfAtMost(SumOf(1, 0)), std::invalid_argument);
  CHECK_THROWS_AS(ProbabilityOfAtMost(SumOf(std::numeric_limits<double>::quiet_NaN(), 2)),
                  std::invalid_argument);
}

}  // namespace
}  // namespace idbench
