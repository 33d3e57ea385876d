#include "bench/metrics/metric_table.h"

#include <doctest/doctest.h>

#include <string>

#include "bench/metrics/metric_value_test.h"
#include "bench/metrics/metrics.h"
#include "bench/metrics/planar_metrics_test.h"
#include "scenarios/options/text_form_test.h"

namespace idbench {
namespace {

TEST_CASE("Metrics are described in one form") {
  for (const MetricInfo& metric : AllMetrics()) {
    CAPTURE(metric.name);
    CHECK(FormFault(metric.doc, metric.name) == "");
  }
}

TEST_CASE("Innovations and sums of squares that a method states are metrics, else they fail") {
  const LoadedScenario loaded = BoundedScenario();
  RolloutStore rollouts;
  const PreparedCell context(loaded, loaded.cells[0], rollouts);
  MetricEvaluator evaluator(context, loaded.metrics);
  const TrialData data = context.Run(0);
  Estimate estimate = TrueEstimate(context);
  CHECK(Find(evaluator.Evaluate({{estimate}}, data), "nis").failure ==
        "the method states no innovations");
  estimate.diagnostics["normalised_innovation_squared"] = 1.25;
  CHECK(*Find(evaluator.Evaluate({{estimate}}, data), "nis").value == 1.25);
  CHECK(Find(evaluator.Evaluate({{estimate}}, data), "chi_square").failure ==
        "the method states no sum of squares");
  estimate.diagnostics["chi_square"] = 170.5;
  estimate.diagnostics["degrees_of_freedom"] = 187.0;
  const MetricValue squares = Find(evaluator.Evaluate({{estimate}}, data), "chi_square");
  CHECK(*squares.value == 170.5);
  CHECK(*squares.count == 187);
}

}  // namespace
}  // namespace idbench
