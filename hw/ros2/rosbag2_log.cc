#include "hw/ros2/rosbag2_log.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "hw/ros2/bag_files.h"
#include "hw/ros2/bag_visitor.h"
#include "hw/ros2/compression.h"
#include "hw/ros2/message_table.h"
#include "hw/ros2/ros2_messages.h"
#include "scenarios/options/config_error.h"
#include "scenarios/options/utf8.h"

namespace idbench {
namespace {

/// A message of JointState of a thousand joints takes 50 kB; this is for what claims to be one.
constexpr std::size_t kLargestMessage = std::size_t{1} << 26;

/// The messages of a topic as they are in the bag.
struct TopicMessages {
  struct Message {
    std::int64_t received_ns;
    std::size_t begin;  ///< In `bytes`.
    std::size_t size;
  };

  BagTopic topic;
  std::vector<std::byte> bytes = {};
  std::vector<Message> messages = {};
};
using TopicsByName = std::map<std::string, TopicMessages, std::less<>>;

/// Takes messages of the topics that can be read.
class Collector {
 public:
  Collector(std::string source, const std::vector<std::string>& wanted)
      : source_(std::move(source)), wanted_(wanted) {}

  void Read(const std::filesystem::path& file) {
    ReadBagFile(
        file, {[this](const BagTopic& topic) { return Wants(topic); },
               [this](const BagTopic& topic, std::int64_t received_ns,
                      std::span<const std::byte> message) {
                 TopicMessages& messages = topics_.find(topic.name)->second;
                 messages.messages.push_back({received_ns, messages.bytes.size(), message.size()});
                 messages.bytes.insert(messages.bytes.end(), message.begin(), message.end());
               }});
  }

  TopicsByName& topics() { return topics_; }
  /// Those that have wanted columns by their names, and cannot be read.
  const std::map<std::string, BagTopic>& refused() const { return refused_; }

 private:
  bool Wants(const BagTopic& topic) {
    if (!IsUtf8(topic.name)) {
      throw ConfigError(
          source_, "",
          fmt::format("the name of a topic is not UTF-8: '{}'", ReplaceIllFormed(topic.name)));
    }
    const auto begins = [&](const std::string& column) {
      return column.size() > topic.name.size() && column.starts_with(topic.name) &&
             column[topic.name.size()] == '/';
    };
    if (!wanted_.empty() && std::ranges::none_of(wanted_, begins)) return false;
    if (FindMessageType(topic.type) == nullptr || topic.serialization != "cdr") {
      refused_.emplace(topic.name, topic);
      return false;
    }
    const auto [found, is_new] = topics_.try_emplace(topic.name, TopicMessages{topic});
    if (found->second.topic.type != topic.type) {
      throw ConfigError(
          source_, topic.name,
          fmt::format("is of two types: {} and {}", found->second.topic.type, topic.type));
    }
    if (found->second.topic.definition.empty()) found->second.topic = topic;
    return true;
  }

