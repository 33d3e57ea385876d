#include "reports/statistics/statistics.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace idbench {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

SampleStatistics DescribeOneRollout(const std::vector<double>& values) {
  return Describe(values, std::vector<std::uint32_t>(values.size(), 0));
}

/// 1, 2, …, n
std::vector<double> Counting(std::size_t n) {
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<double>(i + 1);
  return values;
}

TEST_CASE("A large offset does not change the variance") {
  const SampleStatistics statistics = DescribeOneRollout({1e8 + 1, 1e8 + 2, 1e8 + 3});
  CHECK(statistics.mean.value() == 1e8 + 2);
  CHECK(statistics.variance.value() == 1.0);
}

TEST_CASE("Mean and standard deviation have the digits that NIST certifies for NumAcc4") {
  // 10000000.2, then 10000000.1 and 10000000.3 500 times: mean 10000000.2, sd 0.1.
  std::vector<double> values = {10000000.2};
  for (int i = 0; i < 500; ++i) values.insert(values.end(), {10000000.1, 10000000.3});
  const SampleStatistics statistics = DescribeOneRollout(values);
  CHECK(statistics.mean.value() == doctest::Approx(10000000.2).epsilon(1e-15));
  // The data themselves are rounded to 1e-9, that is 1e-8 of the deviation.
  CHECK(statistics.StandardDeviation().value() == doctest::Approx(0.1).epsilon(1e-8));
}

TEST_CASE("Statistics are those of R's summary() and var() for mtcars$mpg") {
  const SampleStatistics statistics =
      DescribeOneRollout({21.0, 21.0, 22.8, 21.4, 18.7, 18.1, 14.3, 24.4, 22.8, 19.2, 17.8,
                          16.4, 17.3, 15.2, 10.4, 10.4, 14.7, 32.4, 30.4, 33.9, 21.5, 15.5,
                          15.2, 13.3, 19.2, 27.3, 26.0, 30.4, 15.8, 19.7, 15.0, 21.4});
  CHECK(statistics.n == 32);
  CHECK(statistics.failed == 0);
  CHECK(statistics.mean.value() == doctest::Approx(20.090625).epsilon(1e-14));   // 642.9/32
  CHECK(statistics.variance.value() == doctest::Approx(36.3241).epsilon(1e-6));  // as printed
  CHECK(statistics.median.value() == doctest::Approx(19.2).epsilon(1e-14));
  CHECK(statistics.min.value() == 10.4);
  CHECK(statistics.max.value() == 33.9);
  REQUIRE(statistics.ci95_mean.has_value());
  // Student's t gives [17.92, 22.26] (R: t.test), the bootstrap leans to the long tail by the skew
  // of 0.64: about as much as Johnson's t, 0.64·(1 + 2·2.04²)/(6·√32)·1.065 = 0.19 (JASA 73, 1978).
  CHECK(std::abs(statistics.ci95_mean->lower - 18.1) < 0.2);
  CHECK(std::abs(statistics.ci95_mean->upper - 22.45) < 0.2);
}

TEST_CASE("The geometric mean and its interval are those of the logarithms") {
  std::vector<double> values;
  std::vector<double> logarithms;
  for (int i = 0; i < 20; ++i) {
    values.push_back(std::exp(0.1 * i));
    logarithms.push_back(0.1 * i);
  }
  const SampleStatistics statistics = DescribeOneRollout(values);
  CHECK(statistics.geometric_mean.value() == doctest::Approx(std::exp(0.95)).epsilon(1e-14));
  const ConfidenceInterval of_logs = DescribeOneRollout(logarithms).ci95_mean.value();
  CHECK(statistics.ci95_geometric_mean->lower ==
        doctest::Approx(std::exp(of_logs.lower)).epsilon(1e-12));
  CHECK(statistics.ci95_geometric_mean->upper ==
        doctest::Approx(std::exp(of_logs.upper)).epsilon(1e-12));
  values[3] = 0.0;
  CHECK_FALSE(DescribeOneRollout(values).geometric_mean.has_value());
  values[3] = kNotANumber;
  CHECK(DescribeOneRollout(values).geometric_mean.has_value());
}

