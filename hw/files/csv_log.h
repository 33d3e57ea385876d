#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "hw/log/log.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// Files of comma-separated values with a header, see ReadCsv().
struct CsvFormat {
  static constexpr std::string_view kType = "csv";
};
FieldTable Visit(CsvFormat& format);

/// Reads a CSV file as one table; its time is one of the columns. See hw/log/log.h.
Log ReadLog(const std::filesystem::path& file, const CsvFormat& format,
            const std::vector<std::string>& wanted);

}  // namespace idbench
