#include "hw/ros2/rosbag2_sqlite.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

namespace fs = std::filesystem;

constexpr int kBusyMs = 500;

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

/// A file as it is opened.
struct BagDatabase {
  Database database;
  const std::string& source;

  [[noreturn]] void Refuse() const {
    const int code = sqlite3_errcode(database.get());
    std::vector<std::string> details;
    // A damaged file may ask for more memory than there is.
    if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_NOMEM) {
      details = {"the file is damaged or cut off: copy it again, or rescue what is left with",
                 fmt::format("  sqlite3 '{}' .recover | sqlite3 rescued.db3", source)};
    } else if (code == SQLITE_BUSY) {
      details = {"is it being recorded? Read it when the recorder has stopped"};
    }
    throw ConfigError(source, "", fmt::format("cannot be read: {}", sqlite3_errmsg(database.get())),
                      std::move(details));
  }

  Statement Prepare(const std::string& sql) const {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(database.get(), sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) {
      Refuse();
    }
    return Statement(statement);
  }

  /// Goes on to the next row. Returns false at the end.
  bool Step(const Statement& statement) const {
    const int code = sqlite3_step(statement.get());
    if (code != SQLITE_ROW && code != SQLITE_DONE) Refuse();
    return code == SQLITE_ROW;
  }
};

std::string SqlText(const Statement& statement, int column) {
  const auto* text = sqlite3_column_text(statement.get(), column);
  return text == nullptr ? "" : reinterpret_cast<const char*>(text);
}

std::span<const std::byte> SqlBlob(const Statement& statement, int column) {
  const auto* bytes = static_cast<const std::byte*>(sqlite3_column_blob(statement.get(), column));
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement.get(), column))};
}

/// True if the header of the file asks for a write-ahead log.
bool HasWalMode(const fs::path& file) {
  constexpr std::size_t kReadVersion = 19;
  constexpr char kWal = 2;
  char header[kReadVersion + 1] = {};
  std::ifstream(file, std::ios::binary).read(header, sizeof(header));
  return header[kReadVersion] == kWal;
}

bool IsThere(const fs::path& file) {
  std::error_code none;
  return fs::is_regular_file(file, none) && fs::file_size(file, none) > 0;
}

/// The file as an URI, whose special characters are escaped.
std::string UriOf(const fs::path& file, std::string_view parameters) {
  std::string uri = "file:";
  for (const char c : fs::absolute(file).string()) {
    if (c == '?' || c == '#' || c == '%') {
      fmt::format_to(std::back_inserter(uri), "%{:02X}", static_cast<unsigned char>(c));
    } else {
      uri += c;
    }
  }
  return fmt::format("{}?{}", uri, parameters);
}

