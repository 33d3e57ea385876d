#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "hw/log/log.h"
#include "robots/recording/csv_dialect.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Text files of numbers in columns.
struct CsvFormat {
  static constexpr std::string_view kType = "csv";
  CsvDialect dialect = {};
};
FieldTable Visit(CsvFormat& format);

/// Reads a text file as one table without a name; its time is one of the columns. See
/// hw/log/log.h and ParseCsv(). `places` are lines of the file.
///
/// A wanted column has to hold a finite number in each row, but for those without any wanted number
/// before the first and behind the last of the others: units below the names, notes at the end.
/// Other columns are NaN where they hold none.
Log ReadLog(const std::filesystem::path& file, const CsvFormat& format,
            const std::vector<std::string>& wanted);

}  // namespace idbench
