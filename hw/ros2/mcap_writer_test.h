#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace idbench {

/// Writes records of MCAP, also such as are not allowed.
class McapWriter {
 public:
  /// Begins with the magic bytes.
  McapWriter() : bytes_(kMagic) {}
  /// Begins with nothing: the records of a chunk.
  static McapWriter Records() { return McapWriter(""); }

  McapWriter& Schema(std::uint16_t id, std::string_view name) {
    return Record(0x03, Number(id) + Text(name) + Text("ros2msg") + Text(""));
  }
  McapWriter& Channel(std::uint16_t id, std::uint16_t schema, std::string_view topic,
                      std::string_view encoding = "cdr") {
    return Record(0x04, Number(id) + Number(schema) + Text(topic) + Text(encoding) + Text(""));
  }
  McapWriter& Message(std::uint16_t channel, std::uint64_t time_ns,
                      std::span<const std::byte> data) {
    return Record(0x05, Number(channel) + Number(std::uint32_t{0}) + Number(time_ns) +
                            Number(time_ns) +
                            std::string(reinterpret_cast<const char*>(data.data()), data.size()));
  }
  McapWriter& Chunk(std::string_view compression, std::uint64_t size, std::uint32_t crc,
                    std::string_view records) {
    return Record(0x06, Number(std::uint64_t{0}) + Number(std::uint64_t{0}) + Number(size) +
                            Number(crc) + Text(compression) +
                            Number(std::uint64_t{records.size()}) + std::string(records));
  }
  McapWriter& Record(std::uint8_t opcode, const std::string& content) {
    bytes_ += Number(opcode) + Number(std::uint64_t{content.size()}) + content;
    return *this;
  }
  /// DataEnd, footer and magic bytes.
  McapWriter& Finish() {
    Record(0x0F, Number(std::uint32_t{0})).Record(0x02, std::string(20, '\0'));
    bytes_ += kMagic;
    return *this;
  }

  const std::string& bytes() const { return bytes_; }

 private:
  static constexpr const char* kMagic = "\x89MCAP0\r\n";
  explicit McapWriter(const char* begin) : bytes_(begin) {}

  template <class T>
  static std::string Number(T value) {
    std::string bytes;
    for (std::size_t k = 0; k < sizeof(T); ++k) {
      bytes += static_cast<char>(value >> (8 * k) & 0xFF);
    }
    return bytes;
  }
  static std::string Text(std::string_view text) {
    return Number(static_cast<std::uint32_t>(text.size())) + std::string(text);
  }

  std::string bytes_;
};

/// The bytes of a text.
inline std::span<const std::byte> BytesOf(std::string_view text) {
  return std::as_bytes(std::span(text));
}

}  // namespace idbench