TEST_CASE("The mean of a proportion has the interval of a proportion") {
  const Resampling resampling(std::vector<std::uint32_t>(12, 0));
  const std::vector<double> values(12, 1.0);
  CHECK(Describe(values, resampling, ValueLaw::kProportion).ci95_mean ==
        WilsonInterval(12, 12, 0.95));
  CHECK(Describe(values, resampling).ci95_mean == ConfidenceInterval{1, 1, true});
}

TEST_CASE("Failure rates count roll-outs where the motion decides, and trials where it does not") {
  const auto interval = [](const std::vector<FailureCount>& rollouts) {
    return FailureRateInterval(rollouts).value();
  };
  // 4 roll-outs of 25 trials, one of which fails always: as 1 of 4.
  CHECK(interval({{25, 25}, {25, 0}, {25, 0}, {25, 0}}) == WilsonInterval(1, 4, 0.95));
  // The same 25 failures spread evenly: as 25 of 100.
  CHECK(interval({{25, 7}, {25, 6}, {25, 6}, {25, 6}}) == WilsonInterval(25, 100, 0.95));
  // None at all: nobody knows what decides.
  CHECK(interval({{25, 0}, {25, 0}, {25, 0}, {25, 0}}) == WilsonInterval(0, 4, 0.95));
  // One roll-out: conditional on it.
  CHECK(interval({{100, 25}}) == WilsonInterval(25, 100, 0.95));
  // Each trial on its own.
  std::vector<FailureCount> own(100, {1, 0});
  for (int i = 0; i < 25; ++i) own[i].failed = 1;
  CHECK(interval(own) == WilsonInterval(25, 100, 0.95));
  CHECK_FALSE(FailureRateInterval({}).has_value());
}

TEST_CASE("The interquartile mean leaves out a quarter at each end, by parts where it must") {
  // Twelve values: 5, 6, 6, 7, 7, 8 remain.
  CHECK(DescribeOneRollout({5, 8, 4, 38, 8, 6, 9, 7, 7, 3, 1, 6}).iqm.value() == 6.5);
  // Nine: 2.25 are left out at each end, (0.75·5 + 7 + 9 + 11 + 0.75·13)/4.5.
  CHECK(DescribeOneRollout({1, 3, 5, 7, 9, 11, 13, 15, 17}).iqm.value() == 9);
  CHECK(DescribeOneRollout({1, 3, 5, 7, 9, 11, 14, 15, 17}).iqm.value() ==
        doctest::Approx((0.75 * 5 + 7 + 9 + 11 + 0.75 * 14) / 4.5).epsilon(1e-15));
}

TEST_CASE("A statistic of too few samples is absent") {
  CHECK_FALSE(DescribeOneRollout({}).mean.has_value());
  CHECK_FALSE(DescribeOneRollout({}).median.has_value());
  CHECK_FALSE(DescribeOneRollout({}).min.has_value());
  CHECK(DescribeOneRollout({4}).mean.value() == 4);
  CHECK_FALSE(DescribeOneRollout({4}).variance.has_value());
  CHECK_FALSE(DescribeOneRollout({4}).StandardDeviation().has_value());
  CHECK(DescribeOneRollout({4, 6}).variance.value() == 2);
  CHECK_FALSE(DescribeOneRollout(Counting(7)).iqm.has_value());
  CHECK(DescribeOneRollout(Counting(8)).iqm.has_value());
  CHECK_FALSE(DescribeOneRollout(Counting(9)).ci95_mean.has_value());
  CHECK(DescribeOneRollout(Counting(10)).ci95_mean.has_value());
  CHECK_FALSE(DescribeOneRollout(Counting(19)).q05.has_value());
  CHECK_FALSE(DescribeOneRollout(Counting(19)).q95.has_value());
  CHECK(DescribeOneRollout(Counting(20)).q05.value() == doctest::Approx(1.95).epsilon(1e-15));
  CHECK(DescribeOneRollout(Counting(20)).q95.value() == doctest::Approx(19.05).epsilon(1e-15));
}

