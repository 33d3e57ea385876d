#include "reports/tables/table.h"

#include <doctest/doctest.h>

#include "reports/tables/table_run_test.h"

namespace idbench {
namespace {

TEST_CASE("Published values stand beside ours with their source") {
  SampleRun run = RunWith({{"caption", "Table I"},
                           {"rows", "joint"},
                           {"metric", "rmse_nm@validation"},
                           {"cell", 0},
                           {"published", {{"source", "a paper"}, {"ols", {0.5, 1.25}}}}},
                          4);
  CHECK(
      Tables(run) ==
      "## Table I\n"
      "\n"
      "| joint   |  ols | ols (published) |   wls |\n"
      "| ------- | ---: | --------------: | ----: |\n"
      "| joint1  | 0.57 |            0.50 | 0.287 |\n"
      "| joint2  | 1.73 |            1.25 | 0.863 |\n"
      "| overall | 1.15 |                 | 0.575 |\n"
      "\n"
      "- rmse_nm@validation [N·m]: mean (an interval needs 10 roll-outs, or 10 trials on a single "
      "one)\n"
      "- 4 trials on 1 roll-out: conditional on one motion\n"
      "- published: a paper\n");
}

TEST_CASE("A mean of ten trials or more has its interval") {
  const std::string text =
      Tables(RunWith({{"metric", "rmse_nm@validation"}, {"cell", 0}, {"estimators", {"ols"}}}));
  CHECK(text.find("| rmse_nm@validation [N·m] | 1.55 ≈[1.3") != std::string::npos);
  CHECK(text.find("- mean with its 95 % interval\n- ≈: of fewer than 100 roll-outs, or trials on a "
                  "single one: ") != std::string::npos);
  CHECK(text.find("85 %, of 30 in 88 %\n- 12 trials on 1 roll-out") != std::string::npos);
}

TEST_CASE("Changes are from the number above, without an interval and without a best one") {
  // rmse of ols: (c + 1)·(1 + t/10), mean over 12 trials 1.55·(c + 1)
  const std::string text = Tables(RunWith({{"rows", "torque noise"},
                                           {"columns", "estimator"},
                                           {"metric", "rmse_nm@validation"},
                                           {"change", true}}));
  CHECK(text.find("| 0.1          |    – |     – |\n") != std::string::npos);
  CHECK(text.find("| 0.2          | 1.55 | 0.775 |\n") != std::string::npos);
  CHECK(text.find("change from the row above of the mean\n") != std::string::npos);
  CHECK(text.find("≈") == std::string::npos);
}

TEST_CASE("Intervals of many trials, and of proportions, are not approximate") {
  SampleRun run = RunWith({{"metric", "relative_error"}, {"cell", 0}}, 100);
  CHECK(Tables(run).find("≈") == std::string::npos);
  run = RunWith({{"metric", "relative_error"}, {"cell", 0}, {"digits", 2}}, 10);
  run.manifest["metrics"]["relative_error"]["law"] = "proportion";
  run.change = [](Json& record) { record["metrics"]["relative_error"] = {{"value", 1}}; };
  CHECK(Tables(run).find("1.0 [0.7, 1.0]") != std::string::npos);  // Wilson: 0.722
  CHECK(Tables(run).find("≈") == std::string::npos);
}

TEST_CASE("A range in percent never becomes a power of ten") {
  SampleRun run = RunWith({{"metric", "relative_error"}, {"cell", 0}}, 3);
  run.change = [](Json& record) { SampleRun::Fail(record, "crashed", ""); };
  CHECK(Tables(run).find("failed: ols 3 of 3 estimates, 95 % interval 44–100 %") !=
        std::string::npos);
}

TEST_CASE("An axis of the sweep can be a side, in percent") {
  CHECK(Tables(RunWith({{"caption", ""},
                        {"rows", "estimator"},
                        {"columns", "torque noise"},
                        {"metric", "relative_error"},
                        {"statistic", "median"},
                        {"percent", true}},
                       3)) ==
        "## A sample run\n"
        "\n"
        "| estimator | torque noise 0.1 | torque noise 0.2 |\n"
        "| --------- | ---------------: | ---------------: |\n"
        "| ols       |             2.00 |             4.00 |\n"
        "| wls       |             2.00 |             4.00 |\n"
        "\n"
        "- relative_error [%]: median\n"
        "- 3 trials on 1 roll-out in each cell, 2 in all, of 2 motions: each conditional on its "
        "one motion, and cells "
        "differ by theirs too\n");
}

TEST_CASE("What is on neither side makes a table each, unless it is chosen") {
  const Json by_joint = {{"rows", "component"},
                         {"columns", "torque noise"},
                         {"scale", 1000},
                         {"metric", "rmse_nm@validation"},
                         {"overall", false}};
  const std::string both = Tables(RunWith(by_joint, 1));
  CHECK(both.find("## A sample run: ols\n") != std::string::npos);
  CHECK(both.find("## A sample run: wls\n") != std::string::npos);
  CHECK(both.find("overall") == std::string::npos);
  CHECK(both.find("rmse_nm@validation [0.001 N·m]\n") != std::string::npos);
  CHECK(both.find("| joint1    |              500 |             1000 |") != std::string::npos);
  Json chosen = {
      {"rows", "joint"}, {"metric", "rmse_nm@validation"}, {"where", {{"torque noise", "0.2"}}}};
  const std::string one = Tables(RunWith(chosen, 1));
  CHECK(one.starts_with("## A sample run\n"));
  CHECK(one.find("| joint1  | 1.00 | 0.50 |") != std::string::npos);
}

TEST_CASE("Cells can be a side") {
  const std::string text =
      Tables(RunWith({{"rows", "cell"}, {"metric", "relative_error"}, {"digits", 2}}, 1));
  CHECK(text.find("| torque noise 0.2 | 0.020 | 0.020 |") != std::string::npos);
}

TEST_CASE("Experiments and checkpoints can be sides") {
  SampleRun run = RunWith({{"rows", "checkpoint"},
                           {"columns", "experiment"},
                           {"metric", "e"},
                           {"estimators", {"ols"}},
                           {"cell", 0}},
                          1);
  run.manifest["metrics"] = Json::object();
  for (const char* name : {"e@run1@t=1", "e@run1@t=2", "e@run2@t=1", "e@run2@t=2"}) {
    run.manifest["metrics"][name] = {{"unit", "1"}};
  }
  run.change = [](Json& record) {
    record["metrics"] = {{"e@run1@t=1", {{"value", 1.5}}},
                         {"e@run1@t=2", {{"value", 2.5}}},
                         {"e@run2@t=1", {{"value", 3.5}}},
                         {"e@run2@t=2", {{"value", 4.5}}}};
  };
  CHECK(Tables(run).find("| checkpoint | run1 | run2 |\n"
                         "| ---------- | ---: | ---: |\n"
                         "| t=1        | 1.50 | 3.50 |\n"
                         "| t=2        | 2.50 | 4.50 |\n"
                         "\n- e\n") != std::string::npos);
}

TEST_CASE("A report shows checkpoints though no table asks for them") {
  SampleRun run = RunWith({{"rows", "metric"}, {"cell", 0}}, 1);
  run.manifest["metrics"] = Json::object();
  for (const char* name : {"e@run1@t=1", "e@run1@t=2", "e@run1"}) {
    run.manifest["metrics"][name] = {{"unit", "1"}};
  }
  run.change = [](Json& record) {
    record["metrics"] = {{"e@run1@t=1", {{"value", 1.5}}},
                         {"e@run1@t=2", {{"value", 2.5}}},
                         {"e@run1", {{"value", 3.5}}}};
  };
  const std::string text = Tables(run);
  CAPTURE(text);
  CHECK(text.find("## Over the time that was recorded: torque noise 0.1\n") != std::string::npos);
  CHECK(text.find("| t=1        | 1.50 | 1.50 |\n"
                  "| t=2        | 2.50 | 2.50 |\n") != std::string::npos);
}

TEST_CASE("Failures are counted in a row under estimators, with their reasons") {
  SampleRun run = RunWith({{"cell", 0}}, 4);
  run.change = [](Json& record) {
    if (record["estimator"] != "ols") return;
    if (record["trial"] == 2) SampleRun::Fail(record, "diverged", "step 4 grew");
    if (record["trial"] == 3) record["metrics"]["relative_error"] = {{"failed", "no truth"}};
  };
  CHECK(Tables(run) ==
        "## A sample run\n"
        "\n"
        "| metric                   |           ols |    wls |\n"
        "| ------------------------ | ------------: | -----: |\n"
        "| rmse_nm@validation [N·m] |   1.13 (of 3) |   0.57 |\n"
        "| relative_error           | 0.0150 (of 2) | 0.0250 |\n"
        "| failed                   |             1 |      0 |\n"
        "\n"
        "- mean of survivors (an interval needs 10 roll-outs, or 10 trials on a single one)\n"
        "- 4 trials on 1 roll-out: conditional on one motion\n"
        "- failed: ols 1 of 4 estimates, 95 % interval 5–70 % (diverged 1: step 4 grew)\n"
        "- failed: relative_error of ols, 1 value: no truth\n"
        "- (of n): of n values, where others of that metric are of more: not of the same trials, "
        "not comparable with them, and never the best\n");
}

TEST_CASE("The row of failures counts estimates of all cells, each once, and no metric") {
  SampleRun run = RunWith({{"rows", "torque noise"},
                           {"columns", "estimator"},
                           {"metrics", {"rmse_nm@validation", "relative_error"}}},
                          4);
  run.change = [](Json& record) {
    record["metrics"]["relative_error"] = {{"failed", "no truth"}};
    if (record["estimator"] == "ols" && record["trial"] <= record["cell"]) {
      SampleRun::Fail(record, "diverged", "");  // 1 in the first cell, 2 in the second
    }
  };
  const std::string text = Tables(run);
  CAPTURE(text);
  CHECK(text.find("\n| failed       |           3 |    0 |\n") != std::string::npos);
  CHECK(text.find("\n| failed       |      3 |      0 |\n") != std::string::npos);
  run.change = [](Json& record) { record["metrics"]["relative_error"] = {{"failed", "no truth"}}; };
  CHECK(Tables(run).find("\n| failed ") == std::string::npos);
}

TEST_CASE("Estimators that lack values of one metric for one reason share a note") {
  SampleRun run = RunWith({{"cell", 0}}, 4);
  run.change = [](Json& record) {
    if (record["trial"] != 3) return;
    record["metrics"]["relative_error"] = {{"failed", "no truth"}};
  };
  CHECK(Tables(run).find("- failed: relative_error of ols, 1 value; of wls, 1 value: no truth\n") !=
        std::string::npos);
  run.change = [](Json& record) {
    if (record["trial"] == 0) return;
    const bool ols = record["estimator"] == "ols";
    record["metrics"]["relative_error"] = {
        {"failed", ols ? fmt::format("correlated; by {}", record["trial"].get<int>()) : "no data"}};
  };
  const std::string text = Tables(run);
  CHECK(text.find("- failed: relative_error of ols, 3 values: correlated\n") != std::string::npos);
  CHECK(text.find("- failed: relative_error of wls, 3 values: no data\n") != std::string::npos);
}

TEST_CASE("What an estimator cannot have is no failure: a dash with the reason") {
  SampleRun run = RunWith({{"cell", 0}}, 4);
  run.change = [](Json& record) {
    if (record["estimator"] != "ols") return;
    record["metrics"]["relative_error"] = {{"absent", "it states none"}};
  };
  CHECK(Tables(run) ==
        "## A sample run\n"
        "\n"
        "| metric                   |  ols |    wls |\n"
        "| ------------------------ | ---: | -----: |\n"
        "| rmse_nm@validation [N·m] | 1.15 |   0.57 |\n"
        "| relative_error           |    – | 0.0250 |\n"
        "\n"
        "- mean (an interval needs 10 roll-outs, or 10 trials on a single one)\n"
        "- 4 trials on 1 roll-out: conditional on one motion\n"
        "- –: relative_error of ols: it states none\n");
  // Where nobody has it there is no row, and one note.
  run.change = [](Json& record) { record["metrics"]["relative_error"] = {{"absent", "no noise"}}; };
  const std::string text = Tables(run);
  CHECK(text.find("| relative_error") == std::string::npos);
  CHECK(text.find("- –: relative_error of ols, wls: no noise\n") != std::string::npos);
}

TEST_CASE("Failures are counted in a column beside estimators, quantiles take them as +∞") {
  SampleRun run = RunWith({{"rows", "estimator"},
                           {"columns", "metric"},
                           {"statistic", "median"},
                           {"metric", "relative_error"},
                           {"cell", 0}},
                          3);
  run.change = [](Json& record) {
    if (record["estimator"] == "ols" && record["trial"] != 0) {
      SampleRun::Fail(record, "crashed", "");
    }
  };
  CHECK(Tables(run) ==
        "## A sample run\n"
        "\n"
        "| estimator | relative_error | failed |\n"
        "| --------- | -------------: | -----: |\n"
        "| ols       |              – |      2 |\n"
        "| wls       |         0.0200 |      0 |\n"
        "\n"
        "- median, a failure as +∞\n"
        "- 3 trials on 1 roll-out: conditional on one motion\n"
        "- failed: ols 2 of 3 estimates, 95 % interval 21–94 % (crashed 2)\n"
        "- –: too few samples for this statistic, or failures decide it\n");
}

TEST_CASE("A recording's single values are printed without a word of statistics") {
  SampleRun run = RunWith({{"metrics", {"relative_error", "base_error"}}, {"cell", 0}}, 1);
  run.manifest["absent_metrics"] = {{"base_error", "no truth: a recording"},
                                    {"nees", "not asked for here"}};
  run.change = [](Json& record) {
    if (record["estimator"] == "wls") SampleRun::Fail(record, "rank_deficient", "rank 9 of 10");
  };
  CHECK(Tables(run) ==
        "## A sample run\n"
        "\n"
        "| metric         |    ols |    wls |\n"
        "| -------------- | -----: | -----: |\n"
        "| relative_error | 0.0100 | failed |\n"
        "\n"
        "- failed: wls 1 of 1 estimate (rank_deficient 1: rank 9 of 10)\n"
        "- absent: base_error: no truth: a recording\n");
}

TEST_CASE("A table of absent metrics alone says why") {
  SampleRun run = RunWith({{"caption", "Errors"}, {"metric", "base_error@run1"}}, 1);
  run.manifest["absent_metrics"] = {{"base_error", "no truth: a recording"}};
  CHECK(Tables(run) == "## Errors\n\n- absent: base_error: no truth: a recording\n");
}

TEST_CASE("What has no number says so") {
  SampleRun run = RunWith({{"cell", 0}}, 2);
  run.change = [](Json& record) {
    record["metrics"]["rmse_nm@validation"].erase("value");
    if (record["estimator"] == "wls") record["metrics"].erase("relative_error");
    if (record["estimator"] == "ols") record["metrics"]["relative_error"]["count"] = 14;
  };
  const std::string text = Tables(run);
  CHECK(text.find("| rmse_nm@validation [N·m] |      – |   – |") != std::string::npos);
  CHECK(text.find("| relative_error           | 0.0150 |   – |") != std::string::npos);
  CHECK(text.find("- –: that estimator gives no such metric\n") != std::string::npos);
  CHECK(text.find("- –: that metric has no overall value; put joint or link on a side\n") !=
        std::string::npos);
  CHECK(text.find("- relative_error of ols counts over 14\n") != std::string::npos);
}

TEST_CASE("A run that is not complete says so") {
  SampleRun run = RunWith({{"rows", "cell"}, {"metric", "relative_error"}}, 4);
  run.change = [](Json& record) {
    if (record["cell"] == 1) record = Json::object();
  };
  const std::string text = Tables(run);
  CHECK(text.find("| torque noise 0.2 | not run | not run |") != std::string::npos);
  CHECK(text.find("- incomplete: 0 of 4 trials were run\n") != std::string::npos);
}

TEST_CASE("Captions count trials and roll-outs") {
  SampleRun run = RunWith({{"rows", "cell"}, {"metric", "relative_error"}}, 4);
  run.change = [](Json& record) {
    if (record["cell"] == 1) record["rollout"] = fmt::format("{}", record["trial"].get<int>());
  };
  CHECK(Tables(run).find("- 4 trials on 1–4 roll-outs in each cell, 5 in all, of 5 motions: those "
                         "on one motion are conditional on it\n") != std::string::npos);
  run.manifest["scenario"]["tables"][0]["cell"] = 1;
  CHECK(Tables(run).find("- 4 trials on 4 roll-outs\n") != std::string::npos);
  run.change = [](Json& record) {
    record["rollout"] = fmt::format("{}", record["trial"].get<int>());
    record["motion"] = "m";
  };
  CHECK(Tables(run).find("- 4 trials on 4 roll-outs: conditional on one motion\n") !=
        std::string::npos);
}

TEST_CASE("Trials of which no roll-out was made say so") {
  SampleRun run = RunWith({{"cell", 0}, {"metric", "relative_error"}}, 4);
  run.change = [](Json& record) {
    record["rollout"] = "failed";
    SampleRun::Fail(record, "plant_failed", "the plant diverged");
  };
  CHECK(Tables(run).find("- 4 trials, none of which got as far as a roll-out\n") !=
        std::string::npos);
}

TEST_CASE("Captions tell cells that have roll-outs of their own from cells that share them") {
  SampleRun run = RunWith({{"rows", "cell"}, {"metric", "relative_error"}}, 4);
  CHECK(Tables(run).find("- 4 trials on 1 roll-out in each cell, 2 in all, of 2 motions: each "
                         "conditional on its one motion, and cells differ by theirs too\n") !=
        std::string::npos);
  run.change = [](Json& record) { record["rollout"] = "same"; };
  CHECK(Tables(run).find("- 4 trials on 1 roll-out: conditional on one motion\n") !=
        std::string::npos);
}

TEST_CASE("Tables that contradict the run or are damaged are refused") {
  const auto message = [](const Json& table) {
    return MessageOf("no_folder", [&] { Tables(RunWith(table, 1)); });
  };
  CHECK(message({{"metric", "nees"}}) ==
        "manifest.json: /scenario/tables/0/metric: unknown metric \"nees\"\n"
        "  accepted here: rmse_nm@validation, relative_error");
  CHECK(message({{"row", "joint"}})
            .starts_with("manifest.json: /scenario/tables/0/row: unknown key\n"));
}

TEST_CASE("Observers and their models can be sides") {
  const auto tables = [](const Json& table) {
    SampleRun run = RunWith(table, 4);
    run.AddObservers();
    return Tables(run);
  };
  CHECK(tables({{"rows", "estimator"},
                {"columns", "observer"},
                {"metric", "detection_auc"},
                {"cell", 0}})
            .find("## A sample run\n"
                  "\n"
                  "| model |    T2 |\n"
                  "| ----- | ----: |\n"
                  "| prior | 0.500 |\n"
                  "| ols   | 0.800 |\n"
                  "| truth | 0.900 |\n") == 0);
  CHECK(tables({{"rows", "observer"}, {"columns", "metric"}, {"estimators", {"ols"}}, {"cell", 0}})
            .find("| observer | detection_auc@contact | external_force_rmse_n@contact [N] |\n"
                  "| -------- | --------------------: | --------------------------------: |\n"
                  "| T2       |                 0.800 |                                   |\n"
                  "| force    |                       |                              1.15 |\n") !=
        std::string::npos);
  // Components, of the only observer that has them.
  const std::string components =
      tables({{"rows", "component"}, {"metric", "external_force_rmse_n"}, {"cell", 0}});
  CAPTURE(components);
  CHECK(
      components.starts_with("## A sample run: force\n"
                             "\n"
                             "| component |  ols |\n"
                             "| --------- | ---: |\n"
                             "| x         | 0.69 |\n"
                             "| y         | 0.92 |\n"));
  // Metrics of both kinds are in tables of their own.
  const std::string both = tables({{"metrics", {"relative_error", "detection_auc"}}, {"cell", 0}});
  CHECK(both.find("## A sample run\n"
                  "\n"
                  "| metric         |    ols |    wls |\n") == 0);
  CHECK(both.find("## A sample run: T2\n"
                  "\n"
                  "| metric                | prior |   ols | truth |\n") != std::string::npos);
}

}  // namespace
}  // namespace idbench
