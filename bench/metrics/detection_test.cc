#include "bench/metrics/detection.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

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

void Set(std::vector<bool>& flags, std::size_t first, std::size_t last) {
  for (std::size_t k = first; k <= last; ++k) flags[k] = true;
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

TEST_CASE("False episodes are counted per minute without touch, but for the ends of true ones") {
  // 10 s at 10 Hz, touched from 5 s to 5.9 s.
  std::vector<bool> there(101, false);
  for (std::size_t k = 50; k < 60; ++k) there[k] = true;
  const DetectionRecord record = Made(std::vector<double>(101, 0.0), there);
  const auto episodes = [&](std::initializer_list<std::pair<std::size_t, std::size_t>> spans) {
    std::vector<bool> alarms(101, false);
    for (const auto& [first, last] : spans) Set(alarms, first, last);
    return FalseEpisodesPerMinute(record, alarms).value() * 9.0 / 60.0;
  };
  CHECK(episodes({}) == 0.0);
  CHECK(episodes({{50, 59}}) == 0.0);
  CHECK(episodes({{10, 10}, {12, 12}, {20, 20}}) == doctest::Approx(2));  // 0.2 s apart: one
  CHECK(episodes({{55, 69}}) == 0.0);                 // over 1 s after the touch
  CHECK(episodes({{55, 70}}) == doctest::Approx(1));  // not over
  CHECK(episodes({{61, 66}}) == 0.0);                 // a filter's peak comes 0.2 s late
  CHECK(episodes({{62, 66}}) == doctest::Approx(1));
  CHECK(episodes({{48, 55}}) == 0.0);  // and begins 0.2 s early
  CHECK(episodes({{47, 55}}) == doctest::Approx(1));
  CHECK(episodes({{0, 100}}) == doctest::Approx(2));  // always on: before and after
  CHECK(episodes({{0, 49}}) == doctest::Approx(1));
  CHECK(!FalseEpisodesPerMinute(Made({1, 2}, {true, true}), {true, true}));
}

TEST_CASE("An alarm is false in each stretch in which it is on throughout") {
  // Touched for 1 s every 4 s.
  const DetectionRecord record = Shifted(0.0, 10, "throughout");
  const std::vector<bool> always(record.there.size(), true);
  CHECK(FalseEpisodesPerMinute(record, always).value() == doctest::Approx(60.0 * 10 / 30));
  const std::vector<double> delays = DelaysOf(record, always);
  CHECK(std::ranges::count(delays, kInfinite) == 10);  // on already: it finds none
}

TEST_CASE("A delay is from the beginning of what is there to its first alarm, or infinite") {
  // At 10 Hz: from 1 s to 1.4 s, and from 2 s to 2.4 s.
  std::vector<bool> there(30, false);
  for (const std::size_t begin : {10, 20}) Set(there, begin, begin + 4);
  const DetectionRecord record = Made(std::vector<double>(30, 0.0), there);
  const auto delays = [&](std::initializer_list<std::pair<std::size_t, std::size_t>> spans) {
    std::vector<bool> alarms(30, false);
    for (const auto& [first, last] : spans) Set(alarms, first, last);
    return DelaysOf(record, alarms);
  };
  const auto check = [&](const std::vector<double>& found, double first_s, double second_s) {
    REQUIRE(found.size() == 2);
    CHECK((found[0] == first_s || found[0] == doctest::Approx(first_s)));
    CHECK((found[1] == second_s || found[1] == doctest::Approx(second_s)));
  };
  check(delays({}), kInfinite, kInfinite);
  check(delays({{11, 12}, {24, 29}}), 0.1, 0.4);
  check(delays({{15, 18}, {20, 20}}), kInfinite, 0.0);       // late, and at once
  check(delays({{8, 10}, {18, 19}}), 0.0, kInfinite);        // just before and on, and off again
  check(delays({{7, 14}, {12, 12}}), kInfinite, kInfinite);  // on long before
  check(delays({{7, 11}, {13, 14}}), 0.3, kInfinite);        // which goes off, and on
  check(delays({{10, 24}}), 0.0, kInfinite);                 // one alarm does not tell two apart
  CHECK(MedianDelay({0.1, 0.3, kInfinite}) == 0.3);
  CHECK(MedianDelay({0.1, 0.2, kInfinite, kInfinite}) == 0.2);
  CHECK(!MedianDelay({}));
}

TEST_CASE("The delay at a rate of false episodes is that of the best threshold that keeps to it") {
  // Peaks of 3, 5 and 4 where nothing is there, 1 s apart; a rise from 0 to 6 from 4.5 s on.
  std::vector<double> statistic(61, 0.0);
  statistic[10] = 3;
  statistic[20] = 5;
  statistic[30] = 4;
  std::vector<bool> there(61, false);
  for (std::size_t k = 45; k < 52; ++k) {
    there[k] = true;
    statistic[k] = static_cast<double>(k) - 45.0;
  }
  const DetectionRecord record = Made(statistic, there);
  const double minute = 60.0 / 5.3;  // of one episode
  CHECK(MedianDelayAt(record, 0.0).value() == doctest::Approx(0.6));
  CHECK(MedianDelayAt(record, 1.01 * minute).value() == doctest::Approx(0.5));
  CHECK(MedianDelayAt(record, 2.01 * minute).value() == doctest::Approx(0.4));
  CHECK(MedianDelayAt(record, 3.01 * minute).value() == doctest::Approx(0.1));
  CHECK(!MedianDelayAt(Made({1, 2}, {true, true}), 1.0));
  CHECK(!MedianDelayAt(Made({1, 2}, {false, false}), 1.0));
  CHECK(!MedianDelayAt(Made({kNone, kNone, 2}, {false, false, true}), 1.0));
}

TEST_CASE("A peak that a window keeps for a moment after a push is no false one") {
  // The statistic rises at the push and is greatest just behind it.
  std::vector<double> statistic(61, 0.0);
  std::vector<bool> there(61, false);
  for (std::size_t k = 30; k < 33; ++k) there[k] = true;
  for (std::size_t k = 30; k < 40; ++k) statistic[k] = k < 34 ? static_cast<double>(k) : 20.0;
  const DetectionRecord record = Made(statistic, there);
  CHECK(MedianDelayAt(record, 0.0) == 0.0);
}

TEST_CASE("Neither what is always on nor what guesses finds touches at few false episodes") {
  // 60 touches: of noise alone, no threshold with 2 false episodes a minute finds half of them.
  CHECK(MedianDelayAt(Shifted(0.0, 60, "guess"), 2.0) == kInfinite);
  DetectionRecord constant = Shifted(0.0, 60, "constant");
  constant.statistic.setConstant(1.0);
  CHECK(MedianDelayAt(constant, 100.0) == kInfinite);
  // What is seen at once is found at once.
  CHECK(MedianDelayAt(Shifted(9.0, 60, "seen"), 0.0) == 0.0);
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
