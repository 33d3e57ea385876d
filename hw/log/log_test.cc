#include "hw/log/log.h"

#include <doctest/doctest.h>

#include "robots/temporary_folder_test.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

Log BagOfTwoTopics() {
  Log log{"bag.db3", {}};
  log.tables.push_back({"/a", {"/a/elbow/position_rad", "/a/wrist/position_rad"}, {}, {}, "", {}});
  log.tables.push_back({"/b", {"/b/force/x_n"}, {}, {}, "", {}});
  return log;
}

TEST_CASE("A log tells in which table a column is, and where there") {
  const Log log = BagOfTwoTopics();
  REQUIRE(log.TableOf("/a/wrist/position_rad") == log.tables.data());
  CHECK(log.tables[0].Find("/a/wrist/position_rad") == 1);
  CHECK(log.tables[0].Find("/b/force/x_n") == -1);
  CHECK(log.TableOf("/b/force/x_n") == &log.tables[1]);
  CHECK(log.TableOf("/c") == nullptr);
  CHECK(log.columns() ==
        std::vector<std::string>{"/a/elbow/position_rad", "/a/wrist/position_rad", "/b/force/x_n"});
}

TEST_CASE("Missing columns are named, with the nearest name, and once with all that there are") {
  CHECK_NOTHROW(CheckWanted(BagOfTwoTopics(), {"/b/force/x_n"}));
  CHECK_THROWS_WITH_AS(
      CheckWanted(BagOfTwoTopics(), {"/a/elbow/positon_rad", "/b/force/x_n", "/q"}),
      "bag.db3: no column '/a/elbow/positon_rad'\n"
      "  did you mean '/a/elbow/position_rad'?\n"
      "  the columns: /a/elbow/position_rad, /a/wrist/position_rad, /b/force/x_n\n"
      "bag.db3: no column '/q'",
      ConfigError);
  CHECK_THROWS_WITH_AS(CheckWanted({"empty.npz", {}}, {"q"}),
                       "empty.npz: no column 'q'\n  it has none that idbench can read",
                       ConfigError);
}

TEST_CASE("A log is one file, or those in a folder, sorted") {
  const TemporaryFolder folder;
  folder.Write("b.mcap", "");
  folder.Write("a.yaml", "");
  CHECK(FilesOfLog(folder / "b.mcap") == std::vector{folder / "b.mcap"});
  CHECK(FilesOfLog(folder.path()) == std::vector{folder / "a.yaml", folder / "b.mcap"});
  CHECK(FilesOfLog(folder / "none") == std::vector{folder / "none"});
}

}  // namespace
}  // namespace idbench
