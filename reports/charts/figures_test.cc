#include "reports/charts/figures.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "reports/run/sample_run_test.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

std::vector<Chart> SmallCharts() {
  Chart chart;
  chart.name = "error";
  chart.choices = {"metric", "cell"};
  chart.spec = {{"mark", "point"},
                {"encoding", {{"x", {{"field", "x"}, {"type", "quantitative"}}}}}};
  chart.views = {{{"a b", "one"}, {{"data", InlineData(Json::array({{{"x", 1}}}))}}},
                 {{"c", "one"}, {{"data", InlineData(Json::array({{{"x", 2}}}))}}}};
  return {chart};
}

TEST_CASE("Each view becomes a picture and the specification that it was made from") {
  if (!std::filesystem::exists(ChartFolder() / "vl_convert")) {
    MESSAGE("skipped: no vl_convert in " << ChartFolder().string());
    return;
  }
  const TemporaryFolder folder;
  const auto files = RenderFigures(SmallCharts(), folder.path(), {"svg"});
  REQUIRE(files.size() == 2);
  CHECK(files[0].filename() == "error_a_b.svg");  // the cell is always the same
  CHECK(ReadText(files[0]).starts_with("<svg"));
  CHECK(ReadJsonFile(folder.path() / "error_c.vl.json")["data"]["values"][0]["x"] == 2);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "errors.txt"));
}

TEST_CASE("Without charts nothing is rendered, and nothing is written") {
  const TemporaryFolder folder;
  CHECK(RenderFigures({}, folder.path() / "figures", {"pdf"}).empty());
  CHECK_FALSE(std::filesystem::exists(folder.path() / "figures"));
}

TEST_CASE("A renderer that is not there is told, with the cure") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "vl_convert");
  WriteText(folder.path() / "vl_convert" / "__init__.py", "raise ImportError('broken on purpose')");
  setenv("IDBENCH_CHARTS", folder.path().c_str(), 1);
  std::string message;
  try {
    RenderFigures(SmallCharts(), folder.path() / "figures", {"svg"});
  } catch (const std::runtime_error& error) {
    message = error.what();
  }
  unsetenv("IDBENCH_CHARTS");
  CHECK(message == "figures: /usr/bin/python3 with vl_convert of " + folder.path().string() +
                       " failed: ImportError: broken on purpose\n"
                       "  ./setup.sh fetches vl_convert; IDBENCH_CHARTS names the folder that it "
                       "is in");
}

}  // namespace
}  // namespace idbench
