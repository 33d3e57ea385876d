#include "reports/tables/table_items.h"

#include <doctest/doctest.h>

#include "reports/run/sample_run_test.h"

namespace idbench {
namespace {

/// The items of a table of the sample run, as "table … | row | column" each.
std::vector<std::string> Places(const TableOptions& options) {
  const TemporaryFolder folder;
  SampleRun().WriteTo(folder.path());
  const RunFolder read(folder.path());
  const Summary summary = Summarise(read);
  std::vector<std::string> places;
  for (const TableItem& item : SelectItems(options, VocabularyOf(read.manifest()), summary)) {
    std::string place;
    for (const std::string& label : item.table) place += label + ", ";
    places.push_back(place + "| " + item.row + " | " + item.column);
  }
  return places;
}

using PlaceList = std::vector<std::string>;

TEST_CASE("What is on neither side tells the tables apart, in the order of metric and estimator") {
  CHECK(Places({.rows = TableSide("torque noise"), .metric = "relative_error"}) ==
        PlaceList{"relative_error, | 0.1 | ols", "relative_error, | 0.1 | wls",
                  "relative_error, | 0.2 | ols", "relative_error, | 0.2 | wls"});
  CHECK(Places({.rows = TableSide("metric"),
                .columns = TableSide("cell"),
                .metric = "relative_error",
                .estimators = {"wls"}}) == PlaceList{"wls, | relative_error | torque noise 0.1",
                                                     "wls, | relative_error | torque noise 0.2"});
}

TEST_CASE("Components come before the value over all of them, which may be left out") {
  TableOptions options = {
      .rows = TableSide("joint"), .metric = "rmse_nm", .estimators = {"ols"}, .cell = 1};
  const std::string table = "rmse_nm@validation, torque noise 0.2, ";
  CHECK(Places(options) ==
        PlaceList{table + "| joint1 | ols", table + "| joint2 | ols", table + "| overall | ols"});
  options.overall = false;
  CHECK(Places(options) == PlaceList{table + "| joint1 | ols", table + "| joint2 | ols"});
}

TEST_CASE("Cells are chosen by the value of an axis, experiments stand on a side") {
  CHECK(Places({.rows = TableSide("window"),
                .metric = "rmse_nm",
                .estimators = {"ols"},
                .where = {{"torque noise", "0.2"}}}) ==
        PlaceList{"rmse_nm, torque noise 0.2, | validation | ols"});
}

}  // namespace
}  // namespace idbench
