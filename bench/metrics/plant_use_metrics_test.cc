#include "bench/metrics/plant_use_metrics.h"

#include <doctest/doctest.h>

#include <utility>

namespace idbench {
namespace {

Dataset Recorded(const std::string& label, Role role, double duration_s) {
  Dataset dataset(label, role);
  dataset.recorded = {0.0, duration_s};
  return dataset;
}

TEST_CASE("A method that reads data took what was recorded for identification") {
  TrialData data;
  data.datasets.push_back(Recorded("a", Role::kIdentification, 10.0));
  data.datasets.push_back(Recorded("a", Role::kIdentification, 5.0));  // a second segment
  data.datasets.push_back(Recorded("b", Role::kIdentification, 20.0));
  data.datasets.push_back(Recorded("c", Role::kValidation, 40.0));
  PlantUseMetrics metrics;
  metrics.SetTrial(data);
  const PlantUse use = metrics.Of({});
  CHECK(use.experiments == 2);
  CHECK(use.falls == 0);
  CHECK(use.time_s == doctest::Approx(35.0).epsilon(1e-12));
  Estimate own;
  own.plant_use = {.experiments = 7, .falls = 3, .time_s = 1.5};
  CHECK(metrics.Of(own).experiments == 7);
  CHECK(metrics.Of(own).falls == 3);
  CHECK(metrics.Of(own).time_s == 1.5);
}

}  // namespace
}  // namespace idbench