/// Opens a file for reading, and looks into it.
BagDatabase Open(const fs::path& file, const std::string& source) {
  const fs::path wal = file.string() + "-wal";
  const bool has_wal = IsThere(wal);
  // Read-only SQLite still makes files beside one in WAL mode; one that is immutable it reads
  // alone, but it would miss all that is in a journal.
  const bool immutable = !has_wal && HasWalMode(file);
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(UriOf(file, immutable ? "immutable=1" : "mode=ro").c_str(),
                                   &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
  BagDatabase bag{Database(opened), source};
  if (code != SQLITE_OK) bag.Refuse();
  sqlite3_busy_timeout(opened, kBusyMs);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  const int looked =
      sqlite3_exec(opened, "PRAGMA cell_size_check = ON; SELECT count(*) FROM sqlite_schema",
                   nullptr, nullptr, nullptr);
  if (looked == SQLITE_CANTOPEN && has_wal) {
    throw ConfigError(
        source, "",
        fmt::format("messages are in its journal '{}', which SQLite cannot read there",
                    wal.filename().string()),
        {"the folder must be writable for it: copy both files into another folder"});
  }
  if (looked == SQLITE_READONLY) {
    throw ConfigError(
        source, "",
        fmt::format("was not finished: its journal '{}-journal' has to be applied first",
                    file.filename().string()),
        {"copy both files into another folder, and look into the copy once with",
         fmt::format("  sqlite3 '{}' .tables", file.filename().string())});
  }
  if (looked != SQLITE_OK) bag.Refuse();
  return bag;
}

/// The columns of a table; none if it is no table.
std::vector<std::string> ColumnsOf(const BagDatabase& bag, const std::string& table) {
  std::vector<std::string> columns;
  const Statement statement =
      bag.Prepare(fmt::format("SELECT p.name FROM sqlite_schema s, pragma_table_info('{0}') p "
                              "WHERE s.name = '{0}' AND s.type = 'table'",
                              table));
  while (bag.Step(statement)) columns.push_back(SqlText(statement, 0));
  return columns;
}

void CheckTable(const BagDatabase& bag, const std::string& table,
                const std::vector<std::string>& needed) {
  const std::vector<std::string> columns = ColumnsOf(bag, table);
  for (const std::string& column : needed) {
    if (std::ranges::find(columns, column) != columns.end()) continue;
    throw ConfigError(
        bag.source, "",
        fmt::format("is an SQLite file, but not of rosbag2: no column '{}' in a table '{}'", column,
                    table));
  }
}

struct Definition {
  std::string encoding;
  std::string text;
};

/// Definitions by type; none in files of schemas before 4.
std::map<std::string, Definition> ReadDefinitions(const BagDatabase& bag) {
  std::map<std::string, Definition> definitions;
  if (ColumnsOf(bag, "message_definitions").empty()) return definitions;
  const Statement statement = bag.Prepare(
      "SELECT topic_type, encoding, encoded_message_definition FROM message_definitions");
  while (bag.Step(statement)) {
    definitions[SqlText(statement, 0)] = {SqlText(statement, 1), SqlText(statement, 2)};
  }
  return definitions;
}

/// The topics that are wanted, by the number that stands for them in the file.
std::map<std::int64_t, BagTopic> ReadTopics(const BagDatabase& bag, const BagVisitor& visitor) {
  const std::map<std::string, Definition> definitions = ReadDefinitions(bag);
  const Statement statement =
      bag.Prepare("SELECT id, name, type, serialization_format FROM topics ORDER BY id");
  std::map<std::int64_t, BagTopic> wanted;
  while (bag.Step(statement)) {
    BagTopic topic{SqlText(statement, 1), SqlText(statement, 2), SqlText(statement, 3)};
    if (const auto found = definitions.find(topic.type); found != definitions.end()) {
      topic.definition = found->second.text;
      topic.definition_encoding = found->second.encoding;
    }
    if (visitor.wants(topic)) {
      wanted.emplace(sqlite3_column_int64(statement.get(), 0), std::move(topic));
    }
  }
  return wanted;
}

}  // namespace

void ReadRosbag2Sqlite(const fs::path& file, const std::string& source, const BagVisitor& visitor) {
  const BagDatabase bag = Open(file, source);
  CheckTable(bag, "topics", {"id", "name", "type", "serialization_format"});
  CheckTable(bag, "messages", {"id", "topic_id", "timestamp", "data"});
  const std::map<std::int64_t, BagTopic> topics = ReadTopics(bag, visitor);
  if (topics.empty()) return;
  std::vector<std::int64_t> ids;
  for (const auto& [id, topic] : topics) ids.push_back(id);
  const Statement statement = bag.Prepare(
      fmt::format("SELECT topic_id, timestamp, data FROM messages WHERE topic_id IN ({}) "
                  "ORDER BY id",
                  fmt::join(ids, ", ")));
  while (bag.Step(statement)) {
    visitor.take(topics.at(sqlite3_column_int64(statement.get(), 0)),
                 sqlite3_column_int64(statement.get(), 1), SqlBlob(statement, 2));
  }
}

}  // namespace idbench
