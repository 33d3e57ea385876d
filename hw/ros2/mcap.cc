#include "hw/ros2/mcap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "hw/ros2/compression.h"
#include "scenarios/options/config_error.h"
#include "scenarios/options/utf8.h"

namespace idbench {
namespace {

using Bytes = std::span<const std::byte>;

constexpr std::string_view kMagic = "\x89MCAP0\r\n";

enum Opcode : unsigned {
  kFooter = 0x02,
  kSchema = 0x03,
  kChannel = 0x04,
  kMessage = 0x05,
  kChunk = 0x06,
  kDataEnd = 0x0F,
};

bool BeginsWith(Bytes bytes, std::string_view text) {
  return bytes.size() >= text.size() &&
         std::string_view(reinterpret_cast<const char*>(bytes.data()), text.size()) == text;
}

/// A record that ends too early; whoever knows where it stands says so.
struct RecordTooShort {};

/// Takes little-endian fields off the front of a record.
class Fields {
 public:
  explicit Fields(Bytes bytes) : bytes_(bytes) {}

  Bytes Take(std::uint64_t size) {
    if (size > bytes_.size()) throw RecordTooShort();
    const Bytes taken = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return taken;
  }
  template <class T>
  T Number() {
    T value = 0;
    int shift = 0;
    for (const std::byte byte : Take(sizeof(T))) {
      value = static_cast<T>(value | static_cast<T>(std::to_integer<T>(byte) << shift));
      shift += 8;
    }
    return value;
  }
  std::string Text() {
    const Bytes taken = Take(Number<std::uint32_t>());
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }
  Bytes rest() const { return bytes_; }

 private:
  Bytes bytes_;
};

struct Schema {
  std::string name;
  std::string encoding;
  std::string definition;
};

struct Channel {
  std::uint16_t schema = 0;
  BagTopic topic;
  bool wanted = false;
};

struct Record {
  unsigned opcode;
  Bytes content;
};

/// Takes the next record off `bytes`. @throws RecordTooShort.
Record TakeRecord(Bytes& bytes) {
  Fields fields(bytes);
  const unsigned opcode = fields.Number<std::uint8_t>();
  const Bytes content = fields.Take(fields.Number<std::uint64_t>());
  bytes = fields.rest();
  return {opcode, content};
}

class McapReader {
 public:
  McapReader(Bytes bytes, const std::string& source, const BagVisitor& visitor)
      : file_(bytes), source_(source), visitor_(visitor) {}

  void Read() {
    Bytes rest = file_.subspan(kMagic.size());
    const bool finished = BeginsWith(file_.last(kMagic.size()), kMagic) && !rest.empty();
    while (!rest.empty()) {
      place_ = file_.size() - rest.size();
      Record record{};
      try {
        record = TakeRecord(rest);
      } catch (const RecordTooShort&) {
        if (finished) Refuse("a record reaches beyond the end of the file");
        return;  // the recorder was stopped
      }
      if (record.opcode == kDataEnd || record.opcode == kFooter) return;
      if (record.opcode == 0) {
        if (finished) Refuse("no record begins with 0");
        return;  // space that was reserved and not written
      }
      try {
        record.opcode == kChunk ? ReadChunk(record.content) : ReadRecord(record);
      } catch (const RecordTooShort&) {
        Refuse(fmt::format("the record of kind {:02x} is too short for its fields", record.opcode));
      }
    }
  }

 private:
  [[noreturn]] void Refuse(const std::string& what) const {
    throw ConfigError(source_, fmt::format("byte {}", place_), what,
                      {"the file is damaged: copy it again, or rescue what is left with",
                       fmt::format("  mcap recover '{}' -o rescued.mcap", source_)});
  }

