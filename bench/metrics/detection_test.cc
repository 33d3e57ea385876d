#include "bench/metrics/detection.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "robots/random/random_stream.h"

namespace idbench {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
const double kNone = std::nan("");

DetectionRecord Made(const std::vector<double>& statistic, const std::vector<bool>& there,
                     double step_s = 0.1) {
  DetectionRecord record;
  const auto size = std::ssize(statistic);
  record.time_s = step_s * Eigen::VectorXd::LinSpaced(size, 0.0, static_cast<double>(size - 1));
  record.statistic = Eigen::Map<const Eigen::VectorXd>(statistic.data(), size);
  record.there = there;
  return record;
}

double Area(const DetectionRecord& record) { return AreaUnder(RocOf(record)).value(); }

/// N(0, 1) at 100 Hz; within each of the `touches`, which begin every 4 s and last 1 s, N(shift,
/// 1).
DetectionRecord Shifted(double shift, int touches, const std::string& name) {
  const RandomStream stream(5, 0, name);
  std::vector<double> statistic;
  std::vector<bool> there;
  for (int k = 0; k < 400 * touches; ++k) {
    there.push_back(k % 400 >= 300);
    statistic.push_back(stream.Normal(0, static_cast<std::uint64_t>(k)) +
                        (there.back() ? shift : 0.0));
  }
  return Made(statistic, there, 0.01);
}

/// Φ(x)
double Normal(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

TEST_CASE("The area is the share of pairs in order, ties by half, and 1/2 of a constant") {
  CHECK(Area(Made({1, 2, 3, 4}, {false, false, true, true})) == 1.0);
  CHECK(Area(Made({1, 2, 3, 4}, {true, true, false, false})) == 0.0);
  CHECK(Area(Made({1, 3, 2, 4}, {false, false, true, true})) == 0.75);
  CHECK(Area(Made({1, 2, 2, 3}, {false, false, true, true})) == 0.875);
  CHECK(Area(Made({7, 7, 7, 7}, {false, true, false, false})) == 0.5);
  CHECK(Area(Made({1, kNone, 2, kNone}, {false, false, true, true})) == 1.0);
  CHECK(Area(Made({-kInfinite, 0, kInfinite}, {false, false, true})) == 1.0);
}

TEST_CASE("Where all samples are positive, none is, or none has a statistic, there is no curve") {
  for (const auto& record :
       {Made({1, 2}, {true, true}), Made({1, 2}, {false, false}), Made({}, {}),
        Made({kNone, kNone}, {true, false}), Made({1, kNone}, {true, false})}) {
    CHECK(RocOf(record).empty());
    CHECK(!AreaUnder(RocOf(record)));
    CHECK(!TruePositiveRateAt(RocOf(record), 0.1));
  }
}

TEST_CASE("The rate at a false positive rate lies on the curve, and on its diagonal by chance") {
  const auto rate = [](const DetectionRecord& record, double at) {
    return TruePositiveRateAt(RocOf(record), at).value();
  };
  const DetectionRecord four = Made({1, 3, 2, 4}, {false, false, true, true});
  CHECK(rate(four, 0.0) == 0.5);
  CHECK(rate(four, 0.5) == 1.0);
  CHECK(rate(four, 0.25) == 0.5);  // between 4 > 3 and 3 > 2 nothing more is found
  CHECK(rate(four, 1.0) == 1.0);
  const DetectionRecord constant = Made({7, 7, 7, 7}, {false, true, false, true});
  CHECK(rate(constant, 0.06) == doctest::Approx(0.06));
  CHECK(rate(constant, 1.0) == 1.0);
}

TEST_CASE("Of normal distributions area and rate are those of the books, within sampling error") {
  // 200,000 samples: the area's σ is about 1e-3, Hanley & McNeil's formula.
  const DetectionRecord record = Shifted(1.5, 500, "area");
  CHECK(std::abs(Area(record) - Normal(1.5 / std::sqrt(2.0))) < 4e-3);
  const double threshold = 1.554774;  // Φ⁻¹(0.94)
  CHECK(std::abs(TruePositiveRateAt(RocOf(record), 0.06).value() - Normal(1.5 - threshold)) < 0.01);
  CHECK(std::abs(Area(Shifted(0.0, 500, "none")) - 0.5) < 4e-3);
}

TEST_CASE("Episodes hold samples without a gap, or one that is short enough") {
  const std::vector<bool> active = {true, true, false, true, false, false, false, true};
  const Eigen::VectorXd time_s = Eigen::VectorXd::LinSpaced(8, 0.0, 0.7);
  const auto count = [&](double join_s) { return EpisodesOf(time_s, active, join_s).size(); };
  CHECK(count(0.0) == 3);
  CHECK(count(0.21) == 2);
  CHECK(count(0.5) == 1);
  const std::vector<Episode> episodes = EpisodesOf(time_s, active, 0.0);
  CHECK(episodes[0].first == 0);
  CHECK(episodes[0].last == 1);
  CHECK(episodes[2].first == 7);
  CHECK(EpisodesOf(time_s, std::vector<bool>(8, false), 1.0).empty());
  // Samples far apart in time are neighbours all the same.
  CHECK(EpisodesOf(Eigen::Vector2d(0.0, 9.0), {true, true}, 0.0).size() == 1);
}

TEST_CASE(
    "False episodes are counted per minute without touch, and trailing alarms are not false") {
  // 10 s at 10 Hz, touched from 5 s to 6 s.
  std::vector<bool> there(101, false), alarms(101, false);
  for (std::size_t k = 50; k < 60; ++k) there[k] = true;
  const DetectionRecord record = Made(std::vector<double>(101, 0.0), there);
  CHECK(FalseEpisodesPerMinute(record, alarms) == 0.0);
  for (std::size_t k = 55; k < 65; ++k) alarms[k] = true;  // goes on after the touch
  CHECK(FalseEpisodesPerMinute(record, alarms) == 0.0);
  alarms[10] = alarms[12] = true;  // 0.2 s apart: one
  alarms[20] = true;
  CHECK(FalseEpisodesPerMinute(record, alarms).value() == doctest::Approx(60.0 * 2 / 9));
  CHECK(!FalseEpisodesPerMinute(Made({1, 2}, {true, true}), {true, true}));
}

TEST_CASE("A delay is from the beginning of what is there to its first alarm, or infinite") {
  const DetectionRecord record =
      Made({0, 9, 0, 5, 9, 0, 0, 0, 0, 1},
           {false, false, false, true, true, false, true, true, false, true});
  const std::vector<double> delays = DelaysOf(record, AlarmsAbove(record, 6));
  REQUIRE(delays.size() == 3);
  CHECK(delays[0] == doctest::Approx(0.1));
  CHECK(delays[1] == kInfinite);
  CHECK(delays[2] == kInfinite);
  CHECK(MedianDelay(delays) == kInfinite);
  CHECK(MedianDelay({0.1, 0.3, kInfinite}) == 0.3);
  CHECK(MedianDelay({0.1, 0.2, kInfinite, kInfinite}) == 0.2);
  CHECK(!MedianDelay({}));
  const std::vector<bool> always(10, true);
  CHECK(MedianDelay(DelaysOf(record, always)) == 0.0);
}

TEST_CASE("The threshold for a rate of false episodes is the lowest that keeps to it") {
  // Peaks of 3, 5 and 4 where nothing is there, 1 s apart; 2 where something is.
  std::vector<double> statistic(61, 0.0);
  statistic[10] = 3;
  statistic[20] = 5;
  statistic[30] = 4;
  std::vector<bool> there(61, false);
  for (std::size_t k = 45; k < 50; ++k) {
    there[k] = true;
    statistic[k] = 2;
  }
  const DetectionRecord record = Made(statistic, there);
  const double minute = 60.0 / 5.5;  // of one episode
  CHECK(ThresholdAt(record, 0.0) == 5.0);
  CHECK(ThresholdAt(record, 1.01 * minute) == 4.0);
  CHECK(ThresholdAt(record, 2.01 * minute) == 3.0);
  CHECK(ThresholdAt(record, 3.01 * minute) == 0.0);
  CHECK(!ThresholdAt(Made({1, 2}, {true, true}), 1.0));
  CHECK(ThresholdAt(Made({kNone, kNone, 2}, {false, false, true}), 1.0) == -kInfinite);
  // The number found is the number asked for, on noise of which many thresholds are tried.
  const DetectionRecord noisy = Shifted(3.0, 60, "threshold");
  for (const double per_minute : {1.0, 5.0, 20.0}) {
    const double threshold = ThresholdAt(noisy, per_minute).value();
    CHECK(FalseEpisodesPerMinute(noisy, AlarmsAbove(noisy, threshold)).value() <= per_minute);
    const double lower = threshold - 0.05;
    CHECK(FalseEpisodesPerMinute(noisy, AlarmsAbove(noisy, lower)).value() > 0.9 * per_minute);
  }
}

TEST_CASE("The delay of a step in white noise is that of waiting for the threshold, known") {
  // An alarm comes at each sample with the chance p: the median of the geometric distribution.
  const DetectionRecord record = Shifted(1.0, 400, "delay");
  const double p = 1.0 - Normal(2.5 - 1.0);
  const double median_s = 0.01 * std::floor(std::log(0.5) / std::log(1.0 - p));
  const double found_s = MedianDelay(DelaysOf(record, AlarmsAbove(record, 2.5))).value();
  CHECK(std::abs(found_s - median_s) <= 0.02);  // σ of the median of 400 is 0.7 samples
}

}  // namespace
}  // namespace idbench
