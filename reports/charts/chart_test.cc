#include "reports/charts/chart.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "reports/run/metric_name.h"
#include "reports/run/sample_run_test.h"
#include "reports/tables/table_items.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("A view is its chart's specification with the view's part put in") {
  Chart chart;
  chart.spec = {{"height", 10}, {"encoding", {{"x", {{"field", "x"}}}}}};
  const ChartView view{{},
                       {{"encoding", {{"y", 1}}}, {"data", {{"values", Json::array({nullptr})}}}}};
  CHECK(Specification(chart, view) == Json({{"height", 10},
                                            {"encoding", {{"x", {{"field", "x"}}}, {"y", 1}}},
                                            {"data", {{"values", Json::array({nullptr})}}}}));
  CHECK(WithWidth(chart.spec, 400)["width"] == 400);
}

TEST_CASE("An axis is logarithmic where positive values span a decade") {
  const auto scale = [](std::vector<double> values) {
    return QuantityChannel("y", "error", values)["scale"]["type"];
  };
  CHECK(scale({0.1, 1.0}) == "log");
  CHECK(scale({0.11, 1.0}) == "linear");
  CHECK(scale({0.0, 1.0}) == "linear");
  CHECK(scale({-1.0, 100.0}) == "linear");
  CHECK(QuantityChannel("y", "", std::vector<double>{2, 3})["scale"]["domain"] ==
        Json::array({2.0, 3.0}));
  // A single value stands in the middle, also zero.
  CHECK(QuantityChannel("y", "", std::vector<double>{2})["scale"]["domain"] ==
        Json::array({1.8, 2.2}));
  CHECK(QuantityChannel("y", "", std::vector<double>{0})["scale"]["domain"] ==
        Json::array({-1e-12, 1e-12}));
}

TEST_CASE("Numbers are short in a page, and never NaN") {
  CHECK(Rounded(0.1234567).dump() == "0.12346");
  CHECK(Rounded(123456.0, 3).dump() == "123000.0");
  CHECK(Rounded(std::nan("")).is_null());
  CHECK(Rounded(std::numeric_limits<double>::infinity()).is_null());
}

