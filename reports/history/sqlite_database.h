#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace idbench {

/// SQL statement that is bound and stepped. It must not outlive its database. Failures throw
/// std::runtime_error with SQLite's message and the file.
class SqlStatement {
 public:
  ~SqlStatement();
  SqlStatement(const SqlStatement&) = delete;
  SqlStatement& operator=(const SqlStatement&) = delete;

  /// Binds the next parameter; an absent value is NULL.
  SqlStatement& Bind(std::int64_t value);
  SqlStatement& Bind(double value);
  SqlStatement& Bind(const std::string& value);
  SqlStatement& Bind(const std::optional<double>& value);

  /// Goes on to the next row. Returns false at the end.
  bool Step();
  /// Runs the statement to its end and makes it ready for new parameters.
  void Run();

  std::int64_t Integer(int column) const;
  std::string Text(int column) const;            ///< Returns "" for NULL.
  std::optional<double> Real(int column) const;  ///< Returns nothing for NULL.

 private:
  friend class SqliteDatabase;
  SqlStatement(sqlite3* database, sqlite3_stmt* statement);

  sqlite3* database_;
  sqlite3_stmt* statement_;
  int bound_ = 0;
};

/// What becomes of a file that does not exist.
enum class IfMissing {
  kRefuse,
  kCreate,  ///< It is created, and so is its folder.
};

/// SQLite file for several concurrent writers.
///
/// Keeps a rollback journal and syncs at each commit: committed data survive a kill and a loss of
/// power, and uncommitted data leave no trace. (A write-ahead log would be faster, but needs memory
/// shared by all writers, which network drives do not have, and two more files.) A writer waits up
/// to 30 s for another one.
class SqliteDatabase {
 public:
  /// Opens the file.
  /// @throws ConfigError if the file cannot be opened, or is no SQLite file.
  SqliteDatabase(const std::filesystem::path& file, IfMissing missing);
  ~SqliteDatabase();
  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;

  /// Runs statements without result rows.
  void Execute(const std::string& sql);
  SqlStatement Prepare(std::string_view sql) const;
  std::int64_t last_row_id() const;

 private:
  sqlite3* database_ = nullptr;
};

/// Transaction: all or nothing, rolled back unless committed. Writers wait for each other at
/// its beginning.
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
