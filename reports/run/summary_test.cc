#include "reports/run/summary.h"

#include <doctest/doctest.h>

#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

Json SummaryOf(const SampleRun& run, const std::string& timings = "") {
  const TemporaryFolder folder;
  run.WriteTo(folder.path());
  if (!timings.empty()) WriteText(folder.path() / "timings.jsonl", timings);
  return ToJson(Summarise(RunFolder(folder.path())));
}

TEST_CASE("A summary has the keys that other programs rely on") {
  const Json summary = SummaryOf(SampleRun());
  CHECK(summary["format"] == 1);
  CHECK(summary["scenario"] == "sample");
  REQUIRE(summary["cells"].size() == 2);
  CHECK(summary["cells"][1]["axes"] == Json{{"torque noise", "0.2"}});
  CHECK(summary["cells"][1]["rollouts"] == 1);
  const Json& estimator = summary["cells"][1]["estimators"][1];
  CHECK(estimator["label"] == "wls");
  CHECK(estimator["trials"] == 12);
  CHECK(estimator["failed"] == 0);
  CHECK(estimator["reasons"] == Json::object());
  CHECK(estimator["timing"] == Json::object());
  const Json& metric = estimator["metrics"]["rmse_nm@validation"];
  CHECK(metric["unit"] == "N·m");
  CHECK(metric["n"] == 12);
  // 1.0, 1.1, …, 2.1: mean 1.55, variance 0.01·12·13/12
  CHECK(metric["mean"].get<double>() == doctest::Approx(1.55).epsilon(1e-15));
  CHECK(metric["variance"].get<double>() == doctest::Approx(0.13).epsilon(1e-14));
  CHECK(metric["median"].get<double>() == doctest::Approx(1.55).epsilon(1e-15));
  CHECK(metric["iqm"].get<double>() == doctest::Approx(1.55).epsilon(1e-15));
  CHECK(metric["min"] == 1.0);
  CHECK(metric["max"] == 2.1);
  CHECK(metric["ci95_mean"][0] < 1.55);
  CHECK(metric["ci95_mean"][1] > 1.55);
  CHECK_FALSE(metric.contains("q05"));  // 12 samples
  CHECK_FALSE(metric.contains("q95"));
  CHECK_FALSE(metric.contains("count"));
  REQUIRE(metric["components"].size() == 2);
  CHECK(metric["components"][1]["label"] == "joint2");
  CHECK(metric["components"][1]["mean"].get<double>() == doctest::Approx(2.325).epsilon(1e-15));
  CHECK_FALSE(estimator["metrics"]["relative_error"].contains("components"));
}

TEST_CASE("An unbiased estimator better than the Cramér-Rao bound raises an alarm, others do not") {
  SampleRun run;
  run.manifest["metrics"]["crlb_ratio"] = {
      {"unit", "1"}, {"components", Json::array()}, {"law", "unbiased_bound_ratio"}};
  run.manifest["unbiased"] = {"ols"};
  const auto alarms_at = [&run](double ratio) {
    run.change = [ratio](Json& record) {
      record["metrics"]["crlb_ratio"] = {{"value", ratio}, {"count", 40}};
    };
    const Json estimators = SummaryOf(run)["cells"][0]["estimators"];
    CHECK_FALSE(estimators[1].contains("alarms"));  // wls does not say that it is unbiased
    return estimators[0].value("alarms", Json::array());
  };
  // χ² of 12·40 degrees of freedom, two cells: a standard deviation of √(2/480) = 0.065 about 1,
  // and 0.0005 is 3.3 of them.
  CHECK(alarms_at(0.9).empty());
  CHECK(alarms_at(1.5).empty());
  const Json alarms = alarms_at(0.7);
  REQUIRE(alarms.size() == 1);
  CHECK(alarms[0].get<std::string>().starts_with("crlb_ratio of ols is 0.7 over 12 trials"));
}

TEST_CASE("Failures are counted with their reasons, a metric's own as trials − n") {
  SampleRun run;
  run.change = [](Json& record) {
    if (record["cell"] != 0 || record["estimator"] != "ols") return;
    if (record["trial"] == 3) SampleRun::Fail(record, "diverged", "");
    if (record["trial"] == 4) record["metrics"]["relative_error"] = {{"failed", "no"}};
  };
  const Json summary = SummaryOf(run);
  const Json& estimator = summary["cells"][0]["estimators"][0];
  CHECK(estimator["failed"] == 1);
  CHECK(estimator["reasons"] == Json{{"diverged", 1}});
  CHECK(estimator["metrics"]["rmse_nm@validation"]["n"] == 11);
  CHECK(estimator["metrics"]["relative_error"]["n"] == 10);
}

