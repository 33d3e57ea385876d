#include "reports/history/history_schema.h"

#include <doctest/doctest.h>

#include "reports/history/history.h"
#include "reports/run/sample_run_test.h"

namespace idbench {
namespace {

/// A history as version 1 wrote it, with two runs and a value of the second.
void WriteVersionOne(const std::filesystem::path& file) {
  SqliteDatabase(file, IfMissing::kCreate).Execute(R"(
    CREATE TABLE runs(
      id INTEGER PRIMARY KEY, folder TEXT NOT NULL, records TEXT NOT NULL,
      scenario TEXT NOT NULL, scenario_hash TEXT NOT NULL, headline TEXT NOT NULL,
      seed TEXT NOT NULL, trials INTEGER NOT NULL, cells INTEGER NOT NULL,
      commit_id TEXT NOT NULL, finished TEXT NOT NULL, added TEXT NOT NULL,
      idbench TEXT NOT NULL, mujoco TEXT NOT NULL, compiler TEXT NOT NULL,
      processor TEXT NOT NULL, kernel TEXT NOT NULL, fingerprint TEXT NOT NULL,
      UNIQUE(folder, records));
    CREATE TABLE results(
      run INTEGER NOT NULL REFERENCES runs(id), cell INTEGER NOT NULL, axes TEXT NOT NULL,
      estimator TEXT NOT NULL, metric TEXT NOT NULL, unit TEXT NOT NULL, trials INTEGER NOT NULL,
      failed INTEGER NOT NULL, n INTEGER NOT NULL, mean REAL, median REAL, iqm REAL,
      ci95_lower REAL, ci95_upper REAL, p99 REAL,
      PRIMARY KEY(run, cell, estimator, metric)) WITHOUT ROWID;
    PRAGMA application_id = 1768186472; PRAGMA user_version = 1;
    INSERT INTO runs VALUES(1, '/n/1', 'aa', 's', 'h', 'm', '1', 9, 2, 'c1',
      '2026-03-02T02:00:00Z', '2026-03-05T00:00:00Z', '0.1', '4', '12', 'P', 'avx2', 'f');
    INSERT INTO runs VALUES(2, '/n/2', 'bb', 's', 'h', 'm', '1', 9, 2, 'c2',
      '2026-03-01T02:00:00Z', '2026-03-05T00:00:00Z', '0.1', '4', '12', 'P', 'avx2', 'f');
    INSERT INTO results VALUES(2, 0, 'cell 0', 'ols', 'm', '1', 9, 1, 8, 0.5, 0.25, NULL, NULL,
      NULL, NULL);
  )");
}

std::int64_t Version(const std::filesystem::path& file) {
  const SqliteDatabase database(file, IfMissing::kRefuse);
  SqlStatement version = database.Prepare("PRAGMA user_version");
  REQUIRE(version.Step());
  return version.Integer(0);
}

TEST_CASE("A history of version 1 keeps its rows, which nobody judged, and takes judgements") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "h.sqlite";
  WriteVersionOne(file);
  History history(file);
  CHECK(Version(file) == 2);
  const std::vector<HistoryRun> runs = history.Runs("s");
  REQUIRE(runs.size() == 2);
  CHECK(runs[0].id == 1);  // it finished last
  CHECK(runs[0].folder == "/n/1");
  CHECK(runs[0].started == "2026-03-02T02:00:00Z");
  CHECK(runs[0].fingerprint == "f");
  CHECK(runs[1].commit == "c2");
  CHECK_FALSE(runs[0].judgement);
  CHECK(history.Accepted("s").empty());
  const auto values = history.Values(2, {"m"});
  REQUIRE(values.size() == 1);
  CHECK(values[0].second.median == 0.25);

  history.Accept(2);
  CHECK(History(file).Accepted("s").front().id == 2);
}

TEST_CASE("A new history is of the present version, and is opened again as it is") {
  const TemporaryFolder folder;
  { History made(folder / "h", IfMissing::kCreate); }
  CHECK(Version(folder / "h") == 2);
  { History opened(folder / "h"); }
  CHECK(Version(folder / "h") == 2);
}

TEST_CASE("What is no history of this idbench is refused by name") {
  const TemporaryFolder folder;
  const auto message = [&](const char* name) {
    return MessageOf(folder.path(), [&] { History{folder / name}; });
  };
  CHECK(message("h") == "h: cannot be opened: unable to open database file");
  folder.Write("text", std::string(2000, 'x'));
  CHECK(message("text") == "text: cannot be opened: file is not a database");
  SqliteDatabase(folder / "other", IfMissing::kCreate).Execute("CREATE TABLE t(a)");
  CHECK(message("other") ==
        "other: is an SQLite file, but no history of idbench\n  name another file");
  { History made(folder / "h", IfMissing::kCreate); }
  SqliteDatabase(folder / "h", IfMissing::kRefuse).Execute("PRAGMA user_version = 3");
  CHECK(message("h") ==
        "h: is a history of version 3; this idbench knows version 2\n"
        "  use the newer idbench that wrote it, or name another file");
}

}  // namespace
}  // namespace idbench