  void ReadChunk(Bytes content) {
    Fields fields(content);
    fields.Take(2 * sizeof(std::uint64_t));  // times of its first and last message
    const auto size = fields.Number<std::uint64_t>();
    const auto crc = fields.Number<std::uint32_t>();
    const std::string compression = fields.Text();
    const Bytes records = fields.Take(fields.Number<std::uint64_t>());
    Bytes rest = Decompressed(records, compression, size);
    if (rest.size() != size) {
      Refuse(fmt::format("a chunk of {} bytes should have {}", rest.size(), size));
    }
    if (crc != 0 && crc != Crc32(rest)) {
      Refuse(fmt::format("a chunk has the CRC {:08x} and should have {:08x}", Crc32(rest), crc));
    }
    while (!rest.empty()) ReadRecord(TakeRecord(rest));
  }

  Bytes Decompressed(Bytes records, const std::string& compression, std::uint64_t size) {
    if (compression.empty()) return records;
    if (compression != "zstd" && compression != "lz4") {
      throw ConfigError(
          source_, fmt::format("byte {}", place_),
          fmt::format("a chunk is compressed with '{}'", ReplaceIllFormed(compression)),
          {"accepted here: zstd, lz4, or none"});
    }
    try {
      const auto decompress = compression == "zstd" ? DecompressZstd : DecompressLz4;
      decompress(records, size, chunk_);
    } catch (const CompressionError& error) {
      Refuse(fmt::format("a chunk cannot be decompressed: {}", error.what()));
    }
    return chunk_;
  }

  void ReadRecord(const Record& record) {
    Fields fields(record.content);
    if (record.opcode == kSchema) {
      const auto id = fields.Number<std::uint16_t>();
      Schema schema{fields.Text(), fields.Text(), fields.Text()};
      schemas_.try_emplace(id, std::move(schema));
    } else if (record.opcode == kChannel) {
      ReadChannel(fields);
    } else if (record.opcode == kMessage) {
      ReadMessage(fields);
    }
  }

  void ReadChannel(Fields fields) {
    const auto id = fields.Number<std::uint16_t>();
    const auto schema = fields.Number<std::uint16_t>();
    BagTopic topic{fields.Text(), "", fields.Text()};
    if (const auto known = channels_.find(id); known != channels_.end()) {
      if (known->second.topic.name == topic.name && known->second.schema == schema) return;
      Refuse(fmt::format("channel {} is declared twice, for '{}' and for '{}'", id,
                         ReplaceIllFormed(known->second.topic.name), ReplaceIllFormed(topic.name)));
    }
    if (schema != 0) {
      const auto found = schemas_.find(schema);
      if (found == schemas_.end()) {
        Refuse(fmt::format("channel {} has schema {}, which is not declared before", id, schema));
      }
      topic.type = found->second.name;
      topic.definition_encoding = found->second.encoding;
      topic.definition = found->second.definition;
    }
    const bool wanted = visitor_.wants(topic);
    channels_.emplace(id, Channel{schema, std::move(topic), wanted});
  }

  void ReadMessage(Fields fields) {
    const auto id = fields.Number<std::uint16_t>();
    const auto found = channels_.find(id);
    if (found == channels_.end()) {
      Refuse(fmt::format("a message of channel {}, which is not declared before", id));
    }
    if (!found->second.wanted) return;
    fields.Take(sizeof(std::uint32_t));  // its number
    const auto received_ns = fields.Number<std::uint64_t>();
    fields.Take(sizeof(std::uint64_t));  // when it was sent
    if (received_ns > std::numeric_limits<std::int64_t>::max()) {
      Refuse(
          fmt::format("a message has the time {} ns, which is after the year 2262", received_ns));
    }
    visitor_.take(found->second.topic, static_cast<std::int64_t>(received_ns), fields.rest());
  }

  Bytes file_;
  const std::string& source_;
  const BagVisitor& visitor_;
  std::size_t place_ = 0;  ///< Of the present record in the file.
  std::map<std::uint16_t, Schema> schemas_;
  std::map<std::uint16_t, Channel> channels_;
  std::vector<std::byte> chunk_;
};

}  // namespace

bool IsMcap(Bytes bytes) { return BeginsWith(bytes, kMagic); }

void ReadMcap(Bytes bytes, const std::string& source, const BagVisitor& visitor) {
  if (!IsMcap(bytes)) throw ConfigError(source, "", "is no MCAP file: it begins otherwise");
  McapReader(bytes, source, visitor).Read();
}

}  // namespace idbench
