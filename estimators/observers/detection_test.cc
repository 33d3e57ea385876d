#include "estimators/observers/detection.h"

#include <doctest/doctest.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <utility>
#include <vector>

#include "estimators/interface/estimate.h"
#include "scenarios/options/json.h"

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
  const Eigen::VectorXd time_s = Eigen::VectorXd::LinSpaced(100, 0.0, 0.99);
  const std::vector<TrainedStatistic> statistics = {{time_s, values.head(100)},
                                                    {time_s, values.tail(100)}};
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

TEST_CASE("Hotelling's threshold is that of the F distribution, and of χ² for many samples") {
  // F of 5 and 10 degrees at 0.95 is 3.3258, printed in tables to as many digits.
  CHECK(HotellingThreshold(5, 15.0, 0.05) ==
        doctest::Approx(5.0 * 14.0 / 10.0 * 3.3258).epsilon(2e-5));
  // One row: the square of Student's t of 10 degrees at 0.975, 2.2281.
  CHECK(HotellingThreshold(1, 11.0, 0.05) == doctest::Approx(2.2281 * 2.2281).epsilon(5e-5));
  // 16.8 of six rows and 73.7 of the 48 latent variables of Traversaro et al.
  for (const auto& [n, limit] : {std::pair{6, 16.81}, std::pair{48, 73.68}}) {
    CHECK(HotellingThreshold(n, 1e9, 0.01) == doctest::Approx(limit).epsilon(1e-3));
    CHECK(HotellingThreshold(n, 29900.0, 0.01) > limit);
    CHECK(HotellingThreshold(n, 29900.0, 0.01) == doctest::Approx(limit).epsilon(0.01));
  }
  const Eigen::VectorXd values = Eigen::VectorXd::LinSpaced(15, 1.0, 15.0);
  const std::vector<TrainedStatistic> statistics = {{values, values}};
  CHECK(ThresholdOf({.false_alarm_rate = 0.05, .f_degrees = 5}, statistics) ==
        HotellingThreshold(5, 15.0, 0.05));
  CHECK_THROWS_WITH_AS(ThresholdOf({.f_degrees = 15}, statistics),
                       "the statistic has 15 values in the identification data, a threshold of 15 "
                       "degrees of freedom "
                       "takes more than these; set \"threshold\", or less f_degrees",
                       EstimationFailure);
}

TEST_CASE("A threshold of episodes counts alarms that are close as one") {
  // A sample each 0.1 s: peaks of 9, 8 and 7, of which the first two have 0.2 s between them.
  TrainedStatistic one{Eigen::VectorXd::LinSpaced(61, 0.0, 6.0),
                       Eigen::VectorXd::Constant(61, 1.0)};
  one.values[10] = 9.0;
  one.values[12] = 8.0;
  one.values[30] = 7.0;
  one.values[31] = 6.0;
  one.values[50] = 5.0;
  one.values[40] = std::nan("");
  const std::vector<TrainedStatistic> statistics = {one};
  // Above 5: {9, 8} and {7, 6}; above 7: {9, 8}; 8 is in an episode with 9.
  CHECK(ThresholdOfEpisodes(statistics, 3.0) == 1.0);
  // Below 1 all would be one episode again, which does not count.
  CHECK(ThresholdOfEpisodes(statistics, 2.0) == 5.0);
  CHECK(ThresholdOfEpisodes(statistics, 1.5) == 7.0);
  CHECK(ThresholdOfEpisodes(statistics, 0.5) == 9.0);
  // The same moment in another recording is another episode.
  const std::vector<TrainedStatistic> two = {one, one};
  CHECK(ThresholdOfEpisodes(two, 2.0) == 7.0);
  // What lies between two episodes that are one joins them no more.
  TrainedStatistic filled = one;
  filled.values[11] = 2.0;
  CHECK(ThresholdOfEpisodes(std::vector{filled}, 2.0) == 5.0);
  // 6 s are a tenth of a minute.
  CHECK(ThresholdOf({.false_episodes_per_minute = 20.0}, statistics) == 5.0);
  CHECK_THROWS_WITH_AS(
      ThresholdOf({.false_episodes_per_minute = 9.0}, statistics),
      "the identification data last 0.1 min, a threshold at 9 false episodes a minute takes at "
      "least 0.111; set \"threshold\", or a higher rate",
      EstimationFailure);
  CHECK_THROWS_WITH_AS(
      ThresholdOf({.false_episodes_per_minute = 9.0}, {}),
      "the identification data last 0 min, a threshold at 9 false episodes a minute takes at "
      "least 0.111; set \"threshold\", or a higher rate",
      EstimationFailure);
}

TEST_CASE("There is one rule for a threshold") {
  const auto issues_of = [](const char* json) {
    DetectionOptions options;
    FieldTable table;
    AddDetection(options, table);
    std::vector<Issue> issues;
    ReadFields(table, Json::parse(json), "", issues);
    return issues;
  };
  CHECK(issues_of(R"({"f_degrees": 6})").empty());
  const std::vector<Issue> two = issues_of(R"({"f_degrees": 6, "false_episodes_per_minute": 2})");
  REQUIRE(two.size() == 1);
  CHECK(two[0].where == "/f_degrees");
  CHECK(two[0].what == "there is another rule for the threshold");
  CHECK(issues_of(R"({"f_degrees": 6, "threshold": 2})").at(0).where == "/threshold");
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
