#include "reports/charts/performance_profile.h"

#include <doctest/doctest.h>

#include <stdexcept>

namespace idbench {
namespace {

EstimatorSummary WithMedian(const std::string& label, std::optional<double> median) {
  EstimatorSummary estimator;
  estimator.label = label;
  MetricSummary metric;
  metric.name = "error";
  metric.overall.emplace().median = median;
  estimator.metrics.push_back(metric);
  return estimator;
}

/// Medians of a and b in four cells; nothing where failures decide.
Summary FourCells() {
  const std::optional<double> a[] = {1.0, 2.0, 4.0, std::nullopt};
  const std::optional<double> b[] = {0.5, 2.0, std::nullopt, 3.0};
  Summary summary;
  for (int c = 0; c < 4; ++c) {
    CellSummary cell;
    cell.estimators = {WithMedian("a", a[c]), WithMedian("b", b[c])};
    cell.estimators.emplace_back().label = "without";
    summary.cells.push_back(cell);
  }
  return summary;
}

TEST_CASE("A profile counts the cells within a factor of the reference, failures never") {
  const std::vector<ProfileCurve> curves = PerformanceProfiles(FourCells(), "error", "a");
  REQUIRE(curves.size() == 2);  // the third estimator has no such metric
  CHECK(curves[0].label == "a");
  CHECK(curves[0].ratio == std::vector<double>{1.0});
  CHECK(curves[0].fraction == std::vector<double>{0.75});  // it failed itself in the fourth
  CHECK(curves[1].label == "b");
  CHECK(curves[1].ratio == std::vector<double>{0.0, 0.5, 1.0});
  CHECK(curves[1].fraction == std::vector<double>{0.25, 0.5, 0.75});
}

TEST_CASE("A curve does not depend on which other estimators there are") {
  Summary alone = FourCells();
  for (CellSummary& cell : alone.cells) cell.estimators.pop_back();
  const auto with = PerformanceProfiles(FourCells(), "error", "a");
  const auto without = PerformanceProfiles(alone, "error", "a");
  CHECK(with[1].ratio == without[1].ratio);
  CHECK(with[1].fraction == without[1].fraction);
}

TEST_CASE("Two perfect medians are equal") {
  Summary summary;
  summary.cells.emplace_back().estimators = {WithMedian("a", 0.0), WithMedian("b", 0.0)};
  CHECK(PerformanceProfiles(summary, "error", "a")[1].ratio == std::vector<double>{1.0});
}

TEST_CASE("A reference that is no estimator of the run is refused") {
  CHECK_THROWS_WITH_AS(
      PerformanceProfiles(FourCells(), "error", "c"),
      "PerformanceProfiles: got the reference \"c\", accepted is an estimator of the run",
      std::invalid_argument);
  CHECK(PerformanceProfiles({}, "error", "c").empty());
}

}  // namespace
}  // namespace idbench
