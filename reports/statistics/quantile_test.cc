#include "reports/statistics/quantile.h"

#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>
#include <vector>

namespace idbench {
namespace {

constexpr double kFailure = std::numeric_limits<double>::infinity();

// Rounding of one interpolation between numbers below 100.
constexpr double kRounding = 1e-14;

TEST_CASE("Quantiles are those of R's quantile() for mtcars$mpg") {
  const std::vector<double> mpg = {10.4, 10.4, 13.3, 14.3, 14.7, 15.0, 15.2, 15.2, 15.5, 15.8, 16.4,
                                   17.3, 17.8, 18.1, 18.7, 19.2, 19.2, 19.7, 21.0, 21.0, 21.4, 21.4,
                                   21.5, 22.8, 22.8, 24.4, 26.0, 27.3, 30.4, 30.4, 32.4, 33.9};
  CHECK(SortedQuantile(mpg, 0.0).value() == 10.4);
  CHECK(SortedQuantile(mpg, 0.25).value() == doctest::Approx(15.425).epsilon(kRounding));
  CHECK(SortedQuantile(mpg, 0.5).value() == doctest::Approx(19.2).epsilon(kRounding));
  CHECK(SortedQuantile(mpg, 0.75).value() == doctest::Approx(22.8).epsilon(kRounding));
  CHECK(SortedQuantile(mpg, 1.0).value() == 33.9);
}

TEST_CASE("Quantiles are those of numpy.quantile for 1, 2, …, 10") {
  const std::vector<double> ten = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  CHECK(SortedQuantile(ten, 0.05).value() == doctest::Approx(1.45).epsilon(kRounding));
  CHECK(SortedQuantile(ten, 0.9).value() == doctest::Approx(9.1).epsilon(kRounding));
}

TEST_CASE("A quantile that is or leans on a failure is absent") {
  const std::vector<double> sample = {1, 2, 3, kFailure, kFailure};
  CHECK(SortedQuantile(sample, 0.5).value() == 3);  // h = 2: exactly the last success
  CHECK_FALSE(SortedQuantile(sample, 0.51).has_value());
  CHECK_FALSE(SortedQuantile(sample, 0.75).has_value());
  CHECK_FALSE(SortedQuantile(sample, 0.9).has_value());
}

TEST_CASE("An empty sample has no quantile and a single value is all of its quantiles") {
  CHECK_FALSE(SortedQuantile({}, 0.5).has_value());
  const std::vector<double> one = {7};
  CHECK(SortedQuantile(one, 0.05).value() == 7);
  CHECK(SortedQuantile(one, 1.0).value() == 7);
}

TEST_CASE("A probability outside [0, 1] is refused") {
  const std::vector<double> one = {7};
  CHECK_THROWS_WITH_AS(SortedQuantile(one, 1.5),
                       "SortedQuantile: got p = 1.5, accepted are probabilities in [0, 1]",
                       std::invalid_argument);
}

}  // namespace
}  // namespace idbench
