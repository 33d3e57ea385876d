#include "reports/statistics/statistic.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace idbench {
namespace {

/// Statistics of 1, 2, …, 20, each on a roll-out of its own, and of some failures.
SampleStatistics OneToTwenty(std::size_t failures) {
  std::vector<double> values(20);
  std::iota(values.begin(), values.end(), 1.0);
  values.resize(values.size() + failures, std::numeric_limits<double>::infinity());
  std::vector<std::uint32_t> rollouts(values.size());
  std::iota(rollouts.begin(), rollouts.end(), 0U);
  return Describe(values, rollouts);
}

TEST_CASE("Every statistic has a name and a row, and a value of twenty samples") {
  const SampleStatistics samples = OneToTwenty(0);
  for (const auto& [statistic, name] : kEnumNames<Statistic>) {
    CAPTURE(name);
    CHECK(InfoOf(statistic).statistic == statistic);
    CHECK_FALSE(InfoOf(statistic).words.empty());
    CHECK(ValueOf(samples, statistic).has_value());
  }
}

TEST_CASE("Values are those of the closed forms") {
  const SampleStatistics samples = OneToTwenty(0);
  CHECK(ValueOf(samples, Statistic::kMean).value() == 10.5);
  CHECK(ValueOf(samples, Statistic::kMedian).value() == 10.5);
  CHECK(ValueOf(samples, Statistic::kLeastValue).value() == 1.0);
  CHECK(ValueOf(samples, Statistic::kLargestValue).value() == 20.0);
  CHECK(ValueOf(samples, Statistic::kVariance).value() == 35.0);  // n(n + 1)/12
  CHECK(ValueOf(samples, Statistic::kStandardDeviation).value() == std::sqrt(35.0));
  CHECK(ValueOf(samples, Statistic::kFailedTrials).value() == 0.0);
  // Σk² = n(n + 1)(2n + 1)/6; a few roundings.
  CHECK(ValueOf(samples, Statistic::kRootMeanSquare).value() ==
        doctest::Approx(std::sqrt(143.5)).epsilon(1e-14));
}

TEST_CASE("A row tells what a failure is: left out, infinite or counted") {
  using Failure = StatisticInfo::Failure;
  const SampleStatistics whole = OneToTwenty(0);
  const SampleStatistics failing = OneToTwenty(19);
  for (const auto& [statistic, name] : kEnumNames<Statistic>) {
    CAPTURE(name);
    const auto value = ValueOf(failing, statistic);
    switch (InfoOf(statistic).failure) {
      case Failure::kLeftOut:
        CHECK(value == ValueOf(whole, statistic));
        break;
      case Failure::kInfinite:
        CHECK(value != ValueOf(whole, statistic));
        break;
      case Failure::kCounted:
        CHECK(value.value() == 19.0);
        break;
    }
  }
}

TEST_CASE("The means alone have an interval") {
  const SampleStatistics samples = OneToTwenty(0);
  CHECK(IntervalOf(samples, Statistic::kMean) == samples.ci95_mean);
  CHECK(IntervalOf(samples, Statistic::kGeometricMean) == samples.ci95_geometric_mean);
  REQUIRE(samples.ci95_mean.has_value());
  for (const auto& [statistic, name] : kEnumNames<Statistic>) {
    CAPTURE(name);
    const bool is_mean = statistic == Statistic::kMean || statistic == Statistic::kGeometricMean;
    CHECK(IntervalOf(samples, statistic).has_value() == is_mean);
    CHECK((InfoOf(statistic).interval != nullptr) == is_mean);
  }
}

}  // namespace
}  // namespace idbench
