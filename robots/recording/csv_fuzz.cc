#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "robots/recording/csv.h"
#include "scenarios/options/config_error.h"

/// The first two bytes choose the dialect and what is required; the rest is a text. Accepts
/// ConfigError and nothing else.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  constexpr std::array<const char*, 4> kComments{"", "#", "%", "//"};
  const unsigned choice = data[0] | data[1] << 8;
  idbench::CsvReading reading;
  reading.dialect = {static_cast<idbench::CsvDelimiter>(choice % 4),
                     static_cast<idbench::CsvDecimal>(choice / 4 % 2),
                     static_cast<idbench::CsvHeader>(choice / 8 % 3), kComments[choice / 32 % 4]};
  if (choice & 256) reading.required = {"t", "2"};
  reading.all_required = (choice & 512) != 0;
  reading.leaves_out_text = (choice & 1024) != 0;
  idbench::CsvTable table;
  try {
    table = idbench::ParseCsv({reinterpret_cast<const char*>(data + 2), size - 2}, "a", reading);
  } catch (const idbench::ConfigError&) {
    return 0;
  }
  const bool fits = table.values.cols() == static_cast<Eigen::Index>(table.columns.size()) &&
                    table.values.rows() == static_cast<Eigen::Index>(table.lines.size());
  if (!fits || table.values.rows() == 0) std::abort();
  if (reading.all_required && !table.values.allFinite()) std::abort();
  for (const std::string& name : reading.required) {
    if (!table.values.col(table.Find(name)).allFinite()) std::abort();
  }
  return 0;
}
