#include "reports/tables/table_selection.h"

#include <doctest/doctest.h>

#include "reports/run/sample_run_test.h"

namespace idbench {
namespace {

TEST_CASE("Metrics are selected in the order of the requests, each once") {
  const std::vector<RunMetric> metrics = {
      {"a@1", "1", {"x", "y"}}, {"b", "1", {"y", "z"}}, {"a@2", "1", {}}};
  TableOptions options;
  CHECK(SelectMetrics(options, metrics) == metrics);
  options.metrics = {"b", "a", "a@2"};
  const std::vector<RunMetric> selected = SelectMetrics(options, metrics);
  REQUIRE(selected.size() == 3);
  CHECK(selected[0].name == "b");
  CHECK(selected[1].name == "a@1");
  CHECK(selected[2].name == "a@2");
  CHECK(ComponentLabels(selected) == std::vector<std::string>{"y", "z", "x"});
}

TEST_CASE("Checkpoints are selected only where a side or the request speaks of them") {
  const std::vector<RunMetric> metrics = {
      {"a@1@t=5", "1", {}}, {"a@1", "1", {}}, {"b@t=5", "1", {}}};
  const auto names = [&metrics](const TableOptions& options) {
    std::vector<std::string> selected;
    for (const RunMetric& metric : SelectMetrics(options, metrics)) selected.push_back(metric.name);
    return selected;
  };
  using Names = std::vector<std::string>;
  CHECK(names({}) == Names{"a@1"});
  CHECK(names({.metric = "a"}) == Names{"a@1"});
  CHECK(names({.metric = "a@1@t=5"}) == Names{"a@1@t=5"});
  CHECK(names({.rows = TableSide("checkpoint")}) == Names{"a@1@t=5", "b@t=5"});
  CHECK(names({.columns = TableSide("checkpoint"), .metric = "a"}) == Names{"a@1@t=5"});
}

TEST_CASE("Metrics at checkpoints get a table unless one shows them") {
  const std::vector<RunMetric> metrics = {{"a@1@t=5", "1", {}},
                                          {"a@1@t=9", "1", {}},
                                          {"a@1", "1", {}},
                                          {"b@t=5", "1", {}},
                                          {"c", "1", {}}};
  using Names = std::vector<std::string>;
  const auto along = [&metrics](const std::vector<TableOptions>& tables) {
    const auto table = AlongCheckpoints(tables, metrics);
    return table ? table->metrics : Names{"none"};
  };
  CHECK(along({{}}) == Names{"a@1", "b"});
  CHECK(along({{.metric = "c"}, {.metrics = {"a", "c"}}}) == Names{"a@1"});
  CHECK(along({{.metric = "c"}}) == Names{"none"});
  CHECK(along({{}, {.columns = TableSide("checkpoint")}}) == Names{"none"});
  CHECK(along({{}, {.metric = "a@1@t=5"}}) == Names{"none"});
}

TEST_CASE("A side of the table is known, or an axis that the sweep has") {
  const std::vector<RunAxis> axes = {{"torque noise", {"0.1"}}};
  CHECK(IsKnown(TableSide("torque noise"), axes));
  CHECK_FALSE(IsKnown(TableSide("duration"), axes));
  for (const auto& [kind, name] : kSideNames) CHECK(IsKnown(TableSide(std::string(name)), {}));
}

TEST_CASE("The vocabulary of a run has its axes with their values") {
  const TemporaryFolder folder;
  SampleRun run;
  run.manifest["absent_metrics"] = {{"nees", "no covariance"}};
  run.WriteTo(folder.path());
  const TableVocabulary vocabulary = VocabularyOf(ReadManifest(folder.path() / "manifest.json"));
  REQUIRE(vocabulary.axes.size() == 1);
  CHECK(vocabulary.axes[0].name == "torque noise");
  CHECK(vocabulary.axes[0].values == std::vector<std::string>{"0.1", "0.2"});
  CHECK(vocabulary.absent_metrics == std::vector<std::string>{"nees"});
}

TEST_CASE("Without a request metrics are of estimators, or of observers that are on a side") {
  RunMetric auc{"detection_auc@contact", "1", {}};
  auc.observed = true;
  const std::vector<RunMetric> metrics = {auc, {"relative_error", "1", {}}};
  const auto selected = [&](const TableOptions& options, const std::vector<RunMetric>& all) {
    std::vector<std::string> names;
    for (const RunMetric& metric : SelectMetrics(options, all)) names.push_back(metric.name);
    return names;
  };
  using Names = std::vector<std::string>;
  CHECK(selected({}, metrics) == Names{"relative_error"});
  CHECK(selected({.rows = TableSide("observer")}, metrics) == Names{"detection_auc@contact"});
  CHECK(selected({.columns = TableSide("observer")}, metrics) == Names{"detection_auc@contact"});
  CHECK(selected({}, {auc}) == Names{"detection_auc@contact"});
  CHECK(selected({.metrics = {"detection_auc", "relative_error"}}, metrics).size() == 2);
}

TEST_CASE("A motion stands beside estimators, and its label is none of theirs") {
  TableVocabulary vocabulary;
  RunMetric jd;
  jd.name = "excitation_jd@a";
  jd.of_motion = true;
  vocabulary.metrics = {jd};
  vocabulary.estimators = {"ols", "wls", MotionLabel("a")};
  CHECK(vocabulary.EstimatorsAlone() == std::vector<std::string>{"ols", "wls"});
  CHECK(vocabulary.LabelsOf("wls") == std::vector<std::string>{"wls"});
  CHECK(vocabulary.LabelsOf("motion of a").empty());
  CHECK(SelectMetrics({}, vocabulary.metrics).size() == 1);  // there is nothing else
}

}  // namespace
}  // namespace idbench
