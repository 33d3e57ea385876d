#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace idbench {

/// One SQL statement, bound and stepped. It must not outlive its database.
///
/// Failures throw std::runtime_error with SQLite's own words and the file.
class SqlStatement {
 public:
  ~SqlStatement();
  SqlStatement(const SqlStatement&) = delete;
  SqlStatement& operator=(const SqlStatement&) = delete;

  /// Binds the next parameter; nothing is NULL.
  SqlStatement& Bind(std::int64_t value);
  SqlStatement& Bind(double value);
  SqlStatement& Bind(const std::string& value);
  SqlStatement& Bind(const std::optional<double>& value);

  /// Goes on to the next row. False at the end.
  bool Step();
  /// Runs it to its end and makes it ready to be bound again.
  void Run();

  std::int64_t Integer(int column) const;
  std::string Text(int column) const;            ///< "" for NULL.
  std::optional<double> Real(int column) const;  ///< Nothing for NULL.

 private:
  friend class SqliteDatabase;
  SqlStatement(sqlite3* database, sqlite3_stmt* statement);

  sqlite3* database_;
  sqlite3_stmt* statement_;
  int bound_ = 0;
};

/// An SQLite file, for several writers at once.
///
/// It keeps a rollback journal and syncs at each commit: what is committed survives a kill and a
/// loss of power, what is not leaves nothing. (A write-ahead log would be faster, but needs memory
/// shared by all writers, which network drives do not have, and two files more.) A writer that
/// finds another one writing waits up to 30 s.
class SqliteDatabase {
 public:
  /// Opens the file; makes it, and its folder, with `create`.
  /// @throws ConfigError if it cannot be opened, or is no SQLite file.
  SqliteDatabase(const std::filesystem::path& file, bool create);
  ~SqliteDatabase();
  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;

  /// Runs statements that give no rows.
  void Execute(const std::string& sql);
  SqlStatement Prepare(std::string_view sql) const;
  std::int64_t last_row_id() const;

 private:
  sqlite3* database_ = nullptr;
};

/// All or nothing: rolled back unless committed. Writers wait for each other at its beginning.
class SqlTransaction {
 public:
  explicit SqlTransaction(SqliteDatabase& database);
  ~SqlTransaction();
  SqlTransaction(const SqlTransaction&) = delete;
  SqlTransaction& operator=(const SqlTransaction&) = delete;

  void Commit();

 private:
  SqliteDatabase& database_;
  bool open_ = true;
};

}  // namespace idbench
