#include "reports/statistics/change_points.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace idbench {
namespace {

/// Sums of twelve uniform values: near normal, and not the stream of the calibration. Each keeps
/// `correlation` of the one before.
std::vector<double> Noise(std::size_t n, std::mt19937_64& engine, double correlation = 0) {
  std::vector<double> series(n);
  double before = 0;
  for (double& x : series) {
    double fresh = -6;
    for (int k = 0; k < 12; ++k) fresh += static_cast<double>(engine() >> 11) * 0x1p-53;
    const bool first = &x == series.data();
    x = first ? fresh : correlation * before + std::sqrt(1 - correlation * correlation) * fresh;
    before = x;
  }
  return series;
}

TEST_CASE("A step of six σ is found within one run of its place, wherever it is") {
  std::mt19937_64 engine(7);
  ChangePoints changes;
  int found = 0;
  int alone = 0;
  constexpr int kSeries = 200;
  for (int i = 0; i < kSeries; ++i) {
    std::vector<double> series = Noise(24, engine);
    const std::size_t place = 3 + static_cast<std::size_t>(i) % 19;  // 3 … 21 of 24
    for (std::size_t k = place; k < series.size(); ++k) series[k] += 6;
    const std::vector<std::size_t> result = changes.Find(series).places;
    if (std::ranges::any_of(result, [place](std::size_t change) {
          return change + 1 >= place && change <= place + 1;
        })) {
      ++found;
    }
    if (result.size() == 1) ++alone;
  }
  // Of 19,000 series 99.1 % were found, each with no other change: 198 of 200, ± 3 σ of 1.3.
  CHECK(found >= 194);
  CHECK(alone >= 194);
}

TEST_CASE("Correlated noise alarms at the stated rate, for short series and long ones") {
  for (const std::size_t n : {6, 12, 40}) {
    CAPTURE(n);
    std::mt19937_64 engine(n);
    ChangePoints changes;
    constexpr int kSeries = 3000;
    int alarms = 0;
    int alarms_of_white = 0;
    for (int i = 0; i < kSeries; ++i) {
      const SeriesChanges found = changes.Find(Noise(n, engine, kNoiseCorrelation));
      CHECK(found.places.empty() == (found.p > kChangeAlarmRate));
      alarms += found.places.empty() ? 0 : 1;
      alarms_of_white += changes.Find(Noise(n, engine)).places.empty() ? 0 : 1;
    }
    // 30 ± 3 σ: 5.4 of the count, 3 of the simulated quantile.
    CHECK(alarms >= 11);
    CHECK(alarms <= 49);
    CHECK(alarms_of_white <= 49);  // at most as often
  }
}

TEST_CASE("The probability is that of noise alone, and falls on for larger changes") {
  std::mt19937_64 engine(2);
  ChangePoints changes;
  constexpr int kSeries = 1000;
  int below = 0;
  for (int i = 0; i < kSeries; ++i) {
    below += changes.Find(Noise(15, engine, kNoiseCorrelation)).p <= 0.2 ? 1 : 0;
  }
  CHECK(std::abs(below - 200) < 3 * 13);  // σ = √(1000·0.2·0.8) = 12.6
  double last = kChangeAlarmRate;
  const std::vector<double> noise = Noise(30, engine);
  for (const double step : {8.0, 10.0, 20.0}) {
    std::vector<double> series = noise;
    for (std::size_t k = 12; k < series.size(); ++k) series[k] += step;
    const double p = changes.Find(series).p;
    CHECK(p < last);
    last = p;
  }
  CHECK(last < 1e-6);
}

TEST_CASE("A rise that is taken back is two changes") {
  std::mt19937_64 engine(3);
  std::vector<double> series = Noise(30, engine);
  for (std::size_t k = 10; k < 18; ++k) series[k] += 8;
  CHECK(ChangePoints().Find(series).places == std::vector<std::size_t>{10, 18});
}

TEST_CASE("Without noise every step is a change, however small, from the third run on") {
  ChangePoints changes;
  CHECK(changes.Find(std::vector<double>{1, 1, 1, 1.001, 1.001, 1.001}).places ==
        std::vector<std::size_t>{3});
  CHECK(changes.Find(std::vector<double>{5, 5, 5, 6, 6, 6, 5, 5, 5}).places ==
        std::vector<std::size_t>{3, 6});
  CHECK(changes.Find(std::vector<double>(20, 3.5)).places.empty());
  CHECK(changes.Find(std::vector<double>(20, 0.0)).places.empty());
}

TEST_CASE("Rounding is no change, and neither is a single run that is off") {
  ChangePoints changes;
  CHECK(changes.Find(std::vector<double>{1, 1, 1, 1 + 1e-12, 1 + 1e-12, 1 + 1e-12}).places.empty());
  std::mt19937_64 engine(5);
  std::vector<double> series = Noise(20, engine);
  series[9] += 30;
  CHECK(changes.Find(series).places.empty());
}

TEST_CASE("The scale and the offset of a series do not matter") {
  std::mt19937_64 engine(11);
  std::vector<double> series = Noise(16, engine);
  for (std::size_t k = 8; k < 16; ++k) series[k] += 7;
  ChangePoints changes;
  const std::vector<std::size_t> expected = {8};
  CHECK(changes.Find(series).places == expected);
  for (double& x : series) x = 1e5 + 3 * x;
  CHECK(changes.Find(series).places == expected);
}

TEST_CASE("Fewer than six values have no changes") {
  CHECK(ChangePoints().Find(std::vector<double>{1, 1, 1, 9, 9}).places.empty());
  CHECK(ChangePoints().Find({}).places.empty());
}

}  // namespace
}  // namespace idbench
