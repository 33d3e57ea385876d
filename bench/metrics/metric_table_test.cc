#include "bench/metrics/metric_table.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "bench/biped_test.h"
#include "bench/metrics/metric_value_test.h"
#include "bench/metrics/metrics.h"
#include "bench/metrics/motion_metrics.h"
#include "bench/metrics/observation_metrics.h"
#include "bench/metrics/planar_metrics_test.h"
#include "reports/run/metric_name.h"
#include "scenarios/options/text_form_test.h"

namespace idbench {
namespace {

TEST_CASE("Metrics are described in one form") {
  for (const MetricInfo& metric : AllMetrics()) {
    CAPTURE(metric.name);
    CHECK(FormFault(metric.doc, metric.name) == "");
  }
}

TEST_CASE("Innovations and sums of squares that a method states are metrics") {
  const LoadedScenario loaded = BoundedScenario();
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  MetricEvaluator evaluator(context, loaded.metrics);
  const TrialData data = context.Run(0);
  Estimate estimate = TrueEstimate(context);
  const MetricValue none = Find(evaluator.Evaluate({{estimate}}, data), "nis");
  CHECK(none.failure == "the method states no innovations");
  CHECK(none.absent);  // nothing failed
  estimate.diagnostics["normalised_innovation_squared"] = 1.25;
  CHECK(*Find(evaluator.Evaluate({{estimate}}, data), "nis").value == 1.25);
  estimate.diagnostics["chi_square"] = 170.5;
  estimate.diagnostics["degrees_of_freedom"] = 187.0;
  const MetricValue squares = Find(evaluator.Evaluate({{estimate}}, data), "chi_square");
  CHECK(*squares.value == 170.5);
  CHECK(*squares.count == 187);
}

TEST_CASE("A metric has a name of its own, by which its row is found") {
  std::set<std::string_view> names;
  REQUIRE(AllMetrics().size() ==
          MetricTable().size() + ObservationMetricTable().size() + MotionMetricTable().size());
  for (const ObservationMetric& metric : ObservationMetricTable()) {
    CHECK(names.insert(metric.info.name).second);
    CHECK(metric.info.per_observation());
  }
  for (const MotionMetric& metric : MotionMetricTable()) {
    CHECK(names.insert(metric.info.name).second);
    CHECK(metric.info.per_motion());
  }
  for (std::size_t k = 0; k < MetricTable().size(); ++k) {
    const Metric& metric = MetricTable()[k];
    const std::string name(metric.info.name);
    CAPTURE(name);
    CHECK(names.insert(metric.info.name).second);
    CHECK(&MetricNamed(name) == &metric);
    CHECK(AllMetrics()[k].name == name);
    CHECK(MetricName(name).quantity == name);  // no '@', behind which an experiment stands
  }
}

TEST_CASE("A name that ends in a unit has that unit, and one that ends in a ratio is a number") {
  const auto unit_in = [](std::string_view name) -> std::string_view {
    name = name.substr(0, name.find('('));  // behind it stands a parameter
    if (name.ends_with("_nm")) return "N·m";
    if (name.ends_with("_kg")) return "kg";
    if (name.ends_with("_s")) return "s";
    for (const char* number : {"_fraction", "_ratio", "_count", "_over_sigma", "relative_error",
                               "nrmse", "coverage95"}) {
      if (name.ends_with(number)) return "1";
    }
    return "";
  };
  for (const MetricInfo& metric : AllMetrics()) {
    CAPTURE(metric.name);
    const std::string_view unit = unit_in(metric.name);
    if (!unit.empty()) CHECK(metric.unit == unit);
    if (unit.empty())
      CHECK_FALSE((metric.unit == "N·m" || metric.unit == "kg" || metric.unit == "s"));
  }
}

TEST_CASE("A bound is one of an error in the same unit, and better is the error near to it") {
  std::set<std::string_view> bounded;
  for (const MetricInfo& bound : AllMetrics()) {
    if (bound.bounds.empty()) continue;
    CAPTURE(bound.name);
    CHECK(bounded.insert(bound.bounds).second);  // else columns would show either
    const auto error = std::ranges::find(AllMetrics(), bound.bounds, &MetricInfo::name);
    REQUIRE(error != AllMetrics().end());
    CHECK(error->unit == bound.unit);
    CHECK(error->scope == bound.scope);
    CHECK(error->better == Better::kLower);
    CHECK_FALSE(bound.better);  // the same for all estimators
    CHECK(bound.needs.HasAllOf(error->needs));
  }
  CHECK(bounded.size() == 6);
  for (const MetricInfo& metric : AllMetrics()) {
    CAPTURE(metric.name);
    if (metric.name.ends_with("crlb_ratio") || metric.name == "van_trees_ratio") {
      CHECK_FALSE(metric.better);  // near 1 is efficient, below it luck
    }
  }
}

TEST_CASE("The laws of ratios to bounds are those of one squared error each") {
  const auto law_of = [](const std::string& name) { return MetricNamed(name).info.law; };
  CHECK(law_of("crlb_ratio") == ValueLaw::kUnbiasedBoundRatio);
  CHECK(law_of("van_trees_ratio") == ValueLaw::kBayesianBoundRatio);
  // That of a replay is a weighted sum of squares.
  CHECK_FALSE(law_of("simulation_sse_angles_crlb_ratio"));
}

TEST_CASE("What is a fraction of successes is a proportion, and nothing else is") {
  for (const MetricInfo& metric : AllMetrics()) {
    CAPTURE(metric.name);
    const bool proportion =
        metric.doc.starts_with("Fraction of ") || metric.doc.starts_with("1 if ");
    CHECK((metric.law == ValueLaw::kProportion) == proportion);
    if (proportion) CHECK(metric.unit == "1");
  }
}

TEST_CASE("A metric of a window lists the window's unknowns") {
  for (const MetricInfo& metric : AllMetrics()) {
    CAPTURE(metric.name);
    CHECK(metric.per_window() == metric.name.starts_with("tracking_"));
    if (metric.per_window()) CHECK(metric.components == MetricInfo::Components::kUnknowns);
  }
}

TEST_CASE("All metrics that a scenario has, the truth has a value of, and its components") {
  for (const LoadedScenario& loaded : {PlanarScenario(), BoundedScenario()}) {
    OneCell cell(loaded);
    Estimate estimate = cell.EstimateOf(cell.true_unknowns());
    estimate.covariance = Eigen::MatrixXd::Identity(estimate.x.size(), estimate.x.size());
    if (const auto& prior = cell.context.problem().parameters.prior; prior && prior->covariance) {
      estimate.covariance = 0.1 * *prior->covariance;
    }
    estimate.diagnostics = {
        {"normalised_innovation_squared", 1.0}, {"chi_square", 1.0}, {"degrees_of_freedom", 1.0}};
    const std::vector<MetricValue> values = cell.evaluator.Evaluate({{estimate}}, cell.data);
    REQUIRE(values.size() == cell.loaded.metrics.size());
    for (std::size_t k = 0; k < values.size(); ++k) {
      CAPTURE(values[k].name);
      CHECK(values[k].name == cell.loaded.metrics[k].name);
      CHECK(values[k].failure == "");
      CHECK(values[k].value);
      CHECK(values[k].components.size() == cell.loaded.metrics[k].components.size());
    }
  }
}

TEST_CASE("The ratio of a replay to its bound is of their angles, and fails as either of them") {
  OneCell biped(BipedScenario());
  const Eigen::VectorXd truth = biped.true_unknowns();
  const Estimate estimate = biped.EstimateOf(1.001 * truth);
  const auto value = [&](const std::string& name) {
    return *biped.Metric(estimate, name + "@validation").value;
  };
  CHECK(value("simulation_sse_angles_crlb_ratio") ==
        value("simulation_sse_angles") / value("simulation_sse_angles_bound"));
  CHECK(biped.Metric(biped.EstimateOf(-truth), "simulation_sse_angles_crlb_ratio@validation")
            .failure == "the replay's mass matrix is not positive definite at 0 s");
}

}  // namespace
}  // namespace idbench
