#include "bench/gate/calibration.h"

#include <doctest/doctest.h>

#include <cmath>

#include "bench/run/exit_code.h"
#include "bench/small_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("p is the probability of so many alarms or more") {
  Calibration calibration{.subjects = 2, .gates = 20, .alpha = 0.05};
  CHECK(calibration.p() == 1);
  CHECK_FALSE(calibration.failed());
  calibration.alarms = 1;
  CHECK(calibration.p() == doctest::Approx(1 - std::pow(0.95, 20)));
  calibration.alarms = 20;
  CHECK(calibration.p() == doctest::Approx(std::pow(0.05, 20)));
  // P(X ≥ 4) = 0.0159, P(X ≥ 5) = 0.0026 of B(20, 0.05).
  calibration.alarms = 4;
  CHECK_FALSE(calibration.failed());
  calibration.alarms = 5;
  CHECK(calibration.failed());
}

TEST_CASE("The text gives rates with intervals, and says where no gate decided") {
  Calibration calibration{
      .subjects = 3, .gates = 20, .alarms = 5, .inconclusive = 15, .alpha = 0.05};
  CHECK(RenderCalibration(calibration) ==
        "A/A: 3 subjects, 20 runs with fresh noise and nothing else changed\n"
        "  false alarms: 5 of 20 = 25.0 % [11.2, 46.9]\n"
        "  inconclusive: 15 of 20 = 75.0 % [53.1, 88.8]\n"
        "  95 % Wilson intervals; alarms are to be at most α = 5 %: FAILED (p = 0.0026)\n"
        "  all share the noise of the baseline: alarms come in company, which intervals and p do "
        "not know\n");
  calibration.alarms = 0;
  calibration.inconclusive = 20;
  CHECK(calibration.decided_nothing());
  CHECK(RenderCalibration(calibration).find("no gate decided") != std::string::npos);
}

TEST_CASE("A recording has no noise to be drawn afresh") {
  const TemporaryFolder folder;
  Json json = Description();
  json.erase("sweep");
  Records(json, folder / "run");
  Json manifest = ReadJsonFile(folder / "run" / "manifest.json");
  manifest["scenario"]["recording"] = Json::object();
  folder.Write("run/manifest.json", manifest.dump());
  CHECK_THROWS_WITH_AS(CalibrateGate(folder / "run", folder / "run", 1, RecordsRunHere(1)),
                       "--aa draws fresh noise: a recording has none", UsageError);
}

TEST_CASE("A metric that the baseline lacks is told as the baseline's") {
  const TemporaryFolder folder;
  Json json = Description();
  json["metrics"] = {"base_parameter_relative_error"};
  Records(json, folder / "a");
  json["metrics"] = {"base_parameter_relative_error", "coverage95"};
  Records(json, folder / "b");
  CHECK_THROWS_WITH_AS(CalibrateGate(folder / "b", folder / "a", 1, RecordsRunHere(1),
                                     {.metric = "coverage95", .better = Better::kHigher}),
                       doctest::Contains("a/manifest.json: the baseline has no coverage95"),
                       ConfigError);
}

TEST_CASE("Nothing but the noise may differ: another estimator under a label is refused") {
  const TemporaryFolder folder;
  Json json = Description();
  json["metrics"] = {"base_parameter_relative_error"};
  Records(json, folder / "a");
  json["estimators"]["wls"] = {{"type", "ols"}};
  Records(json, folder / "b");
  CHECK_THROWS_WITH_AS(
      CalibrateGate(folder / "b", folder / "a", 1, RecordsRunHere(1)),
      doctest::Contains("wls is another estimator: /type is \"wls\" in the baseline"), ConfigError);
}

}  // namespace
}  // namespace idbench
