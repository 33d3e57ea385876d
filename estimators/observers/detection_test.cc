#include "estimators/observers/detection.h"

#include <doctest/doctest.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>

#include "estimators/interface/estimate.h"

namespace idbench {
namespace {

TEST_CASE("Squares of fewer rows become as unlikely ones of all rows") {
  for (const double part : {0.5, 0.9, 0.99, 0.999}) {
    for (const int from : {1, 2, 4, 7}) {
      CAPTURE(part);
      CAPTURE(from);
      const auto quantile = [part](int n) {
        return boost::math::quantile(boost::math::chi_squared(n), part);
      };
      // Wilson & Hilferty's cube root is good to a few percent from one degree on.
      CHECK(EquivalentSquare(quantile(from), from, 7) ==
            doctest::Approx(quantile(7)).epsilon(0.04));
    }
  }
  CHECK(EquivalentSquare(12.3456789, 7, 7) == 12.3456789);
  CHECK(EquivalentSquare(0.0, 1, 7) >= 0.0);
  CHECK(EquivalentSquare(1e6, 1, 7) > EquivalentSquare(1e5, 1, 7));
}

TEST_CASE("A threshold leaves the false alarms above it") {
  Eigen::VectorXd values = Eigen::VectorXd::LinSpaced(200, 1.0, 200.0);
  values[3] = std::nan("");  // it was 4
  const std::vector<Eigen::VectorXd> statistics = {values.head(100), values.tail(100)};
  const double threshold = ThresholdOf({.false_alarm_rate = 0.05}, statistics);
  CHECK((values.array() > threshold).count() == 9);  // of 199
  CHECK(ThresholdOf({.threshold = 3.0}, statistics) == 3.0);
  CHECK(ThresholdOf({.false_alarm_rate = 1.0}, statistics) == 1.0);
  CHECK_THROWS_WITH_AS(
      ThresholdOf({.false_alarm_rate = 0.001}, statistics),
      "the statistic has 199 values in the identification data, a threshold at the false alarm "
      "rate 0.001 takes at least 1000; set \"threshold\", or a higher rate",
      EstimationFailure);
}

TEST_CASE("What is above the threshold is detected") {
  const Eigen::Vector3d time_s(0.0, 0.1, 0.2);
  const Observation observation =
      DetectionOf(time_s, Eigen::Vector3d(1.0, std::nan(""), 3.0), 2.0, {"free", "contact"});
  const Labels* const labels = FindNamed(observation.labels, kDetected);
  REQUIRE(labels != nullptr);
  CHECK(labels->chosen == Eigen::Vector3i(0, -1, 1));
  CHECK(labels->classes == std::vector<std::string>{"free", "contact"});
  CHECK(FindNamed(observation.series, kStatistic)->values(2, 0) == 3.0);
}

}  // namespace
}  // namespace idbench
