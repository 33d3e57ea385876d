#include "hw/log_format.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <variant>

#include "robots/recording/guess_csv_dialect.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

/// First bytes of files that bags consist of.
constexpr auto kOfBags =
    std::to_array<std::string_view>({"SQLite format 3", "\x89MCAP0\r\n", "\x28\xB5\x2F\xFD"});
/// First bytes of arrays of NumPy, of archives of zip, and of such without members.
constexpr auto kOfNumpy =
    std::to_array<std::string_view>({"\x93NUMPY", "PK\x03\x04", "PK\x05\x06"});

bool BeginsAsAny(std::string_view bytes, std::span<const std::string_view> beginnings) {
  return std::ranges::any_of(beginnings,
                             [bytes](std::string_view magic) { return bytes.starts_with(magic); });
}

}  // namespace

RecordingFormat GuessFormat(const std::filesystem::path& file) {
  std::error_code unreadable;
  if (std::filesystem::is_directory(file, unreadable)) return Rosbag2Format{};
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw ConfigError(file.string(), "", "cannot be read", {"is it a file that you may read?"});
  }
  std::string bytes(16, '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(stream.gcount()));
  if (BeginsAsAny(bytes, kOfBags)) return Rosbag2Format{};
  if (BeginsAsAny(bytes, kOfNumpy)) return NumpyFormat{};
  std::ostringstream text;
  text << bytes << stream.rdbuf();
  return CsvFormat{GuessCsvDialect(text.view(), file.string())};
}

Log ReadWholeLog(const std::filesystem::path& file, const RecordingFormat& format) {
  return std::visit([&](const auto& each) { return ReadLog(file, each, {}); }, format);
}

}  // namespace idbench
