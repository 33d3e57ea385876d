#include "reports/tables/table_options.h"

#include <doctest/doctest.h>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

std::string TableOptionsMessage(const Json& json) {
  TableOptions options;
  std::vector<Issue> issues;
  ReadFields(Visit(options), json, "/tables/0", issues);
  return issues.empty() ? "" : ConfigError("a.json", issues).what();
}

TEST_CASE("A table is read with its published values, and written so that it reads the same") {
  const Json json = {
      {"caption", "Table I"},
      {"rows", "joint"},
      {"columns", "estimator"},
      {"metric", "rmse_nm@validation"},
      {"where", {{"torque noise", "0.1"}}},
      {"published", {{"source", "a paper"}, {"prior_only", {2.9287, nullptr}}, {"ekf", {1}}}}};
  TableOptions options;
  std::vector<Issue> issues;
  ReadFields(Visit(options), json, "", issues);
  REQUIRE(issues.empty());
  REQUIRE(options.published.has_value());
  CHECK(options.published->source == "a paper");
  CHECK(options.published->columns[0].first == "prior_only");
  CHECK(options.published->columns[0].second[0].value() == 2.9287);
  CHECK_FALSE(options.published->columns[0].second[1].has_value());
  CHECK(options.RequestedMetrics() == std::vector<std::string>{"rmse_nm@validation"});

  TableOptions again;
  ReadFields(Visit(again), WriteFields(Visit(options)), "", issues);
  CHECK(issues.empty());
  CHECK(again == options);
}

TEST_CASE("The schema describes published values") {
  Json schema;
  Binding<PublishedValues>::Schema({.doc = "Published values"}, {}, schema);
  CHECK(schema["properties"]["source"]["type"] == "string");
  CHECK(schema["required"] == Json::array({"source"}));
  CHECK(schema["additionalProperties"]["items"]["type"] == Json::array({"number", "null"}));
  CHECK(schema["description"] == "Published values");
}

TEST_CASE("Published values of a wrong form are refused") {
  CHECK(TableOptionsMessage({{"published", 3}}) ==
        "a.json: /tables/0/published: got 3\n  accepted here: an object {…}");
  CHECK(TableOptionsMessage({{"published", {{"ols", {1}}}}}) ==
        "a.json: /tables/0/published/source: missing\n  needed here: the source "
        "to cite beside the values");
  CHECK(TableOptionsMessage({{"published", {{"source", "a"}, {"ols", {"x"}}}}})
            .starts_with("a.json: /tables/0/published/ols/0: got \"x\""));
}

TEST_CASE("Contradictions inside a table are reported at once") {
  CHECK(TableOptionsMessage({{"metric", "a"},
                             {"metrics", {"b"}},
                             {"percent", true},
                             {"scale", 10},
                             {"cell", 0},
                             {"where", {{"noise", "1"}}}}) ==
        "a.json: /tables/0/metrics: contradicts /metric\n"
        "  give one of the two\n"
        "a.json: /tables/0/percent: contradicts /scale\n"
        "  percent is a scale of 100: give one of the two\n"
        "a.json: /tables/0/where: contradicts /cell\n"
        "  a cell is chosen already: give one of the two");
}

TEST_CASE("Joint, link and component are one side, axes are sides by their names") {
  CHECK(TableSide("joint").ListsSameAs(TableSide("link")));
  CHECK(TableSide("joint").ListsSameAs(TableSide("component")));
  CHECK(TableSide("window").ListsSameAs(TableSide("experiment")));
  CHECK_FALSE(TableSide("joint").ListsSameAs(TableSide("estimator")));
  CHECK(TableSide("torque noise").kind == SideKind::kAxis);
  CHECK_FALSE(TableSide("torque noise").ListsSameAs(TableSide("duration")));
  for (const auto& [kind, name] : kSideNames) CHECK(TableSide(std::string(name)).kind == kind);
}

TEST_CASE("A side is written by the name that it was given") {
  TableOptions options;
  std::vector<Issue> issues;
  ReadFields(Visit(options), {{"rows", "link"}, {"columns", "duration"}}, "", issues);
  CHECK(options.rows.kind == SideKind::kComponent);
  CHECK(WriteFields(Visit(options))["rows"] == "link");
  CHECK(WriteFields(Visit(options))["columns"] == "duration");
  CHECK(TableOptionsMessage({{"rows", 3}}) ==
        "a.json: /tables/0/rows: got 3\n  accepted here: a text in quotes");
}

TEST_CASE("A statistic is one of those that exist") {
  CHECK(TableOptionsMessage({{"statistic", "medain"}}) ==
        "a.json: /tables/0/statistic: got \"medain\"\n"
        "  accepted here: mean, geometric_mean, median, iqm, q05, q25, q75, q95, min, max, sd, "
        "variance, rms, failed\n"
        "  did you mean 'median'?");
}

}  // namespace
}  // namespace idbench
