#include "hw/ros2/rosbag2_sqlite.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "hw/ros2/sqlite_writer_test.h"
#include "robots/temporary_folder_test.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

namespace fs = std::filesystem;

/// "topic@time:size" of each message.
std::vector<std::string> SqliteMessages(const fs::path& file, const std::string& wanted = "") {
  std::vector<std::string> found;
  ReadRosbag2Sqlite(
      file, "x.db3",
      {[&](const BagTopic& topic) { return wanted.empty() || topic.name == wanted; },
       [&](const BagTopic& topic, std::int64_t time_ns, std::span<const std::byte> message) {
         found.push_back(topic.name + "@" + std::to_string(time_ns) + ":" +
                         std::to_string(message.size()));
       }});
  return found;
}

std::vector<BagTopic> SqliteTopics(const fs::path& file) {
  std::vector<BagTopic> topics;
  ReadRosbag2Sqlite(file, "x.db3",
                    {[&](const BagTopic& topic) {
                       topics.push_back(topic);
                       return false;
                     },
                     {}});
  return topics;
}

std::vector<std::string> FilesIn(const TemporaryFolder& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    names.push_back(entry.path().filename());
  }
  std::ranges::sort(names);
  return names;
}

const std::vector<std::string> kTwoMessages = {"/a@20:1", "/b@10:2"};

void WriteTwoMessages(SqliteWriter& writer) {
  writer.MakeTables().Topic(1, "/a", "t").Topic(2, "/b", "u").Message(1, 20, "00");
  writer.Message(2, 10, "0001");
}

TEST_CASE("Messages of wanted topics come in the order of the file") {
  const TemporaryFolder folder;
  SqliteWriter writer(folder / "a%41?#.db3");  // characters that mean something in a URI
  WriteTwoMessages(writer);
  CHECK(SqliteMessages(folder / "a%41?#.db3") == kTwoMessages);
  CHECK(SqliteMessages(folder / "a%41?#.db3", "/b") == std::vector<std::string>{"/b@10:2"});
  CHECK(SqliteMessages(folder / "a%41?#.db3", "/c").empty());
}

TEST_CASE("Definitions are told from schema 4 on, none before") {
  const TemporaryFolder folder;
  SqliteWriter writer(folder / "a.db3");
  WriteTwoMessages(writer);
  CHECK(SqliteTopics(folder / "a.db3").at(0).definition.empty());
  writer.Run(
      "CREATE TABLE message_definitions(id INTEGER PRIMARY KEY, topic_type TEXT NOT NULL,"
      " encoding TEXT NOT NULL, encoded_message_definition TEXT NOT NULL);"
      "INSERT INTO message_definitions VALUES(1, 'u', 'ros2msg', 'float64 a')");
  const std::vector<BagTopic> topics = SqliteTopics(folder / "a.db3");
  REQUIRE(topics.size() == 2);
  CHECK(topics[0].definition.empty());
  CHECK(topics[1].name == "/b");
  CHECK(topics[1].type == "u");
  CHECK(topics[1].serialization == "cdr");
  CHECK(topics[1].definition_encoding == "ros2msg");
  CHECK(topics[1].definition == "float64 a");
}

/// Copies a file in WAL mode whose messages are all in its journal.
void CopyWithJournal(const TemporaryFolder& folder) {
  SqliteWriter writer(folder / "live.db3");
  writer.Run("PRAGMA journal_mode = WAL");
  WriteTwoMessages(writer);
  fs::copy(folder / "live.db3", folder / "a.db3");
  fs::copy(folder / "live.db3-wal", folder / "a.db3-wal");
}

TEST_CASE("Messages in a write-ahead log beside the file are read") {
  const TemporaryFolder folder;
  CopyWithJournal(folder);
  CHECK(SqliteMessages(folder / "a.db3") == kTwoMessages);
}

TEST_CASE("Beside a file in WAL mode that has no journal nothing is written") {
  const TemporaryFolder folder;
  {
    SqliteWriter writer(folder / "a.db3");
    writer.Run("PRAGMA journal_mode = WAL");
    WriteTwoMessages(writer);
  }
  CHECK(FilesIn(folder) == std::vector<std::string>{"a.db3"});
  CHECK(SqliteMessages(folder / "a.db3") == kTwoMessages);
  CHECK(FilesIn(folder) == std::vector<std::string>{"a.db3"});
}

