#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "robots/recording/csv_dialect.h"

namespace idbench {

/// Text that a column holds in all rows, or in those before another one.
struct CsvText {
  std::size_t column = 0;
  std::string text;
  std::string other = "";       ///< The first other one; "" where a row has no text there.
  std::int64_t other_line = 0;  ///< Line of the file with it; 0: all rows have `text`.

  bool operator==(const CsvText&) const = default;
};

/// Table of numbers with named columns.
struct CsvTable {
  std::string source;                ///< File name, for messages.
  std::vector<std::string> columns;  ///< Unique names.
  Eigen::MatrixXd values;  ///< N × columns, N ≥ 1; finite, or NaN where CsvReading says.
  std::vector<std::int64_t> lines;  ///< Line of the file at which each row ends, from 1.
  /// Fields of the first row below the names, if it was left out as text: units. Else empty.
  std::vector<std::string> below_names = {};
  /// Of each column that holds a text in the first row, in order.
  std::vector<CsvText> texts = {};

  /// Returns the index of the column called `name`, −1 if there is none.
  Eigen::Index Find(std::string_view name) const;
};

/// How a text is read, and what it has to hold.
struct CsvReading {
  CsvDialect dialect = {};
  /// Columns that must be there, each field of them a finite number. Other columns may hold
  /// anything, which becomes NaN where it is no finite number; one of them without a name is called
  /// by its number.
  std::vector<std::string> required = {};
  bool all_required = false;  ///< Each column of the text is.
  /// Leaves out the rows before the first row of numbers and behind the last one: units below the
  /// names, notes at the end. Those are rows none of whose fields in required columns (in any
  /// column, if none is required) holds a number. Between rows of numbers, they are refused. A text
  /// of nothing else is refused.
  bool leaves_out_text = false;
};

/// Reads a table: a header of column names, if the dialect has one, then rows of numbers (RFC 4180
/// but for the dialect; any line ends; skips blank lines and a UTF-8 byte order mark), whatever the
/// locale. Rounds numbers correctly.
///
/// @param source  name of the text in messages.
/// @throws ConfigError for an empty text, a header without rows, a missing, repeated or empty
///         column name or one that is not UTF-8, a row of another length, or a required field that
///         is not a finite number. Reports all at once, the first ten with line and column. O(size
///         of the text): 10 ms for 5,000 rows of 29 numbers (2.7 MB).
CsvTable ParseCsv(std::string_view text, const std::string& source, const CsvReading& reading);

/// Reads comma-separated values with a header line and decimal points.
/// @param required  columns that must hold numbers; all of the text if it is empty.
CsvTable ParseCsv(std::string_view text, const std::string& source,
                  const std::vector<std::string>& required = {});

/// Read a file as ParseCsv() does.
/// @throws ConfigError also if the file cannot be read.
CsvTable ReadCsv(const std::filesystem::path& file, const CsvReading& reading);
CsvTable ReadCsv(const std::filesystem::path& file, const std::vector<std::string>& required = {});

/// Writes what ParseCsv() reads back bit for bit: each number in the fewest digits
/// that identify it.
///
/// @param columns  names, with the unit at the end: `t_s`, `q1_rad`.
/// @param values   N × columns.
/// @throws std::invalid_argument if sizes contradict each other or a value is not finite.
void WriteCsv(std::ostream& stream, const std::vector<std::string>& columns,
              const Eigen::Ref<const Eigen::MatrixXd>& values);

}  // namespace idbench
