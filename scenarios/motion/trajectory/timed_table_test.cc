#include "scenarios/motion/trajectory/timed_table.h"

#include <doctest/doctest.h>

#include "robots/temporary_folder_test.h"

namespace idbench {
namespace {

TEST_CASE("Columns are found by name, in any order, and times count from the first row") {
  const TemporaryFolder folder;
  const std::string file =
      folder.Write("a.csv", "q2_rad,other,t_s,q1_rad\n2,9,5,1\n4,9,5.5,3\n6,9,7,5\n");
  const TimedTable table = ReadTimedTable(file, NumberedColumns("q{}_rad", 2));
  CHECK(table.time_s == Eigen::Vector3d(0.0, 0.5, 2.0));
  CHECK(table.values.col(0) == Eigen::Vector3d(1.0, 3.0, 5.0));
  CHECK(table.values.col(1) == Eigen::Vector3d(2.0, 4.0, 6.0));
}

TEST_CASE("Of the names that a column may have the first one there is taken") {
  const TemporaryFolder folder;
  const TimedColumns columns = {{"q1_rad"}, {"q2_m", "q2_rad"}};
  const auto second = [&](const std::string& text) {
    return ReadTimedTable(folder.Write("a.csv", text), columns).values(1, 1);
  };
  CHECK(second("t_s,q1_rad,q2_m,note\n0,1,2,a\n1,1,3,b\n") == 3.0);
  CHECK(second("t_s,q2_rad,q1_rad\n0,1,2\n1,4,3\n") == 4.0);
  CHECK(second("t_s,q1_rad,q2_rad,q2_m\n0,1,2,3\n1,1,2,5\n") == 5.0);
  std::vector<Issue> issues;
  CheckTimedTable(folder.Write("a.csv", "t_s,q1_rad\n0,1\n1,2\n"), columns, "/file", issues);
  REQUIRE(issues.size() == 1);
  CHECK(issues[0].what.find("q2_m") != std::string::npos);
}

TEST_CASE("What cannot be read is an issue that names the file and the line") {
  const TemporaryFolder folder;
  const auto what = [&folder](const char* text) {
    std::vector<Issue> issues;
    const std::string file = folder.Write("a.csv", text);
    CheckTimedTable(file, NumberedColumns("q{}_rad", 1), "/motion/file", issues);
    if (issues.empty()) return std::string();
    CHECK(issues.front().where == "/motion/file");
    return WithoutFolder(issues.front().what, file);
  };
  CHECK(what("t_s,q1_rad\n0,1\n1,2\n") == "");
  CHECK(what("t_s,q1_rad\n0,1\n") == "a.csv: a single row");
  CHECK(what("t_s,q1_rad\n0,1\n2,2\n1,3\n") == "a.csv: line 4: t_s is 1 after 2");
  CHECK(what("t_s,q2_rad\n0,1\n1,2\n").find("q1_rad") != std::string::npos);
}

}  // namespace
}  // namespace idbench
