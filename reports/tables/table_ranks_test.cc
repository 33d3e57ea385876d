#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "reports/tables/table.h"
#include "reports/tables/table_run_test.h"

namespace idbench {
namespace {

/// The places marked as best, as "row/column".
std::vector<std::string> Best(const SampleRun& run) {
  const TemporaryFolder folder;
  run.WriteTo(folder.path());
  const RunFolder read(folder.path());
  std::vector<std::string> best;
  for (const Table& table : MakeTables(Summarise(read), read.manifest())) {
    for (const TableColumn& column : table.columns) {
      for (std::size_t row = 0; row < column.entries.size(); ++row) {
        if (column.entries[row].best) best.push_back(table.row_labels[row] + "/" + column.header);
      }
    }
  }
  return best;
}

TEST_CASE("The best of the estimators is marked, those printed alike too, none where all are") {
  const Json by_row = {{"rows", "metric"}, {"cell", 0}};
  // rmse of wls is half that of ols and of map; the relative error is the same for all.
  SampleRun run = RunWith(by_row);
  run.manifest["estimators"].push_back("map");
  CHECK(Best(run) == std::vector<std::string>{"rmse_nm@validation [N·m]/wls"});
  run.manifest["metrics"]["rmse_nm@validation"]["better"] = "higher";
  CHECK(Best(run) ==
        std::vector<std::string>{"rmse_nm@validation [N·m]/ols", "rmse_nm@validation [N·m]/map"});
  CHECK(Best(RunWith({{"rows", "estimator"},
                      {"columns", "joint"},
                      {"metric", "rmse_nm@validation"},
                      {"overall", false},
                      {"cell", 1}})) == std::vector<std::string>{"wls/joint1", "wls/joint2"});
}

TEST_CASE("Nothing is best that a metric beside it does not rank best, too") {
  SampleRun run = RunWith({{"rows", "metric"}, {"metrics", {"rmse_nm@validation"}}, {"cell", 0}});
  run.manifest["metrics"]["rmse_nm@validation"]["ranks_with"] = {"relative_error"};
  // All have the same relative error: the others agree that wls is among the best.
  CHECK(Best(run) == std::vector<std::string>{"rmse_nm@validation [N·m]/wls"});
  run.change = [](Json& record) {
    if (record["estimator"] == "wls") record["metrics"]["relative_error"]["value"] = 7.0;
  };
  CHECK(Best(run).empty());
  run.change = [](Json& record) {
    if (record["estimator"] == "ols") record["metrics"]["relative_error"]["value"] = 7.0;
  };
  CHECK(Best(run).size() == 1);
  run.change = [](Json& record) {
    if (record["estimator"] == "wls") record["metrics"].erase("relative_error");
  };
  CHECK(Best(run).empty());
}

TEST_CASE("Nothing is best by a metric that other body frames may rank otherwise") {
  SampleRun run = RunWith({{"rows", "metric"}, {"cell", 0}});
  CHECK(Best(run) == std::vector<std::string>{"rmse_nm@validation [N·m]/wls"});
  run.manifest["metrics"]["rmse_nm@validation"]["framed"] = true;
  CHECK(Best(run).empty());
}

TEST_CASE("Nothing is best of fewer trials or motions than could tell estimators apart") {
  const auto run = [](int trials, int per_motion) {
    SampleRun made = RunWith({{"rows", "metric"}, {"cell", 0}}, trials);
    made.change = [per_motion](Json& record) {
      const int motion = record["trial"].get<int>() / per_motion;
      record["rollout"] = "m" + std::to_string(motion);
    };
    return made;
  };
  constexpr int kAll = 100;
  CHECK(Best(run(1, kAll)).empty());
  CHECK(Best(run(5, kAll)).empty());  // p of a sign-flip test is at least 2^(1 − n): 0.0625
  CHECK(Best(run(6, kAll)).size() == 1);
  CHECK(Best(run(15, 3)).empty());
  CHECK(Best(run(18, 3)).size() == 1);
}

TEST_CASE("Nothing is best without a rival, with failures, or of a spread") {
  const Json table = {{"metric", "rmse_nm@validation"}, {"cell", 0}};
  SampleRun run = RunWith(table);
  run.change = [](Json& record) {
    if (record["estimator"] == "wls" && record["trial"] == 3)
      SampleRun::Fail(record, "diverged", "");
  };
  CHECK(Best(run).empty());
  Json spread = table;
  spread["statistic"] = "sd";
  CHECK(Best(RunWith(spread)).empty());
  Json sides = table;
  sides["rows"] = "joint";
  sides["columns"] = "metric";
  CHECK(Best(RunWith(sides)).empty());
}

TEST_CASE("Failed trials are a statistic too, and a variance has the square of the unit") {
  SampleRun run = RunWith({{"metric", "rmse_nm@validation"},
                           {"rows", "torque noise"},
                           {"overall", true},
                           {"statistic", "failed"}});
  run.manifest["scenario"]["tables"].push_back({{"metric", "rmse_nm@validation"},
                                                {"rows", "torque noise"},
                                                {"statistic", "variance"},
                                                {"scale", 10}});
  run.change = [](Json& record) {
    if (record["estimator"] == "ols" && record["trial"] == 3) {
      SampleRun::Fail(record, "diverged", "");
    }
  };
  const std::string text = Tables(run);
  CHECK(text.find("| torque noise | ols | wls |\n"
                  "| ------------ | --: | --: |\n"
                  "| 0.1          |   1 |   0 |\n"
                  "| 0.2          |   1 |   0 |\n") != std::string::npos);
  CHECK(text.find("- rmse_nm@validation: failed trials\n") != std::string::npos);
  CHECK(text.find("- rmse_nm@validation [(0.1 N·m)²]: variance of survivors\n") !=
        std::string::npos);
  // ((c + 1)/2)²·n(n + 1)/12/100 for wls and n = 12 trials, times 10² as printed: 3.25 and 13.
  CHECK(text.find("|  3.2 |\n") != std::string::npos);
  CHECK(text.find("| 13.0 |\n") != std::string::npos);
}

TEST_CASE("A bound stands as one more estimator, by its mean, and is never the best") {
  SampleRun run = RunWith({{"rows", "estimator"},
                           {"columns", "torque noise"},
                           {"metric", "rmse_nm@validation"},
                           {"statistic", "max"},
                           {"bound", "rmse_bound_nm"}},
                          6);
  run.manifest["metrics"]["rmse_bound_nm@validation"] = {{"unit", "N·m"},
                                                         {"components", Json::array()}};
  run.change = [](Json& record) {
    if (record["estimator"] == "ols" && record["trial"] == 0) {
      return SampleRun::Fail(record, "diverged", "");
    }
    record["metrics"]["rmse_bound_nm@validation"] = {{"value", 0.25}};
  };
  CHECK(Tables(run) ==
        "## A sample run\n"
        "\n"
        "| estimator        | torque noise 0.1 | torque noise 0.2 | failed |\n"
        "| ---------------- | ---------------: | ---------------: | -----: |\n"
        "| ols              |      1.50 (of 5) |      3.00 (of 5) |      2 |\n"
        "| wls              |             0.75 |             1.50 |      0 |\n"
        "| Cramér-Rao bound |             0.25 |             0.25 |        |\n"
        "\n"
        "- rmse_nm@validation [N·m]: largest value of survivors\n"
        "- 6 trials on 1 roll-out in each cell, 2 in all, of 2 motions: each conditional on its "
        "one motion, and cells "
        "differ by theirs too\n"
        "- failed: ols 2 of 12 estimates (diverged 2)\n"
        "- (of n): of n values, where others of that metric are of more: not of the same trials, "
        "not comparable with them, and never the best\n");
  CHECK(Best(run).empty());
  run.change = [](Json& record) {
    record["metrics"]["rmse_bound_nm@validation"] = {{"value", 0.25}};
  };
  CHECK(Best(run) == std::vector<std::string>{"wls/torque noise 0.1", "wls/torque noise 0.2"});
}

TEST_CASE("What is withheld in some trials alone is counted, and such means are never the best") {
  SampleRun run = RunWith({{"cell", 0}, {"metric", "relative_error"}}, 4);
  run.change = [](Json& record) {
    if (record["estimator"] != "ols" || record["trial"] == 0) return;
    record["metrics"]["relative_error"] = {{"absent", "residuals are correlated"}};
  };
  const std::string text = Tables(run);
  CHECK(text.find("0.0100 (of 1)") != std::string::npos);
  CHECK(text.find("- failed: relative_error of ols, 3 values: residuals are correlated\n") !=
        std::string::npos);
  CHECK(text.find("- (of n): ") != std::string::npos);
  CHECK(Best(run).empty());
}

TEST_CASE("The best of an observer's models is marked, and the truth is no rival") {
  SampleRun run = RunWith(
      {{"rows", "estimator"}, {"columns", "metric"}, {"metric", "detection_auc"}, {"cell", 0}});
  run.AddObservers();
  CHECK(Best(run) == std::vector<std::string>{"ols/detection_auc@contact"});
  run.manifest["metrics"]["detection_auc@contact"]["better"] = "lower";
  CHECK(Best(run) == std::vector<std::string>{"prior/detection_auc@contact"});
}

TEST_CASE("Observers that are given the same model are rivals, of the truth too") {
  SampleRun run = RunWith({{"rows", "metric"},
                           {"columns", "observer"},
                           {"estimators", {"truth"}},
                           {"metric", "detection_auc"},
                           {"cell", 0}});
  run.AddObservers();
  run.manifest["observers"][1] = {{"label", "load"}, {"models", {"truth"}}};
  run.change = [](Json& record) {
    if (record.value("observer", "") != "load") return;
    record["metrics"] = {{"detection_auc@contact", {{"value", 0.7}}}};
  };
  CHECK(Best(run) == std::vector<std::string>{"detection_auc@contact/T2"});
}

}  // namespace
}  // namespace idbench