/// Relative luminance of "#rrggbb" (WCAG 2.1).
double Luminance(const std::string& colour) {
  double luminance = 0;
  const double weights[] = {0.2126, 0.7152, 0.0722};
  for (int i = 0; i < 3; ++i) {
    const double c =
        std::stoi(colour.substr(1 + 2 * static_cast<std::size_t>(i), 2), nullptr, 16) / 255.0;
    luminance += weights[i] * (c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
  }
  return luminance;
}

double Contrast(const std::string& a, const std::string& b) {
  const auto [darker, lighter] = std::minmax({Luminance(a), Luminance(b)});
  return (lighter + 0.05) / (darker + 0.05);
}

TEST_CASE("Each estimator's colour stands out from the page in both themes") {
  const std::string variables = ChartVariables();
  for (int i = 0; i < 8; ++i) {
    const std::string begin = fmt::format("--chart-{}: light-dark(", i);
    const std::size_t at = variables.find(begin) + begin.size();
    CAPTURE(i);
    // Panels are white and #1a1e23; 3:1 is WCAG's threshold for graphics.
    CHECK(Contrast(variables.substr(at, 7), "#ffffff") >= 3.0);
    CHECK(Contrast(variables.substr(at + 9, 7), "#1a1e23") >= 3.0);
  }
}

TEST_CASE("What an observer found with an estimate has the estimate's colour") {
  RunManifest manifest;
  manifest.estimators = {"ols", "wls"};
  CHECK(LabelsBeside(manifest, {"wls"}) == manifest.estimators);
  CHECK(ColoursOf(manifest, {"wls"}, true).empty());
  manifest.observers = {{"T2", {"prior", "wls"}}, {"f", {"truth", "ols"}}};
  manifest.estimators = {"ols", "wls", "T2 of prior", "T2 of wls", "f of truth", "f of ols"};
  using Labels = std::vector<std::string>;
  CHECK(LabelsBeside(manifest, {"wls"}) == Labels{"ols", "wls", "prior", "truth"});
  CHECK(LabelsBeside(manifest, {"f of ols"}) ==
        Labels{"f of ols", "f of wls", "f of prior", "f of truth"});
  CHECK(LabelsBeside(manifest, {"f of ols", "T2 of wls"}).size() == 8);
  CHECK(LabelsBeside(manifest, {"f of ols", "T2 of wls"})[4] == "f of ols");
  CHECK(ColoursOf(manifest, {"ols"}, true) ==
        Json({{"scale", {{"domain", {"ols", "wls", "prior", "truth"}}}},
              {"legend", {{"values", {"ols"}}}}}));
  CHECK_FALSE(ColoursOf(manifest, {"ols"}, false).contains("legend"));
}

TEST_CASE("On paper colours are plain, on a page they are variables of its style") {
  CHECK(ChartConfig(ChartColours::kPaper)["range"]["category"][0] == "#0068a5");
  CHECK(ChartConfig(ChartColours::kPage)["range"]["category"][0] == "var(--chart-0, #0068a5)");
}

TEST_CASE("A file's name is plain and short") {
  CHECK(FileStem("Table I: torque noise [N·m] 0.1", "x") == "table_i_torque_noise_n_m_0.1");
  CHECK(FileStem("σ…", "table") == "table");
  CHECK(FileStem(std::string(100, 'a'), "x").size() == 60);
}

TEST_CASE("The value of an axis is a number only as a whole") {
  CHECK(NumberOf("0.5") == 0.5);
  CHECK(NumberOf("-1e-3") == -1e-3);
  CHECK_FALSE(NumberOf("5 s").has_value());
  CHECK_FALSE(NumberOf("").has_value());
  CHECK_FALSE(NumberOf("inf").has_value());
}

TEST_CASE("The metrics of the tables are offered first, then errors, no checkpoints and no bound") {
  RunManifest manifest;
  manifest.metrics = {{"coverage95", "1", {}},
                      {"rmse_nm@a", "1", {}, Better::kLower},
                      {"rmse_bound@a", "1", {}, std::nullopt, "rmse_nm@a"},
                      {"rmse_nm@b", "1", {}, Better::kLower},
                      {"nees", "1", {}},
                      {"rmse_nm@b@t=5", "1", {}, Better::kLower}};
  *manifest.scenario = {
      {"tables", Json::array({{{"metrics", {"nees"}}}, {{"metric", "rmse_nm@b"}}})}};
  std::vector<std::string> names;
  for (const RunMetric& metric : MetricsToChoose(manifest)) names.push_back(metric.name);
  CHECK(names == std::vector<std::string>{"rmse_nm@b", "nees", "rmse_nm@a", "coverage95"});
}

TEST_CASE("Without tables the headline metrics are offered first") {
  RunManifest manifest;
  manifest.metrics = {{"rmse_nm@a", "1", {}, Better::kLower}, {"coverage95", "1", {}}};
  manifest.metrics[1].headline = true;
  CHECK(MetricsToChoose(manifest).front().name == "coverage95");
  *manifest.scenario = {{"tables", Json::array({{{"metric", "rmse_nm@a"}}})}};
  CHECK(MetricsToChoose(manifest).front().name == "rmse_nm@a");
}

TEST_CASE("The folder of Vega-Lite is taken from the environment, and may lack it") {
  const TemporaryFolder folder;
  setenv("IDBENCH_CHARTS", folder.path().c_str(), 1);
  CHECK(ChartFolder() == folder.path());
  CHECK_FALSE(ChartScript().has_value());
  WriteText(folder.path() / "vega.js", "let x = 1;");
  CHECK(ChartScript() == "let x = 1;");
  unsetenv("IDBENCH_CHARTS");
}

}  // namespace
}  // namespace idbench
