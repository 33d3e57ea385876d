#include "reports/tables/count_sentences.h"

#include <doctest/doctest.h>

#include "reports/tables/table_run_test.h"

namespace idbench {
namespace {

TEST_CASE("A ratio to a bound of linear estimators says so, in place of its directions") {
  SampleRun run = RunWith({{"cell", 0}}, 2);
  run.manifest["metrics"]["relative_error"]["law"] = "unbiased_bound_ratio";
  std::size_t count = 0;
  run.change = [&count](Json& record) { record["metrics"]["relative_error"]["count"] = count; };
  const std::string linear =
      "- relative_error: of rounded readings the bound is that of linear estimators; with noise "
      "below half a step more can be known, so less than 1 raises no alarm\n";
  const std::string rounded = Tables(run);
  CHECK(rounded.find(linear) != std::string::npos);
  CHECK(rounded.find("over 0") == std::string::npos);
  count = 3;
  CHECK(Tables(run).find("rounded readings") == std::string::npos);
}

TEST_CASE("Metrics and estimators that count over as many share a sentence") {
  SampleRun run = RunWith({{"cell", 0}}, 2);
  run.change = [](Json& record) {
    const bool more = record["estimator"] == "wls" && record["trial"] == 1;
    record["metrics"]["relative_error"]["count"] = 14;
    record["metrics"]["rmse_nm@validation"]["count"] = more ? 15 : 14;
  };
  const std::string text = Tables(run);
  CHECK(text.find("- rmse_nm@validation of wls counts over 14–15\n") != std::string::npos);
  CHECK(text.find("- relative_error of ols, wls count over 14\n") != std::string::npos);
  CHECK(text.find("- rmse_nm@validation of ols counts over 14\n") != std::string::npos);
  run.change = [](Json& record) {
    record["metrics"]["relative_error"]["count"] = 14;
    record["metrics"]["rmse_nm@validation"]["count"] = 14;
  };
  CHECK(Tables(run).find("- rmse_nm@validation, relative_error of ols, wls count over 14\n") !=
        std::string::npos);
}

TEST_CASE("Criteria of motions of different N are told apart, and have no change") {
  const auto tables = [](const std::vector<int>& columns, bool change) {
    SampleRun run = RunWith({{"rows", "torque noise"},
                             {"columns", "metric"},
                             {"metrics", {"excitation_jd@a"}},
                             {"change", change}},
                            2);
    run.AddMotion("a", columns);
    return Tables(run);
  };
  const std::string unlike =
      "- excitation_jd: motions are to show different numbers of parameters, N = 14, 57: values of "
      "different N are not comparable";
  CHECK(tables({14, 57}, false).find(unlike + "\n") != std::string::npos);
  const std::string changes = tables({14, 57}, true);
  CHECK(changes.find(unlike + ", and have no change (–)\n") != std::string::npos);
  CHECK(changes.find("| 0.2          |               – |\n") != std::string::npos);
  const std::string alike = tables({14, 14}, true);
  CHECK(alike.find("different numbers") == std::string::npos);
  CHECK(alike.find("| 0.2          |            -100 |\n") != std::string::npos);
}

TEST_CASE("Motions of different N in one column are told though each has its own sentence") {
  SampleRun run = RunWith(
      {{"rows", "experiment"}, {"columns", "torque noise"}, {"metric", "excitation_jd"}}, 2);
  run.AddMotion("a", {14, 14});
  run.AddMotion("b", {9, 9});
  CHECK(Tables(run).find("- excitation_jd: motions are to show different numbers of parameters, N "
                         "= 9, 14: ") != std::string::npos);
}

TEST_CASE("Values over the unknowns of cells that have different ones are told") {
  SampleRun run = RunWith({{"rows", "joint"},
                           {"columns", "torque noise"},
                           {"estimators", {"ols"}},
                           {"metric", "rmse_nm@validation"}},
                          12);
  run.manifest["cells"][0]["parameters"] = {"joint1", "joint2"};
  run.manifest["cells"][1]["parameters"] = {"joint2"};
  run.change = [](Json& record) {
    if (record["cell"] == 1) record["metrics"]["rmse_nm@validation"]["components"][0] = nullptr;
  };
  const std::string text = Tables(run);
  CHECK(text.find("- rmse_nm: over the unknowns of each cell, which differ (1 or 2 of them)\n") !=
        std::string::npos);
  CHECK(text.find("- –: no such unknown there, or no value of it that is finite\n") !=
        std::string::npos);
  CHECK(text.find("failed") == std::string::npos);
  run.manifest["cells"][1]["parameters"] = {"joint1", "joint2"};
  run.change = [](Json&) {};
  CHECK(Tables(run).find("unknown") == std::string::npos);
}

}  // namespace
}  // namespace idbench
