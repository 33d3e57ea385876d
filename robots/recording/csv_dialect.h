#pragma once

#include <array>
#include <string>
#include <string_view>

#include "scenarios/options/enum_names.h"
#include "scenarios/options/fields.h"

namespace idbench {

/// What separates the fields of a line.
enum class CsvDelimiter {
  kComma,
  kSemicolon,
  kTab,
  kBlank,  ///< Any run of blanks and tabs; those at the beginning and the end are ignored.
};
template <>
inline constexpr auto kEnumNames<CsvDelimiter> =
    std::to_array<EnumName<CsvDelimiter>>({{CsvDelimiter::kComma, "comma"},
                                           {CsvDelimiter::kSemicolon, "semicolon"},
                                           {CsvDelimiter::kTab, "tab"},
                                           {CsvDelimiter::kBlank, "blank"}});

/// The sign between the integer and the fraction of a number. Commas beside the delimiter comma are
/// read where the numbers stand in quotation marks: "1,5","2,5".
enum class CsvDecimal { kPoint, kComma };
template <>
inline constexpr auto kEnumNames<CsvDecimal> = std::to_array<EnumName<CsvDecimal>>(
    {{CsvDecimal::kPoint, "point"}, {CsvDecimal::kComma, "comma"}});

/// Where the names of the columns stand.
enum class CsvHeader {
  kLine,       ///< In the first line that is neither blank nor a comment.
  kCommented,  ///< Behind the sign of the last comment above the first row that is not blank.
  kNone,       ///< Nowhere: columns are called by their number, "1", "2", …
};
template <>
inline constexpr auto kEnumNames<CsvHeader> = std::to_array<EnumName<CsvHeader>>(
    {{CsvHeader::kLine, "line"}, {CsvHeader::kCommented, "commented"}, {CsvHeader::kNone, "none"}});

/// How a table is written as text.
struct CsvDialect {
  CsvDelimiter delimiter = CsvDelimiter::kComma;
  CsvDecimal decimal = CsvDecimal::kPoint;
  CsvHeader header = CsvHeader::kLine;
  std::string comment =
      {};  ///< Lines that begin with it, after any blanks, are no rows; "": none do.

  bool operator==(const CsvDialect&) const = default;
};
FieldTable Visit(CsvDialect& dialect);

/// Returns the options of a dialect that are not the default, as JSON: `"delimiter": "tab"`; "" if
/// all are.
std::string OptionsText(const CsvDialect& dialect);

}  // namespace idbench