TEST_CASE("A metric that does not apply is left out, one of components alone has no mean") {
  SampleRun run;
  run.change = [](Json& record) {
    record["metrics"]["rmse_nm@validation"].erase("value");
    if (record["estimator"] == "ols") record["metrics"].erase("relative_error");
    if (record["estimator"] == "wls") record["metrics"]["relative_error"]["count"] = 14;
  };
  const Json estimators = SummaryOf(run)["cells"][0]["estimators"];
  CHECK_FALSE(estimators[0]["metrics"].contains("relative_error"));
  CHECK(estimators[1]["metrics"]["relative_error"]["count"] == Json{{"min", 14}, {"max", 14}});
  CHECK_FALSE(estimators[0]["metrics"]["rmse_nm@validation"].contains("mean"));
  CHECK_FALSE(estimators[0]["metrics"]["rmse_nm@validation"].contains("n"));
  CHECK(estimators[0]["metrics"]["rmse_nm@validation"]["components"][0].contains("mean"));
}

TEST_CASE("Timing has medians, and the 99 % quantile from 200 durations on") {
  std::string updates = "1";
  for (int i = 2; i <= 201; ++i) updates += fmt::format(",{}", i);
  const Json summary =
      SummaryOf(SampleRun(),
                "{\"cell\":0,\"estimator\":\"ols\",\"estimate_ms\":2}\n"
                "{\"cell\":0,\"estimator\":\"ols\",\"estimate_ms\":4,\"update_us\":[" +
                    updates + "]}\n");
  const Json& timing = summary["cells"][0]["estimators"][0]["timing"];
  CHECK(timing["estimate_ms"] == Json{{"n", 2}, {"median", 3.0}});
  CHECK(timing["update_us"]["median"] == 101.0);
  CHECK(timing["update_us"]["p99"] == 199.0);  // h = 200·0.99 = 198
  CHECK(summary["cells"][0]["estimators"][1]["timing"] == Json::object());
}

TEST_CASE("Estimators do not touch each other's statistics") {
  SampleRun run;
  const Json both = SummaryOf(run);
  run.manifest["estimators"] = {"wls"};
  const Json alone = SummaryOf(run);
  CHECK(alone["cells"][0]["estimators"][0] == both["cells"][0]["estimators"][1]);
}

TEST_CASE("Numbers in a summary read back as they were") {
  SampleRun run;
  run.change = [](Json& record) { record["metrics"]["relative_error"] = {{"value", 0.1 + 0.2}}; };
  const Json summary = Json::parse(SummaryOf(run).dump());
  CHECK(summary["cells"][0]["estimators"][0]["metrics"]["relative_error"]["max"].get<double>() ==
        0.1 + 0.2);
}

TEST_CASE("A summary states what observers found beside the estimators") {
  SampleRun run;
  CHECK_FALSE(SummaryOf(run)["cells"][0].contains("observers"));
  run.AddObservers();
  const Json summary = SummaryOf(run);
  const Json& cell = summary["cells"][1];
  REQUIRE(cell["estimators"].size() == 2);
  CHECK(cell["estimators"][0]["label"] == "ols");
  CHECK_FALSE(cell["estimators"][0].contains("model"));
  REQUIRE(cell["observers"].size() == 4);
  CHECK(cell["observers"][2]["label"] == "T2");
  CHECK(cell["observers"][2]["model"] == "truth");
  CHECK(cell["observers"][2]["trials"] == 12);
  CHECK(cell["observers"][2]["metrics"].size() == 1);
  CHECK(cell["observers"][2]["metrics"]["detection_auc@contact"]["mean"].get<double>() ==
        doctest::Approx(0.9).epsilon(1e-15));
  CHECK(cell["observers"][3]["label"] == "force");
  CHECK(cell["observers"][3]["metrics"]["external_force_rmse_n@contact"]["components"].size() == 3);
}

TEST_CASE("Estimators and observers that always fail have no metrics of each other") {
  SampleRun run;
  run.AddObservers();
  run.change = [](Json& record) {
    if (record["estimator"] == "ols") SampleRun::Fail(record, "diverged", "");
  };
  const Json summary = SummaryOf(run);
  CHECK(summary["cells"][0]["estimators"][0]["failed"] == 12);
  CHECK(summary["cells"][0]["observers"][1]["failed"] == 12);
  for (const auto& [name, metric] : summary["cells"][0]["estimators"][0]["metrics"].items()) {
    CHECK(name.find("@contact") == std::string::npos);
  }
  for (const auto& [name, metric] : summary["cells"][0]["observers"][1]["metrics"].items()) {
    CHECK(name.find("@contact") != std::string::npos);
  }
}

}  // namespace
}  // namespace idbench