  std::string source_;
  const std::vector<std::string>& wanted_;
  TopicsByName topics_;
  std::map<std::string, BagTopic> refused_;
};

/// Decodes the messages of a topic in the order in which they were received.
MessageTable Decode(TopicMessages topic, const std::string& source, MessageTime time) {
  std::ranges::stable_sort(topic.messages, {}, &TopicMessages::Message::received_ns);
  const MessageType& type = *FindMessageType(topic.topic.type);
  const MessageDecoder decode = type.decoder(topic.topic);
  MessageTable table(topic.topic.name, type);
  MessageRow row;
  std::vector<std::byte> decompressed;
  for (const TopicMessages::Message& message : topic.messages) {
    const auto where = [&] {
      return fmt::format("{}, message {}", topic.topic.name, table.size() + 1);
    };
    std::span<const std::byte> bytes = std::span(topic.bytes).subspan(message.begin, message.size);
    try {
      if (IsZstd(bytes)) {  // a message in CDR begins with 0
        DecompressZstd(bytes, kLargestMessage, decompressed);
        bytes = decompressed;
      }
      decode(bytes, row);
      table.Add(row, time == MessageTime::kHeader ? row.stamp_ns : message.received_ns);
    } catch (const CompressionError& error) {
      throw ConfigError(source, where(), fmt::format("cannot be decompressed: {}", error.what()));
    } catch (const MessageError& error) {
      throw ConfigError(source, where(), ReplaceIllFormed(error.what()), error.details());
    }
  }
  return table;
}

bool HasWanted(const std::vector<std::string>& columns, const std::vector<std::string>& wanted) {
  return std::ranges::any_of(wanted, [&](const std::string& name) {
    return std::ranges::find(columns, name) != columns.end();
  });
}

/// Columns that hold no number, and the number of messages of their topics.
using EmptyColumns = std::map<std::string, std::int64_t, std::less<>>;

/// Says of wanted columns why they cannot be had, where it is known.
void CheckReasons(const Log& log, const std::vector<std::string>& wanted, const EmptyColumns& empty,
                  const std::map<std::string, BagTopic>& refused) {
  for (const std::string& name : wanted) {
    if (log.TableOf(name) != nullptr) continue;
    if (const auto found = empty.find(name); found != empty.end()) {
      throw ConfigError(log.source, name,
                        fmt::format("holds no number in any of {} messages", found->second),
                        {"its sender leaves this field empty, or fills it with NaN"});
    }
    for (const auto& [topic, told] : refused) {
      if (!name.starts_with(topic + "/")) continue;
      std::vector<std::string_view> known;
      for (const MessageType& type : MessageTypes()) known.push_back(type.name);
      throw ConfigError(
          log.source, name,
          fmt::format("its topic '{}' has messages of type '{}' in '{}', which cannot be read",
                      topic, ReplaceIllFormed(told.type), ReplaceIllFormed(told.serialization)),
          {fmt::format("accepted here, in 'cdr': {}", fmt::join(known, ", "))});
    }
  }
}

/// A topic and a joint may have the name of another topic.
void CheckUnique(const Log& log) {
  std::map<std::string_view, std::string_view> table_of;
  for (const LogTable& table : log.tables) {
    for (const std::string& column : table.columns) {
      const auto [found, is_new] = table_of.emplace(column, table.name);
      if (is_new) continue;
      throw ConfigError(
          log.source, column,
          fmt::format("is a column of two topics, '{}' and '{}'", found->second, table.name));
    }
  }
}

}  // namespace

FieldTable Visit(Rosbag2Format& format) {
  return FieldTable().Add(
      "time", format.time,
      {.doc = "Time of a message: \"header\", its header's stamp, or \"received\", when the "
              "recorder got it"});
}

Log ReadLog(const std::filesystem::path& file, const Rosbag2Format& format,
            const std::vector<std::string>& wanted) {
  Collector collector(file.string(), wanted);
  for (const std::filesystem::path& part : FilesOfBag(file)) collector.Read(part);
  Log log{file.string(), {}};
  EmptyColumns empty;
  for (auto& [name, topic] : collector.topics()) {
    const MessageTable messages = Decode(std::move(topic), log.source, format.time);
    for (std::string& column : messages.EmptyColumns()) {
      empty.emplace(std::move(column), messages.size());
    }
    LogTable table = messages.Finish(wanted);
    if (table.columns.empty() || (!wanted.empty() && !HasWanted(table.columns, wanted))) continue;
    if (format.time == MessageTime::kHeader && messages.stamps_are_zero()) {
      throw ConfigError(
          log.source, name, "all stamps of its headers are 0",
          {"\"time\": \"received\" takes the time at which the recorder got each message"});
    }
    log.tables.push_back(std::move(table));
  }
  CheckUnique(log);
  CheckReasons(log, wanted, empty, collector.refused());
  const auto missing = [&](const std::string& name) { return log.TableOf(name) == nullptr; };
  if (std::ranges::any_of(wanted, missing)) {
    // Those that there are may be in topics that were not decoded, or stand in none.
    CheckWanted(ReadLog(file, {MessageTime::kReceived}, {}), wanted);
  }
  return log;
}

}  // namespace idbench
