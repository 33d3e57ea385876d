#include "reports/history/sqlite_database.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "reports/run/sample_run_test.h"

namespace idbench {
namespace {

TEST_CASE("A transaction that is not committed changes nothing") {
  const TemporaryFolder folder;
  SqliteDatabase database(folder.path() / "a", IfMissing::kCreate);
  database.Execute("CREATE TABLE t(a)");
  {
    SqlTransaction transaction(database);
    database.Execute("INSERT INTO t VALUES(1)");
  }
  SqlStatement count = database.Prepare("SELECT count(*) FROM t");
  REQUIRE(count.Step());
  CHECK(count.Integer(0) == 0);
  const std::string file = std::filesystem::canonical(folder.path() / "a").string();
  CHECK_THROWS_WITH_AS(database.Execute("SELECT b FROM t"), (file + ": no such column: b").c_str(),
                       std::runtime_error);
}

TEST_CASE("A missing file is created with its folder, or refused") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "deep" / "a";
  CHECK(MessageOf(folder.path(), [&] {
          SqliteDatabase(file, IfMissing::kRefuse);
        }).starts_with("deep/a: "));
  CHECK_FALSE(std::filesystem::exists(file));
  SqliteDatabase(file, IfMissing::kCreate).Execute("CREATE TABLE t(a)");
  SqliteDatabase(file, IfMissing::kRefuse).Execute("INSERT INTO t VALUES(1)");
}

TEST_CASE("Values come back as they were bound, an absent one as nothing") {
  const TemporaryFolder folder;
  SqliteDatabase database(folder.path() / "a", IfMissing::kCreate);
  database.Execute("CREATE TABLE t(a, b, c, d)");
  SqlStatement insert = database.Prepare("INSERT INTO t VALUES(?, ?, ?, ?)");
  insert.Bind(std::int64_t{1} << 60).Bind(0.1).Bind("τ'").Bind(std::optional<double>()).Run();
  SqlStatement row = database.Prepare("SELECT a, b, c, d FROM t");
  REQUIRE(row.Step());
  CHECK(row.Integer(0) == std::int64_t{1} << 60);
  CHECK(row.Real(1) == 0.1);
  CHECK(row.Text(2) == "τ'");
  CHECK_FALSE(row.Real(3).has_value());
  CHECK(row.Text(3).empty());
  CHECK_FALSE(row.Step());
}

}  // namespace
}  // namespace idbench
