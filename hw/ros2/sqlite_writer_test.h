#pragma once

#include <doctest/doctest.h>
#include <sqlite3.h>

#include <filesystem>
#include <string>

namespace idbench {

inline constexpr const char* kJointStateType = "sensor_msgs/msg/JointState";

/// JointState of joint a at 5 s 7 ns, with position 1 and effort ½.
inline constexpr const char* kGoldenState =
    "0001000005000000070000000100000000000000010000000200000061000000"
    "01000000000000000000f03f0000000001000000000000000000e03f";

/// Writes an SQLite file.
class SqliteWriter {
 public:
  explicit SqliteWriter(const std::filesystem::path& file) {
    REQUIRE(sqlite3_open(file.c_str(), &database_) == SQLITE_OK);
  }
  ~SqliteWriter() { sqlite3_close(database_); }
  SqliteWriter(const SqliteWriter&) = delete;
  SqliteWriter& operator=(const SqliteWriter&) = delete;

  SqliteWriter& Run(const std::string& sql) {
    char* problem = nullptr;
    CAPTURE(sql);
    REQUIRE(sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, &problem) == SQLITE_OK);
    return *this;
  }

  /// The tables of rosbag2's schemas 1 and 2.
  SqliteWriter& MakeTables() {
    return Run(
        "CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL,"
        " serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL);"
        "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL,"
        " timestamp INTEGER NOT NULL, data BLOB NOT NULL);"
        "CREATE INDEX timestamp_idx ON messages (timestamp ASC);");
  }
  SqliteWriter& Topic(int id, const std::string& name, const std::string& type,
                      const std::string& serialization = "cdr") {
    return Run("INSERT INTO topics VALUES(" + std::to_string(id) + ", '" + name + "', '" + type +
               "', '" + serialization + "', '')");
  }
  SqliteWriter& Message(int topic, long time_ns, const std::string& hex) {
    return Run("INSERT INTO messages(topic_id, timestamp, data) VALUES(" + std::to_string(topic) +
               ", " + std::to_string(time_ns) + ", x'" + hex + "')");
  }

 private:
  sqlite3* database_ = nullptr;
};

}  // namespace idbench
