#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace idbench {

/// Places in an entry of the directory of a zip archive. Source: PKWARE, APPNOTE.TXT, 4.3.12.
constexpr std::size_t kFlagsOfEntry = 8;
constexpr std::size_t kMethodOfEntry = 10;
constexpr std::size_t kCrcOfEntry = 16;
constexpr std::size_t kCompressedSizeOfEntry = 20;
constexpr std::size_t kSizeOfEntry = 24;
constexpr std::size_t kOffsetOfEntry = 42;
constexpr std::size_t kNameOfEntry = 46;

/// Where an entry of the directory, from 0, stands in an archive.
inline std::size_t EntryOf(std::string_view archive, int number) {
  std::size_t at = archive.find("PK\x01\x02");
  for (int i = 0; i < number && at != std::string_view::npos; ++i) {
    at = archive.find("PK\x01\x02", at + 1);
  }
  if (at == std::string_view::npos) throw std::runtime_error("no such entry of the archive");
  return at;
}

/// Writes a number of `size` bytes.
inline void SetNumber(std::string& archive, std::size_t place, std::size_t size,
                      std::uint32_t number) {
  for (std::size_t i = 0; i < size; ++i, number >>= 8) {
    archive.at(place + i) = static_cast<char>(number & 0xFF);
  }
}

}  // namespace idbench
