#include "reports/tables/render.h"

#include <doctest/doctest.h>

#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

Table SmallTable() {
  Table table;
  table.caption = "Table I";
  table.row_header = "joint";
  table.row_labels = {"joint1", "a|b"};
  table.columns = {
      {"ols",
       {{"0.312 [0.305, 0.319]", 0.3125, ConfidenceInterval{0.305, 0.319}}, {kEmptyEntry, {}, {}}}},
      {"ols (published)", {{"0.3", 0.3, {}}, {"", {}, {}}}}};
  table.notes = {"σ is given"};
  return table;
}

TEST_CASE("Width is counted in columns of a terminal, not in bytes") {
  CHECK(DisplayWidth("N·m ± µ σ") == 9);
  CHECK(DisplayWidth("q̇") == 1);     // q and a combining dot
  CHECK(DisplayWidth("日本") == 4);  // wide
  CHECK(DisplayWidth("🤖") == 2);
  CHECK(DisplayWidth("") == 0);
  CHECK(DisplayWidth("\xC3") == 1);  // a character that breaks off
}

TEST_CASE("A table is aligned in a terminal and valid in GitHub's Markdown") {
  CHECK(RenderMarkdown(SmallTable()) ==
        "## Table I\n"
        "\n"
        "| joint  |                  ols | ols (published) |\n"
        "| ------ | -------------------: | --------------: |\n"
        "| joint1 | 0.312 [0.305, 0.319] |             0.3 |\n"
        "| a\\|b   |                    – |                 |\n"
        "\n"
        "- σ is given\n");
}

TEST_CASE("A table without columns is its caption and its notes") {
  Table table;
  table.caption = "Errors";
  table.notes = {"absent: nees: no\ncovariance"};
  CHECK(RenderMarkdown(table) == "## Errors\n\n- absent: nees: no covariance\n");
}

TEST_CASE("CSV of a table has full precision, and columns for the ends of intervals") {
  CHECK(RenderCsv(SmallTable()) ==
        "joint,ols,ols 2.5 %,ols 97.5 %,ols (published)\r\n"
        "joint1,0.3125,0.305,0.319,0.3\r\n"
        "a|b,,,,\r\n");
}

TEST_CASE("CSV quotes commas, quotes and line breaks as RFC 4180 says") {
  Table table;
  table.row_header = "a,b";
  table.row_labels = {"say \"no\"", "two\nlines"};
  table.columns = {{"c", {{"failed", {}, {}}, {"", {}, {}}}}};
  CHECK(RenderCsv(table) == "\"a,b\",c\r\n\"say \"\"no\"\"\",failed\r\n\"two\nlines\",\r\n");
}

TEST_CASE("The long form has one line per cell, estimator, metric and component") {
  SampleRun run;
  run.manifest["trials"] = 2;
  run.manifest["estimators"] = {"ols"};
  run.change = [](Json& record) {
    if (record["cell"] == 1 && record["trial"] == 1) SampleRun::Fail(record, "diverged", "");
  };
  const TemporaryFolder folder;
  run.WriteTo(folder.path());
  // Cell 0: 1 and 1.1, mean 1.05, sd 0.1/√2; joint1 half, joint2 one and a half times that. The
  // last digits are what double arithmetic leaves of it.
  CHECK(RenderStatisticsCsv(Summarise(RunFolder(folder.path()))) ==
        "torque noise,estimator,metric,component,unit,n,failed,mean,sd,median,q05,q95,lo,hi\r\n"
        "0.1,ols,rmse_nm@validation,,N·m,2,0,1.05,0.07071067811865482,1.05,,,,\r\n"
        "0.1,ols,rmse_nm@validation,joint1,N·m,2,0,0.525,0.03535533905932741,0.525,,,,\r\n"
        "0.1,ols,rmse_nm@validation,joint2,N·m,2,0,1.5750000000000002,0.10606601717798222,"
        "1.5750000000000002,,,,\r\n"
        "0.1,ols,relative_error,,1,2,0,0.015,0.007071067811865475,0.015,,,,\r\n"
        "0.2,ols,rmse_nm@validation,,N·m,1,1,2,,,,,,\r\n"
        "0.2,ols,rmse_nm@validation,joint1,N·m,1,1,1,,,,,,\r\n"
        "0.2,ols,rmse_nm@validation,joint2,N·m,1,1,3,,,,,,\r\n"
        "0.2,ols,relative_error,,1,1,1,0.02,,,,,,\r\n");
}

TEST_CASE("What all tables share stands once, behind those of metrics") {
  Table table;
  table.caption = "a";
  table.columns = {{"ols", {}}};
  table.notes = {"own", "shared"};
  Table other = table;
  other.notes = {"shared"};
  Table timing = table;
  timing.caption = "time";
  timing.notes = {"medians"};
  timing.of_metrics = false;
  const std::string text = RenderMarkdown(std::vector<Table>{table, other, timing});
  CAPTURE(text);
  CHECK(text.find("- own\n") != std::string::npos);
  CHECK(text.find("\nOf all tables above:\n\n- shared\n\n## time\n") != std::string::npos);
  CHECK(text.find("- shared\n") == text.rfind("- shared\n"));
}

TEST_CASE("The long form has observers and their models in columns of their own") {
  SampleRun run;
  run.AddObservers();
  run.manifest["trials"] = 1;
  const TemporaryFolder folder;
  run.WriteTo(folder.path());
  const std::string text = RenderStatisticsCsv(Summarise(RunFolder(folder.path())));
  CHECK(text.starts_with("torque noise,observer,estimator,metric,component,unit,n,"));
  CHECK(text.find("\r\n0.1,,ols,relative_error,,1,1,0,0.01,") != std::string::npos);
  CHECK(text.find("\r\n0.2,T2,truth,detection_auc@contact,,1,1,0,0.9,") != std::string::npos);
  CHECK(text.find("\r\n0.2,force,ols,external_force_rmse_n@contact,x,N,1,0,1.2,") !=
        std::string::npos);
}

}  // namespace
}  // namespace idbench
