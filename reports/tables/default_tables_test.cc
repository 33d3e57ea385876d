#include "reports/tables/default_tables.h"

#include <doctest/doctest.h>

#include "reports/tables/table_run_test.h"

namespace idbench {
namespace {

/// The sample without tables, of 4 trials, with one headline metric.
SampleRun Undeclared() {
  SampleRun run;
  run.manifest["trials"] = 4;
  run.manifest["marks"] = Json::array();
  run.manifest["metrics"]["relative_error"]["headline"] = true;
  return run;
}

TEST_CASE("Without tables there is one for each metric: the swept axis × estimators") {
  SampleRun run = Undeclared();
  run.manifest["scenario"]["metrics"] = {"all"};
  // 4 trials: 1, 1.1, 1.2, 1.3 and 0.01 … 0.04, twice that in the second cell. The mean 0.575 of
  // wls is a hair less in binary.
  const std::string notes =
      "- 4 trials on 1 roll-out in each cell, 2 in all, of 2 motions: each conditional on its one "
      "motion, and cells differ by theirs too\n";
  CHECK(Tables(run) ==
        "## A sample run: rmse_nm@validation\n"
        "\n"
        "| torque noise |  ols |  wls |\n"
        "| ------------ | ---: | ---: |\n"
        "| 0.1          | 1.15 | 0.57 |\n"
        "| 0.2          | 2.30 | 1.15 |\n"
        "\n"
        "- rmse_nm@validation [N·m]: mean (an interval needs 10 roll-outs, or 10 trials on a "
        "single one)\n" +
            notes +
            "## A sample run: relative_error\n"
            "\n"
            "| torque noise |    ols |    wls |\n"
            "| ------------ | -----: | -----: |\n"
            "| 0.1          | 0.0250 | 0.0250 |\n"
            "| 0.2          | 0.0500 | 0.0500 |\n"
            "\n"
            "- relative_error: mean (an interval needs 10 roll-outs, or 10 trials on a single "
            "one)\n" +
            notes);
}

TEST_CASE("Tables of no scenario's asking show headline metrics, and say where the others are") {
  const std::string text = Tables(Undeclared());
  CHECK(text.find("rmse_nm") == std::string::npos);
  CHECK(text.find("- relative_error: mean") != std::string::npos);
  CHECK(text.find("- 1 more metric: in tables/statistics.csv; in tables with \"metrics\": "
                  "[\"all\"]\n") != std::string::npos);
  SampleRun old = Undeclared();  // of a program that knew no headline metric
  old.manifest["metrics"]["relative_error"].erase("headline");
  CHECK(Tables(old).find("rmse_nm") != std::string::npos);
}

TEST_CASE("A headline metric that no method can have is no row, and one of a single method is") {
  for (const bool of_all : {true, false}) {
    CAPTURE(of_all);
    SampleRun run = Undeclared();
    run.manifest["metrics"]["rmse_nm@validation"]["headline"] = true;
    run.manifest["cells"] = Json::array({{{"index", 0}, {"axes", Json::object()}}});
    run.change = [of_all](Json& record) {
      if (!of_all && record["estimator"] == "ols") return;
      record["metrics"]["rmse_nm@validation"] = {{"absent", "states no torques"}};
    };
    CHECK((Tables(run).find("| rmse_nm@validation") == std::string::npos) == of_all);
    CHECK(Tables(run).find("| relative_error") != std::string::npos);
  }
}

TEST_CASE("Without a sweep there is one table of metrics, over several axes one of cells") {
  SampleRun run = Undeclared();
  run.manifest["cells"] = Json::array({{{"index", 0}, {"axes", Json::object()}}});
  CHECK(Tables(run).find("| relative_error | 0.0250 | 0.0250 |\n") != std::string::npos);
  run = Undeclared();
  run.manifest["cells"][0]["axes"]["gear"] = "1";
  run.manifest["cells"][1]["axes"]["gear"] = "2";
  CHECK(Tables(run).find("| cell                     |    ols |    wls |\n"
                         "| ------------------------ | -----: | -----: |\n"
                         "| torque noise 0.1, gear 1 | 0.0250 | 0.0250 |\n"
                         "| torque noise 0.2, gear 2 | 0.0500 | 0.0500 |\n") != std::string::npos);
}

TEST_CASE("Failed estimates of a sweep have a table of their own, where no table is declared") {
  SampleRun run = Undeclared();
  CHECK(Tables(run).find("failed estimates") == std::string::npos);
  run.change = [](Json& record) {
    if (record["estimator"] == "ols" && record["cell"] == 1)
      SampleRun::Fail(record, "diverged", "");
  };
  CHECK(Tables(run).find("## A sample run: failed estimates\n"
                         "\n"
                         "| torque noise | ols | wls |\n"
                         "| ------------ | --: | --: |\n"
                         "| 0.1          |   0 |   0 |\n"
                         "| 0.2          |   4 |   0 |\n"
                         "\n"
                         "- of 4 estimates of each method in each cell\n") != std::string::npos);
}

/// The sample with observers, in one cell.
SampleRun ObservedOnce() {
  SampleRun run = Undeclared();
  run.AddObservers();
  run.manifest["cells"] = Json::array({{{"index", 0}, {"axes", Json::object()}}});
  return run;
}

TEST_CASE("Without tables each observer has one of its own: models × what it gives") {
  // 4 trials: 1, 1.1, 1.2, 1.3 of the force. The truth is no rival, and 4 units rank nothing.
  const std::string text = Tables(ObservedOnce());
  CHECK(text.find("## A sample run\n"
                  "\n"
                  "| metric         |    ols |    wls |\n"
                  "| -------------- | -----: | -----: |\n"
                  "| relative_error | 0.0250 | 0.0250 |\n") == 0);
  CHECK(text.find("## A sample run: T2\n"
                  "\n"
                  "| model | detection_auc@contact |\n"
                  "| ----- | --------------------: |\n"
                  "| prior |                 0.500 |\n"
                  "| ols   |                 0.800 |\n"
                  "| truth |                 0.900 |\n") != std::string::npos);
  CHECK(text.find("## A sample run: force\n"
                  "\n"
                  "| model | external_force_rmse_n@contact [N] |\n"
                  "| ----- | --------------------------------: |\n"
                  "| ols   |                              1.15 |\n") != std::string::npos);
  CHECK(text.find("T2 of") == std::string::npos);
}

TEST_CASE("A scenario that lists metrics shows all of observers too, in tables of theirs") {
  SampleRun run = ObservedOnce();
  run.manifest["scenario"]["metrics"] = {"all"};
  run.manifest["metrics"]["detection_auc@contact"].erase("headline");
  const std::string text = Tables(run);
  CHECK(text.find("| rmse_nm@validation [N·m] |") != std::string::npos);
  CHECK(text.find("| model | detection_auc@contact |") != std::string::npos);
  CHECK(text.find("T2 of") == std::string::npos);
}

TEST_CASE("Without metrics of estimators there are tables of observers alone") {
  SampleRun run = ObservedOnce();
  run.manifest["metrics"].erase("rmse_nm@validation");
  run.manifest["metrics"].erase("relative_error");
  run.change = [](Json& record) {
    if (!record.contains("observer")) record["metrics"] = Json::object();
  };
  const std::string text = Tables(run);
  CHECK(text.starts_with("## A sample run: T2\n"));
  CHECK(text.find("wls") == std::string::npos);
}

TEST_CASE("A headline metric that estimators alone cannot have is no row of theirs") {
  SampleRun run = ObservedOnce();
  run.manifest["metrics"]["rmse_nm@validation"]["headline"] = true;
  run.change = [](Json& record) {
    if (record.contains("observer")) return;
    record["metrics"]["rmse_nm@validation"] = {{"absent", "states no torques"}};
  };
  CHECK(Tables(run).find("rmse_nm@validation") == std::string::npos);
}

TEST_CASE("In a sweep, failed estimates and failed observations are counted apart") {
  SampleRun run = Undeclared();
  run.AddObservers();
  run.change = [](Json& record) {
    if (record["cell"] == 1 && record["estimator"] == "ols" && record["trial"] == 0) {
      SampleRun::Fail(record, "diverged", "");
    }
  };
  const std::string text = Tables(run);
  CHECK(text.find("| torque noise | prior |          ols | truth |\n") != std::string::npos);
  CHECK(text.find("## A sample run: detection_auc@contact, T2\n") != std::string::npos);
  CHECK(text.find("- failed: T2 of ols 1 of 8 observations (diverged 1)\n") != std::string::npos);
  CHECK(text.find("## A sample run: failed estimates\n"
                  "\n"
                  "| torque noise | ols | wls |\n") != std::string::npos);
  CHECK(text.find("## A sample run: failed observations\n"
                  "\n"
                  "| torque noise | T2 of prior | T2 of ols | T2 of truth | force of ols |\n"
                  "| ------------ | ----------: | --------: | ----------: | -----------: |\n"
                  "| 0.1          |           0 |         0 |           0 |            0 |\n"
                  "| 0.2          |           0 |         1 |           0 |            1 |\n"
                  "\n"
                  "- of 4 observations of each observer with each model in each cell\n") !=
        std::string::npos);
}

}  // namespace
}  // namespace idbench