TEST_CASE("A write-ahead log in a folder that cannot be written is refused with the cure") {
  const TemporaryFolder folder;
  CopyWithJournal(folder);
  // Root may write everywhere: its index is made a link that leads nowhere.
  fs::create_symlink(folder / "none" / "none", folder / "a.db3-shm");
  CHECK_THROWS_WITH_AS(
      SqliteMessages(folder / "a.db3"),
      "x.db3: messages are in its journal 'a.db3-wal', which SQLite cannot read there\n"
      "  the folder must be writable for it: copy both files into another folder",
      ConfigError);
}

TEST_CASE(
    "A recording that was interrupted while its journal was needed is refused with the cure") {
  const TemporaryFolder folder;
  {
    SqliteWriter writer(folder / "live.db3");
    WriteTwoMessages(writer);
    writer.Run("PRAGMA cache_size = 2; BEGIN");
    for (int k = 0; k < 10; ++k) writer.Message(1, k, std::string(20'000, '0'));
    fs::copy(folder / "live.db3", folder / "a.db3");
    fs::copy(folder / "live.db3-journal", folder / "a.db3-journal");
  }
  CHECK_THROWS_WITH_AS(
      SqliteMessages(folder / "a.db3"),
      "x.db3: was not finished: its journal 'a.db3-journal' has to be applied first\n"
      "  copy both files into another folder, and look into the copy once with\n"
      "    sqlite3 'a.db3' .tables",
      ConfigError);
}

TEST_CASE("A file that is being written is refused") {
  const TemporaryFolder folder;
  SqliteWriter writer(folder / "a.db3");
  WriteTwoMessages(writer);
  writer.Run("BEGIN EXCLUSIVE");
  CHECK_THROWS_WITH_AS(SqliteMessages(folder / "a.db3"),
                       "x.db3: cannot be read: database is locked\n"
                       "  is it being recorded? Read it when the recorder has stopped",
                       ConfigError);
}

TEST_CASE(
    "An SQLite file of something else is refused, also where a view has the name of a table") {
  const TemporaryFolder folder;
  SqliteWriter writer(folder / "a.db3");
  writer.Run("CREATE TABLE topics(id, name, type)");
  CHECK_THROWS_WITH_AS(SqliteMessages(folder / "a.db3"),
                       "x.db3: is an SQLite file, but not of rosbag2: no column "
                       "'serialization_format' in a table 'topics'",
                       ConfigError);
  writer.Run(
      "DROP TABLE topics; CREATE VIEW messages AS SELECT 1 AS id, 1 AS topic_id, 1 AS timestamp,"
      " 1 AS data; CREATE TABLE topics(id, name, type, serialization_format)");
  CHECK_THROWS_WITH_AS(
      SqliteMessages(folder / "a.db3"),
      "x.db3: is an SQLite file, but not of rosbag2: no column 'id' in a table 'messages'",
      ConfigError);
}

TEST_CASE("A damaged file is refused") {
  const TemporaryFolder folder;
  {
    SqliteWriter writer(folder / "a.db3");
    WriteTwoMessages(writer);
    for (int k = 0; k < 10; ++k) writer.Message(1, k, std::string(20'000, '0'));
  }
  fs::resize_file(folder / "a.db3", fs::file_size(folder / "a.db3") - 20'000);
  CHECK_THROWS_WITH_AS(
      SqliteMessages(folder / "a.db3"),
      "x.db3: cannot be read: database disk image is malformed\n"
      "  the file is damaged or cut off: copy it again, or rescue what is left with\n"
      "    sqlite3 'x.db3' .recover | sqlite3 rescued.db3",
      ConfigError);
  CHECK_THROWS_WITH_AS(SqliteMessages(folder / "none.db3"),
                       "x.db3: cannot be read: unable to open database file", ConfigError);
}

TEST_CASE("A damaged file that asks for more memory than there is is refused") {
  const fs::path file =
      fs::path(IDBENCH_ROS2_TESTDATA) / "fuzz" / "rosbag2_sqlite" / "asks_for_too_much_memory";
  CHECK_THROWS_WITH_AS(
      SqliteMessages(file),
      "x.db3: cannot be read: out of memory\n"
      "  the file is damaged or cut off: copy it again, or rescue what is left with\n"
      "    sqlite3 'x.db3' .recover | sqlite3 rescued.db3",
      ConfigError);
}

}  // namespace
}  // namespace idbench
