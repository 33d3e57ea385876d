#include "reports/tables/table_check.h"

#include <doctest/doctest.h>

namespace idbench {
namespace {

const TableVocabulary kVocabulary = {
    .metrics = {{"rmse_nm@identification", "N·m", {"joint1", "joint2"}},
                {"rmse_nm@validation", "N·m", {"joint1", "joint2"}},
                {"relative_error", "1", {}}},
    .absent_metrics = {"nees"},
    .axes = {{"torque noise", {"0.1", "0.2"}}, {"duration", {"5", "10"}}},
    .estimators = {"ols", "wls"}};

std::string TableIssues(const TableOptions& options) {
  const std::vector<Issue> issues = CheckTables({{}, options}, kVocabulary);
  return issues.empty() ? "" : ConfigError("a.json", issues).what();
}

TEST_CASE("Tables that a scenario can fill have no issues") {
  CHECK(TableIssues({}).empty());
  CHECK(TableIssues({.rows = TableSide("joint"), .metric = "rmse_nm@validation"}).empty());
  CHECK(TableIssues({.rows = TableSide("experiment"), .metric = "rmse_nm"}).empty());
  CHECK(TableIssues({.rows = TableSide("torque noise"),
                     .columns = TableSide("duration"),
                     .metric = "relative_error"})
            .empty());
  CHECK(TableIssues({.rows = TableSide("cell"), .metric = "nees"}).empty());
  CHECK(TableIssues({.metric = "nees@validation"}).empty());  // absent of all experiments
  CHECK(TableIssues({.metric = "relative_error", .cell = 3, .percent = true}).empty());
}

TEST_CASE("An unknown metric, estimator, axis or value is reported, all at once") {
  CHECK(TableIssues({.rows = TableSide("jiont"),
                     .columns = TableSide("torque nose"),
                     .metric = "rmse",
                     .estimators = {"ols", "wsl"},
                     .where = {{"durations", "5"}, {"torque noise", "0.3"}}}) ==
        "a.json: /tables/1/metric: unknown metric \"rmse\"\n"
        "  accepted here: nees, rmse_nm@identification, rmse_nm@validation, relative_error\n"
        "a.json: /tables/1/estimators/1: unknown estimator \"wsl\"\n"
        "  accepted here: ols, wls\n"
        "  did you mean 'wls'?\n"
        "a.json: /tables/1/where/durations: unknown axis\n"
        "  accepted here: torque noise, duration\n"
        "  did you mean 'duration'?\n"
        "a.json: /tables/1/where/torque noise: the axis has no value \"0.3\"\n"
        "  accepted here: 0.1, 0.2\n"
        "  did you mean '0.1'?\n"
        "a.json: /tables/1/rows: got \"jiont\"\n"
        "  accepted here: joint, link, component, estimator, observer, metric, experiment, window, "
        "checkpoint, cell, "
        "torque noise, duration\n"
        "  did you mean 'joint'?\n"
        "a.json: /tables/1/columns: got \"torque nose\"\n"
        "  accepted here: joint, link, component, estimator, observer, metric, experiment, window, "
        "checkpoint, cell, "
        "torque noise, duration\n"
        "  did you mean 'torque noise'?");
  CHECK(TableIssues({.metrics = {"relative_error", "rmse"}})
            .starts_with("a.json: /tables/1/metrics/1: unknown metric \"rmse\""));
}

TEST_CASE("A bound is a metric by its name alone, beside estimators") {
  CHECK(TableIssues({.metric = "rmse_nm@validation", .bound = "nees", .cell = 0}).empty());
  CHECK(TableIssues({.rows = TableSide("experiment"), .metric = "rmse_nm", .bound = "rmse_nm"})
            .empty());
  CHECK(TableIssues({.rows = TableSide("joint"),
                     .columns = TableSide("metric"),
                     .metric = "rmse_nm@validation",
                     .bound = "relative_eror"}) ==
        "a.json: /tables/1/bound: stands among estimators, which are on neither side\n"
        "  put \"estimator\" on a side, or leave it out\n"
        "a.json: /tables/1/bound: unknown metric \"relative_eror\"\n"
        "  accepted here: nees, rmse_nm, relative_error\n"
        "  did you mean 'relative_error'?");
}

TEST_CASE("A cell that is not there is reported") {
  CHECK(TableIssues({.cell = 4}) ==
        "a.json: /tables/1/cell: got 4\n  accepted here: 0 to 3, the scenario has 4 cells");
}

TEST_CASE("Sides that are the same are reported") {
  CHECK(TableIssues({.rows = TableSide("joint"),
                     .columns = TableSide("link"),
                     .metric = "rmse_nm@validation"}) ==
        "a.json: /tables/1/columns: \"link\" is on the rows already\n"
        "  rows and columns are to differ");
  CHECK(TableIssues({.rows = TableSide("cell"),
                     .columns = TableSide("duration"),
                     .metric = "relative_error"}) ==
        "a.json: /tables/1/columns: a cell has a value of that axis already\n"
        "  beside an axis of the sweep, name another axis instead of \"cell\"");
}

TEST_CASE("A side that the metrics do not have is reported") {
  CHECK(TableIssues({.rows = TableSide("joint"), .metric = "relative_error"}) ==
        "a.json: /tables/1/rows: \"joint\": no metric of this table has components\n"
        "  name a metric that has some, or put something else on this side");
  CHECK(
      TableIssues({.columns = TableSide("experiment"), .metrics = {"rmse_nm", "relative_error"}}) ==
      "a.json: /tables/1/columns: \"experiment\": relative_error has none\n"
      "  name the metrics that have one with \"metric\" or \"metrics\"");
  CHECK(TableIssues({.rows = TableSide("checkpoint"), .metric = "rmse_nm@validation"}) ==
        "a.json: /tables/1/rows: \"checkpoint\": rmse_nm@validation has none\n"
        "  name the metrics that have one with \"metric\" or \"metrics\"");
}

TEST_CASE("Percent of what has a unit is reported") {
  CHECK(TableIssues({.metric = "rmse_nm@validation", .percent = true}) ==
        "a.json: /tables/1/percent: rmse_nm@validation is in N·m\n"
        "  percent is for pure numbers: use scale, or leave it out");
}

TEST_CASE("Published values need one table, a column of ours and no more values than rows") {
  const auto published = [](TableOptions options, const std::string& label, std::size_t n) {
    options.published = PublishedValues{"a paper", {{label, {}}}};
    options.published->columns[0].second.resize(n, 1.0);
    return options;
  };
  const TableOptions by_joint = {
      .rows = TableSide("joint"), .metric = "rmse_nm@validation", .cell = 0};
  CHECK(TableIssues(published(by_joint, "wls", 3)).empty());  // two joints and overall
  CHECK(TableIssues(published(by_joint, "wls", 4)) ==
        "a.json: /tables/1/published/wls: got 4 values for 3 rows\n"
        "  the rows are: joint1, joint2, overall");
  CHECK(TableIssues(published(by_joint, "wsl", 2)) ==
        "a.json: /tables/1/published/wsl: there is no such column\n"
        "  accepted here: ols, wls\n"
        "  did you mean 'wls'?");
  CHECK(TableIssues(published({.rows = TableSide("joint"), .metric = "rmse_nm"}, "wls", 2)) ==
        "a.json: /tables/1/published: several tables: metric and torque noise and duration on "
        "neither side\n"
        "  published values stand in one table: choose with cell, where, estimators or metric");
  const TableOptions by_axis = {.rows = TableSide("duration"),
                                .columns = TableSide("torque noise"),
                                .metric = "relative_error",
                                .estimators = {"ols"}};
  CHECK(TableIssues(published(by_axis, "0.2", 2)).empty());
  TableOptions two_estimators = by_axis;
  two_estimators.estimators.clear();
  CHECK(TableIssues(published(two_estimators, "0.2", 2))
            .find("several tables: estimator on neither side") != std::string::npos);
  CHECK(TableIssues(published({.rows = TableSide("cell"), .metric = "relative_error"}, "ols", 9))
            .empty());
  CHECK(TableIssues(published({.rows = TableSide("experiment"), .metric = "rmse_nm", .cell = 0},
                              "ols", 3)) ==
        "a.json: /tables/1/published/ols: got 3 values for 2 rows\n"
        "  the rows are: identification, validation");
  CHECK(TableIssues(published({.metric = "relative_error", .cell = 0}, "ols", 2)) ==
        "a.json: /tables/1/published/ols: got 2 values for 1 rows\n"
        "  the rows are: relative_error");
}

TEST_CASE("Changes are along an axis or checkpoints") {
  CHECK(TableIssues({.rows = TableSide("metric"), .change = true})
            .find("/change: \"metric\" on the rows has no order to change along\n  put an axis of "
                  "the sweep, or \"checkpoint\", on the rows") != std::string::npos);
}

/// kVocabulary with two observers.
TableVocabulary ObservedVocabulary() {
  TableVocabulary vocabulary = kVocabulary;
  vocabulary.observers = {{"T2", {"prior", "ols", "truth"}}, {"load", {"ols"}}};
  for (const char* label : {"T2 of prior", "T2 of ols", "T2 of truth", "load of ols"}) {
    vocabulary.estimators.emplace_back(label);
  }
  RunMetric tpr{"detection_tpr(fpr=0.06)@contact", "1", {}, Better::kHigher};
  tpr.observed = true;
  vocabulary.metrics.push_back(tpr);
  return vocabulary;
}

std::string ObservedIssues(const TableOptions& options) {
  const std::vector<Issue> issues = CheckTables({options}, ObservedVocabulary());
  return issues.empty() ? "" : ConfigError("a.json", issues).what();
}

TEST_CASE("Labels of estimators and models stand for what tables list under them") {
  const TableVocabulary vocabulary = ObservedVocabulary();
  using Labels = std::vector<std::string>;
  CHECK(vocabulary.LabelsOf("ols") == Labels{"ols", "T2 of ols", "load of ols"});
  CHECK(vocabulary.LabelsOf("truth") == Labels{"T2 of truth"});
  CHECK(vocabulary.LabelsOf("wls") == Labels{"wls"});
  CHECK(vocabulary.LabelsOf("load of ols") == Labels{"load of ols"});
  CHECK(vocabulary.LabelsOf("T2").empty());
  CHECK(vocabulary.EstimatorsAndModels() == Labels{"ols", "wls", "prior", "truth"});
}

TEST_CASE("Observers and their models are sides and choices of tables of their metrics") {
  CHECK(ObservedIssues({.rows = TableSide("observer"), .metric = "detection_tpr"}).empty());
  CHECK(ObservedIssues({.rows = TableSide("observer"), .estimators = {"truth"}}).empty());
  CHECK(ObservedIssues({.metric = "detection_tpr@contact", .estimators = {"prior"}}).empty());
  CHECK(ObservedIssues({.metric = "detection_tpr(fpr=0.06)", .percent = true}).empty());
  CHECK(ObservedIssues({.rows = TableSide("observer"), .metric = "relative_error"}) ==
        "a.json: /tables/0/rows: \"observer\": relative_error is no metric of observers\n"
        "  name those that are with \"metric\" or \"metrics\"");
  CHECK(ObservedIssues({.metric = "detection_tpr(fpr=0.1)"})
            .starts_with("a.json: /tables/0/metric: unknown metric \"detection_tpr(fpr=0.1)\"\n"));
  CHECK(ObservedIssues({.metric = "detection_tpr", .estimators = {"truht"}}) ==
        "a.json: /tables/0/estimators/0: unknown estimator \"truht\"\n"
        "  accepted here: ols, wls, prior, truth\n"
        "  did you mean 'truth'?");
}

TEST_CASE("Published values stand beside models of a single observer") {
  TableOptions table{.rows = TableSide("estimator"),
                     .columns = TableSide("observer"),
                     .metric = "detection_tpr",
                     .cell = 0,
                     .published = PublishedValues{"a paper", {{"T2", {0.5, 0.8, 0.9}}}}};
  CHECK(ObservedIssues(table).empty());
  table.published->columns[0].second.emplace_back(1.0);
  CHECK(ObservedIssues(table) ==
        "a.json: /tables/0/published/T2: got 4 values for 3 rows\n"
        "  the rows are: ols, prior, truth");
  table.published->columns[0].second.pop_back();
  table.columns = TableSide("metric");
  CHECK(ObservedIssues(table).starts_with(
      "a.json: /tables/0/published: several tables: observer on neither side\n"));
}

}  // namespace
}  // namespace idbench
