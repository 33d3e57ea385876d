#pragma once

#include <string_view>

#include "robots/recording/csv_dialect.h"

namespace idbench {

/// What a field holds.
enum class CsvContent {
  kNumber,
  kNotFinite,   ///< "nan", "inf".
  kOutOfRange,  ///< A number that a double cannot hold.
  kText,        ///< Anything else, nothing included.
};

/// Reads a field. Rounds correctly, whatever the locale.
/// @param[out] value  the number, if it is one; else unspecified.
CsvContent ReadCsvNumber(std::string_view field, CsvDecimal decimal, double& value);

/// Takes the parts of a text in their order.
class CsvHandler {
 public:
  virtual ~CsvHandler() = default;
  /// A field, without its quotation marks and the blanks around it.
  virtual void OnField(std::string_view text) = 0;
  /// The end of a line, blank ones included: `end` is its character, −1 that of the text.
  virtual void OnLineEnd(int end) = 0;
  /// A whole line: what stands behind the sign of a comment.
  virtual void OnComment(std::string_view text) = 0;
};

/// Divides a text into fields (RFC 4180 but for the dialect; any line ends). Skips a UTF-8 byte
/// order mark.
/// @return false if the text has quotation marks that do not pair, and was not read further.
bool SplitCsv(std::string_view text, const CsvDialect& dialect, CsvHandler& handler);

}  // namespace idbench
