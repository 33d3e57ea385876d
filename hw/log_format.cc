#include "hw/log_format.h"

#include <fmt/format.h>

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
#include "scenarios/options/json.h"

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

Json FormatJson(const RecordingFormat& format) {
  Json json;
  Binding<RecordingFormat>::Write(format, json);
  return json;
}

/// All dialects whose features are each that of one of the dialects, those of the first one first.
std::vector<CsvDialect> Mixed(const std::vector<CsvDialect>& dialects) {
  std::vector<CsvDialect> mixed = {dialects.front()};
  const auto add = [&](auto CsvDialect::*feature) {
    const std::vector<CsvDialect> before = mixed;
    for (const CsvDialect& dialect : dialects) {
      for (const CsvDialect& one : before) {
        CsvDialect each = one;
        each.*feature = dialect.*feature;
        if (std::ranges::find(mixed, each) == mixed.end()) mixed.push_back(each);
      }
    }
  };
  add(&CsvDialect::delimiter);
  add(&CsvDialect::decimal);
  add(&CsvDialect::header);
  add(&CsvDialect::comment);
  return mixed;
}

/// True if a text holds the same columns and numbers as `own` in this dialect.
bool ReadsAlike(const std::filesystem::path& file, const Log& own, const CsvDialect& dialect) {
  const auto same = [](const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
    return a.rows() == b.rows() && a.cols() == b.cols() &&
           ((a.array() == b.array()) || (a.array().isNaN() && b.array().isNaN())).all();
  };
  try {
    const Log log = ReadWholeLog(file, CsvFormat{dialect});
    return log.others == own.others &&
           std::ranges::equal(log.tables, own.tables, [&](const LogTable& a, const LogTable& b) {
             return a.columns == b.columns && same(a.values, b.values);
           });
  } catch (const ConfigError&) {
    return false;
  }
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

RecordingFormat GuessCommonFormat(const std::vector<std::filesystem::path>& files) {
  std::vector<RecordingFormat> formats;
  std::vector<CsvDialect> dialects;
  for (const std::filesystem::path& file : files) {
    formats.push_back(GuessFormat(file));
    if (const auto* csv = std::get_if<CsvFormat>(&formats.back())) dialects.push_back(csv->dialect);
  }
  const Json first = FormatJson(formats.front());
  const auto other = std::ranges::find_if(
      formats, [&first](const RecordingFormat& each) { return FormatJson(each) != first; });
  if (other == formats.end()) return formats.front();
  std::vector<CsvDialect> candidates;
  if (dialects.size() == files.size()) candidates = Mixed(dialects);
  for (std::size_t k = 0; k < files.size() && !candidates.empty(); ++k) {
    const Log own = ReadWholeLog(files[k], formats[k]);
    std::erase_if(candidates,
                  [&](const CsvDialect& each) { return !ReadsAlike(files[k], own, each); });
  }
  if (!candidates.empty()) return CsvFormat{candidates.front()};
  throw ConfigError(
      files[static_cast<std::size_t>(other - formats.begin())].string(), "",
      fmt::format("is in another format than {}", files.front().string()),
      {fmt::format("{} and {}", FormatJson(*other).dump(), first.dump()),
       "logs of one call have the same format, or dialects of text one of which reads them all"});
}

Log ReadWholeLog(const std::filesystem::path& file, const RecordingFormat& format) {
  return std::visit([&](const auto& each) { return ReadLog(file, each, {}); }, format);
}

}  // namespace idbench
