#pragma once

#include <string>
#include <string_view>

#include "robots/recording/csv_dialect.h"

namespace idbench {

/// Finds the dialect that a table is written in, among those that ParseCsv() reads. The rules:
///
/// - Comments begin with "#", "%" or "//", or are the "sep=;" of spreadsheets; the sign is that of
/// the first line that begins with one
///   of them. Two signs in one text are refused.
/// - Delimiter and decimal sign are those with which most numbers are read. A row counts that holds
///   a number, as many fields as most of such rows, and no field that is a piece of a row of
///   numbers, as "5;2" of "1,5;2,5" between commas, or a number with the other decimal sign; more
///   than half of the rows of numbers or pieces have to count. A decimal comma stands between
///   digits. Commas beside the delimiter comma are decimal where the numbers stand in quotation
///   marks.
/// - Of what reads the same numbers, tab goes before blanks, points before commas, and of a single
///   column the usual delimiter. Two columns of whole numbers between commas, without names, may as
///   well be one column of decimal commas, and are refused. So are equally many numbers that are
///   read otherwise.
/// - A column is one of numbers if half of the rows that count have a number there. A first row
///   that has text in such a column, or does not count, is that of the names, and needs a field for
///   each column. Rows of text below it, as of units, are left to ParseCsv().
/// - Without such a row, the names are those of the last comment above the first row, if it has a
///   field for each column. If it has as many with another delimiter alone, it is refused. Else the
///   columns have no names.
///
/// The rules look at the first 64 kB, and at more as long as no number there has a decimal sign;
/// comments at all lines. A text without any number has the default dialect and the sign of its
/// comments: ParseCsv() says what it lacks.
///
/// @param source  name of the text in messages.
/// @throws ConfigError for what is refused above, for lines above the names, for numbers that no
///         dialect reads, and for what is no text (bytes of 0).
CsvDialect GuessCsvDialect(std::string_view text, const std::string& source);

}  // namespace idbench
