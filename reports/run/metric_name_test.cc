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

TEST_CASE("A quantity may have an argument in its name") {
  const MetricName name("detection_tpr(fpr=0.06)@contact");
  CHECK(name.quantity == "detection_tpr(fpr=0.06)");
  CHECK(name.base() == "detection_tpr");
  CHECK(name.experiment == "contact");
  CHECK(name.Argument("fpr") == 0.06);
  CHECK(!name.Argument("per_minute"));
  CHECK(MetricName("detection_tpr@contact").base() == "detection_tpr");
  CHECK(!MetricName("detection_tpr@contact").Argument("fpr"));
  CHECK(MetricName("f(fpr=-1e-3)").Argument("fpr") == -1e-3);
}

TEST_CASE("An argument that is no number, or not all of one, is none") {
  for (const char* const inside :
       {"(fpr=)", "(fpr=1e999)", "(fpr=nan)", "(fpr=inf)", "(=1)", "(1)", "(fpr)", "()", "(fpr=0.1",
        "(fpr=0.1)x", "(fpr=0.1 )", "(fpr= 0.1)", "(fpr=0,1)", "(fpr=0.1,fpr=0.2)", "(fpr==0.1)",
        "(fprs=0.1)", "((fpr=0.1)", "fpr=0.1)"}) {
    CAPTURE(inside);
    CHECK(!MetricName(std::string("detection_tpr") + inside).Argument("fpr"));
  }
}

}  // namespace
}  // namespace idbench
