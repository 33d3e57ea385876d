#include "reports/run/metric_name.h"

#include <doctest/doctest.h>

namespace idbench {
namespace {

TEST_CASE("A metric's name has a quantity, an experiment and a checkpoint") {
  const MetricName full("rmse_nm@validation@t=5");
  CHECK(full.quantity == "rmse_nm");
  CHECK(full.experiment == "validation");
  CHECK(full.checkpoint == "t=5");
  CHECK(full.Without({}) == "rmse_nm@validation@t=5");
  CHECK(full.Without({.experiment = true}) == "rmse_nm@t=5");
  CHECK(full.Without({.checkpoint = true}) == "rmse_nm@validation");
  CHECK(MetricName("nees").experiment.empty());
  CHECK(MetricName("nees@t=5").experiment.empty());
  CHECK(MetricName("nees@t=5").checkpoint == "t=5");
  CHECK(MetricName("rmse_nm@run1").checkpoint.empty());
}

TEST_CASE("A window stands in a metric's name where an experiment would") {
  const MetricName name("tracking_rmse@ramp");
  CHECK(name.quantity == "tracking_rmse");
  CHECK(name.experiment == "ramp");
  CHECK(name.checkpoint.empty());
}

TEST_CASE("A request stands for all names that go on from it behind an @") {
  CHECK(Requests("rmse_nm", "rmse_nm"));
  CHECK(Requests("rmse_nm", "rmse_nm@run1"));
  CHECK(Requests("rmse_nm@run1", "rmse_nm@run1@t=5"));
  CHECK_FALSE(Requests("rmse_nm", "rmse_nm_over_sigma@run1"));
  CHECK_FALSE(Requests("rmse_nm@run1", "rmse_nm@run10"));
}

}  // namespace
}  // namespace idbench
