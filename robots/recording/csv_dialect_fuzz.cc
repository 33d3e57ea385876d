#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "robots/recording/csv.h"
#include "robots/recording/guess_csv_dialect.h"
#include "scenarios/options/config_error.h"

/// A text, of which the dialect is guessed, and which is then read. Accepts ConfigError and nothing
/// else, and the dialects that options can say.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    idbench::CsvReading reading;
    reading.dialect = idbench::GuessCsvDialect(text, "a");
    const idbench::FieldTable options = Visit(reading.dialect);
    std::vector<idbench::Issue> issues;
    for (const auto& check : options.checks()) check(issues);
    if (!issues.empty()) std::abort();
    reading.leaves_out_text = true;
    idbench::ParseCsv(text, "a", reading);
  } catch (const idbench::ConfigError&) {
  }
  return 0;
}