TEST_CASE("The samples of an interval are roll-outs, unless there is one alone") {
  const std::vector<double> values = Counting(40);
  std::vector<std::uint32_t> nine(40);
  std::vector<std::uint32_t> ten(40);
  for (std::uint32_t i = 0; i < 40; ++i) {
    nine[i] = i % 9;
    ten[i] = i % 10;
  }
  CHECK_FALSE(Describe(values, nine).ci95_mean.has_value());
  CHECK(Describe(values, ten).ci95_mean.has_value());
}

TEST_CASE("Quantiles take a failure as +∞, moments are those of the survivors") {
  std::vector<double> values = Counting(20);
  values[4] = kNotANumber;
  values[9] = kInfinity;
  values[14] = -kInfinity;  // no less a failure
  const SampleStatistics statistics = DescribeOneRollout(values);
  CHECK(statistics.n == 17);
  CHECK(statistics.failed == 3);
  CHECK(statistics.mean.value() == doctest::Approx((210.0 - 5 - 10 - 15) / 17).epsilon(1e-15));
  CHECK(statistics.min.value() == 1);
  CHECK(statistics.max.value() == 20);
  // Survivors ascending: 1 2 3 4 6 7 8 9 11 12 13 14 16 17 18 19 20 and three failures.
  CHECK(statistics.median.value() == 12.5);
  CHECK(statistics.q05.value() == doctest::Approx(1.95).epsilon(1e-15));
  CHECK_FALSE(statistics.q95.has_value());
  CHECK(statistics.iqm.value() == (7 + 8 + 9 + 11 + 12 + 13 + 14 + 16 + 17 + 18) / 10.0);
}

TEST_CASE("With more than half failed, median and interquartile mean are absent") {
  const SampleStatistics statistics = DescribeOneRollout(
      {1, 2, 3, 4, kNotANumber, kNotANumber, kNotANumber, kNotANumber, kNotANumber});
  CHECK(statistics.n == 4);
  CHECK(statistics.mean.value() == 2.5);
  CHECK_FALSE(statistics.median.has_value());
  CHECK_FALSE(statistics.iqm.has_value());
}

TEST_CASE("An overflow is absent, never infinite") {
  const std::vector<double> large(12, 1e308);
  const SampleStatistics statistics = DescribeOneRollout(large);
  CHECK_FALSE(statistics.mean.has_value());
  CHECK_FALSE(statistics.variance.has_value());
  CHECK_FALSE(statistics.ci95_mean.has_value());
  CHECK(statistics.median.value() == 1e308);
  std::vector<double> one_large(12, 1.0);
  one_large[3] = 1e308;
  CHECK(DescribeOneRollout(one_large).mean.has_value());
  CHECK_FALSE(DescribeOneRollout(one_large).ci95_mean.has_value());
}

TEST_CASE("Sizes that differ are refused") {
  const std::vector<double> values = {1, 2};
  CHECK_THROWS_WITH_AS(Describe(values, {}),
                       "Describe: got 2 values and 0 roll-outs, accepted is one roll-out per value",
                       std::invalid_argument);
}

TEST_CASE("The 99 % quantile of durations needs 200 of them") {
  CHECK_FALSE(DescribeDurations({}).has_value());
  CHECK(DescribeDurations({3, 1, 2}).value() == DurationStatistics{2, std::nullopt, 3});
  CHECK_FALSE(DescribeDurations(Counting(199))->p99.has_value());
  CHECK(DescribeDurations(Counting(200))->p99.value() == doctest::Approx(198.01).epsilon(1e-14));
}

}  // namespace
}  // namespace idbench
