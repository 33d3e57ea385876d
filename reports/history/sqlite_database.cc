#include "reports/history/sqlite_database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <stdexcept>
#include <utility>

#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

constexpr int kBusyTimeoutMs = 30'000;

[[noreturn]] void ThrowLastError(sqlite3* database) {
  const char* file = sqlite3_db_filename(database, "main");
  throw std::runtime_error(
      fmt::format("{}: {}", file == nullptr ? "SQLite" : file, sqlite3_errmsg(database)));
}

void CheckResult(int code, sqlite3* database) {
  if (code != SQLITE_OK) ThrowLastError(database);
}

}  // namespace

SqlStatement::SqlStatement(sqlite3* database, sqlite3_stmt* statement)
    : database_(database), statement_(statement) {}

SqlStatement::~SqlStatement() { sqlite3_finalize(statement_); }

SqlStatement& SqlStatement::Bind(std::int64_t value) {
  CheckResult(sqlite3_bind_int64(statement_, ++bound_, value), database_);
  return *this;
}

SqlStatement& SqlStatement::Bind(double value) {
  CheckResult(sqlite3_bind_double(statement_, ++bound_, value), database_);
  return *this;
}

SqlStatement& SqlStatement::Bind(const std::string& value) {
  CheckResult(sqlite3_bind_text(statement_, ++bound_, value.data(), static_cast<int>(value.size()),
                                SQLITE_TRANSIENT),
              database_);
  return *this;
}

SqlStatement& SqlStatement::Bind(const std::optional<double>& value) {
  if (value) return Bind(*value);
  CheckResult(sqlite3_bind_null(statement_, ++bound_), database_);
  return *this;
}

bool SqlStatement::Step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) ThrowLastError(database_);
  return false;
}

void SqlStatement::Run() {
  while (Step()) continue;
  CheckResult(sqlite3_reset(statement_), database_);
  bound_ = 0;
}

std::int64_t SqlStatement::Integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}

std::string SqlStatement::Text(int column) const {
  const unsigned char* text = sqlite3_column_text(statement_, column);
  return text == nullptr ? "" : reinterpret_cast<const char*>(text);
}

std::optional<double> SqlStatement::Real(int column) const {
  if (sqlite3_column_type(statement_, column) == SQLITE_NULL) return std::nullopt;
  return sqlite3_column_double(statement_, column);
}

SqliteDatabase::SqliteDatabase(const std::filesystem::path& file, IfMissing missing) {
  const bool create = missing == IfMissing::kCreate;
  if (create && file.has_parent_path()) std::filesystem::create_directories(file.parent_path());
  const int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
  int code = sqlite3_open_v2(file.c_str(), &database_, flags, nullptr);
  // The first look into the file shows whether it is a database at all.
  if (code == SQLITE_OK) sqlite3_busy_timeout(database_, kBusyTimeoutMs);
  if (code == SQLITE_OK) {
    code = sqlite3_exec(database_,
                        "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA user_version",
                        nullptr, nullptr, nullptr);
  }
  if (code == SQLITE_OK) return;
  const std::string reason = sqlite3_errmsg(database_);
  sqlite3_close(std::exchange(database_, nullptr));
  throw ConfigError(file.string(), "", fmt::format("cannot be opened: {}", reason));
}

SqliteDatabase::~SqliteDatabase() { sqlite3_close(database_); }

void SqliteDatabase::Execute(const std::string& sql) {
  CheckResult(sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr), database_);
}

SqlStatement SqliteDatabase::Prepare(std::string_view sql) const {
  sqlite3_stmt* statement = nullptr;
  CheckResult(
      sqlite3_prepare_v2(database_, sql.data(), static_cast<int>(sql.size()), &statement, nullptr),
      database_);
  return {database_, statement};
}

std::int64_t SqliteDatabase::last_row_id() const { return sqlite3_last_insert_rowid(database_); }

SqlTransaction::SqlTransaction(SqliteDatabase& database) : database_(database) {
  database_.Execute("BEGIN IMMEDIATE");
}

SqlTransaction::~SqlTransaction() {
  if (!open_) return;
  try {
    database_.Execute("ROLLBACK");
  } catch (const std::runtime_error&) {
    return;  // SQLite has rolled back by itself
  }
}

void SqlTransaction::Commit() {
  database_.Execute("COMMIT");
  open_ = false;
}

}  // namespace idbench
