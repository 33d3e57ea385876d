#include "reports/history/history_schema.h"

#include <fmt/format.h>

#include <cstdint>

#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

constexpr int kVersion = 2;
constexpr int kApplication = 0x69646268;  // "idbh"

constexpr const char* kSchema = R"(
CREATE TABLE runs(
  id INTEGER PRIMARY KEY, folder TEXT NOT NULL, records TEXT NOT NULL,
  scenario TEXT NOT NULL, scenario_hash TEXT NOT NULL, headline TEXT NOT NULL,
  seed TEXT NOT NULL, trials INTEGER NOT NULL, cells INTEGER NOT NULL, commit_id TEXT NOT NULL,
  finished TEXT NOT NULL, added TEXT NOT NULL, idbench TEXT NOT NULL, mujoco TEXT NOT NULL,
  compiler TEXT NOT NULL, processor TEXT NOT NULL, kernel TEXT NOT NULL, fingerprint TEXT NOT NULL,
  UNIQUE(folder, records));
CREATE TABLE results(
  run INTEGER NOT NULL REFERENCES runs(id), cell INTEGER NOT NULL, axes TEXT NOT NULL,
  estimator TEXT NOT NULL, metric TEXT NOT NULL, unit TEXT NOT NULL, trials INTEGER NOT NULL,
  failed INTEGER NOT NULL, n INTEGER NOT NULL, mean REAL, median REAL, iqm REAL,
  ci95_lower REAL, ci95_upper REAL, p99 REAL,
  PRIMARY KEY(run, cell, estimator, metric)) WITHOUT ROWID;
)";

/// What version 2 adds to version 1. `decision` counts up: the latest decision has the largest.
constexpr const char* kSecond = R"(
ALTER TABLE runs ADD COLUMN started TEXT NOT NULL DEFAULT '';
UPDATE runs SET started = finished;
CREATE TABLE judgements(
  decision INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL UNIQUE REFERENCES runs(id),
  verdict TEXT NOT NULL, reason TEXT NOT NULL, baselines TEXT NOT NULL,
  accepted INTEGER NOT NULL, pinned INTEGER NOT NULL, decided TEXT NOT NULL);
)";

std::int64_t IntegerOf(const SqliteDatabase& database, const char* sql) {
  SqlStatement statement = database.Prepare(sql);
  return statement.Step() ? statement.Integer(0) : 0;
}

void CreateIfEmpty(SqliteDatabase& database) {
  static constexpr const char* kCountTables = "SELECT count(*) FROM sqlite_master";
  if (IntegerOf(database, kCountTables) > 0) return;
  SqlTransaction transaction(database);
  if (IntegerOf(database, kCountTables) > 0) return;  // another process was faster
  database.Execute(fmt::format("{}{}PRAGMA application_id = {}; PRAGMA user_version = {};", kSchema,
                               kSecond, kApplication, kVersion));
  transaction.Commit();
}

std::int64_t VersionOf(const SqliteDatabase& database) {
  return IntegerOf(database, "PRAGMA user_version");
}

void UpgradeIfOlder(SqliteDatabase& database) {
  if (VersionOf(database) != 1) return;
  SqlTransaction transaction(database);
  if (VersionOf(database) != 1) return;  // another process was faster
  database.Execute(fmt::format("{}PRAGMA user_version = {};", kSecond, kVersion));
  transaction.Commit();
}

}  // namespace

void PrepareHistory(SqliteDatabase& database, const std::filesystem::path& file,
                    IfMissing missing) {
  if (missing == IfMissing::kCreate) CreateIfEmpty(database);
  if (IntegerOf(database, "PRAGMA application_id") != kApplication) {
    throw ConfigError(file.string(), "", "is an SQLite file, but no history of idbench",
                      {"name another file"});
  }
  UpgradeIfOlder(database);
  if (const std::int64_t version = VersionOf(database); version != kVersion) {
    throw ConfigError(
        file.string(), "",
        fmt::format("is a history of version {}; this idbench knows version {}", version, kVersion),
        {"use the newer idbench that wrote it, or name another file"});
  }
}

}  // namespace idbench
