#include "robots/recording/csv_fields.h"

#include <csv.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <new>
#include <string>
#include <system_error>

namespace idbench {
namespace {

/// libcsv's parser, freed at the end of the scope.
class LibcsvParser {
 public:
  LibcsvParser(char delimiter, CsvHandler& handler) : handler_(handler) {
    // Blank lines are reported too, so that lines can be counted.
    if (csv_init(&parser_, CSV_REPALL_NL | CSV_STRICT | CSV_STRICT_FINI) != 0) {
      throw std::bad_alloc();
    }
    csv_set_delim(&parser_, static_cast<unsigned char>(delimiter));
  }
  ~LibcsvParser() { csv_free(&parser_); }
  LibcsvParser(const LibcsvParser&) = delete;
  LibcsvParser& operator=(const LibcsvParser&) = delete;

  /// Reads the next part of the text. Returns false if quotation marks do not pair.
  bool Read(std::string_view text) {
    return csv_parse(&parser_, text.data(), text.size(), &OnField, &OnEndLine, this) ==
               text.size() ||
           Refuse();
  }

  /// Forgets the last line end: the next part of the text is not the next one of it.
  void Skip() { previous_end_ = 0; }

  bool Finish() { return csv_fini(&parser_, &OnField, &OnEndLine, this) == 0 || Refuse(); }

 private:
  bool Refuse() {
    if (csv_error(&parser_) != CSV_EPARSE) throw std::bad_alloc();
    return false;
  }

  static void OnField(void* text, std::size_t size, void* self) {
    LibcsvParser& parser = *static_cast<LibcsvParser*>(self);
    parser.previous_end_ = 0;
    parser.handler_.OnField({static_cast<const char*>(text), size});
  }

  static void OnEndLine(int end, void* self) {
    LibcsvParser& parser = *static_cast<LibcsvParser*>(self);
    const bool second_half_of_crlf = end == '\n' && parser.previous_end_ == '\r';
    parser.previous_end_ = end;
    if (!second_half_of_crlf) parser.handler_.OnLineEnd(end);
  }

  CsvHandler& handler_;
  csv_parser parser_{};
  int previous_end_ = 0;  // with no field since
};

char DelimiterOf(CsvDelimiter delimiter) {
  switch (delimiter) {
    case CsvDelimiter::kSemicolon:
      return ';';
    case CsvDelimiter::kTab:
    case CsvDelimiter::kBlank:  // of which WithTabs() makes tabs
      return '\t';
    case CsvDelimiter::kComma:
      break;
  }
  return ',';
}

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

std::string_view WithoutLeadingBlanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text;
}

/// Takes a line with its end from the text.
std::string_view TakeLine(std::string_view& text) {
  std::size_t size = std::min(text.find_first_of("\r\n"), text.size());
  if (size < text.size()) size += text.substr(size).starts_with("\r\n") ? 2 : 1;
  const std::string_view line = text.substr(0, size);
  text.remove_prefix(size);
  return line;
}

/// Writes a line with one tab for each run of blanks outside quotation marks, and none at its
/// beginning and end.
void WithTabs(std::string_view line, bool quoted, std::string& tabbed) {
  tabbed.clear();
  bool pending = false;
  for (const char c : quoted ? line : WithoutLeadingBlanks(line)) {
    if (!quoted && IsBlank(c)) {
      pending = true;
      continue;
    }
    if (pending && c != '\r' && c != '\n') tabbed += '\t';
    pending = false;
    if (c == '"') quoted = !quoted;
    tabbed += c;
  }
}

bool SplitByLines(std::string_view text, const CsvDialect& dialect, CsvHandler& handler) {
  LibcsvParser parser(DelimiterOf(dialect.delimiter), handler);
  bool quoted = false;  // at the beginning of the line
  std::string tabbed;
  while (!text.empty()) {
    std::string_view line = TakeLine(text);
    if (!quoted && !dialect.comment.empty() &&
        WithoutLeadingBlanks(line).starts_with(dialect.comment)) {
      const std::string_view behind = WithoutLeadingBlanks(line).substr(dialect.comment.size());
      handler.OnComment(behind.substr(0, behind.find_first_of("\r\n")));
      parser.Skip();
      continue;
    }
    if (dialect.delimiter == CsvDelimiter::kBlank) {
      WithTabs(line, quoted, tabbed);
      if (!parser.Read(tabbed)) return false;
    } else if (!parser.Read(line)) {
      return false;
    }
    if (std::ranges::count(line, '"') % 2 != 0) quoted = !quoted;
  }
  return parser.Finish();
}

}  // namespace

CsvContent ReadCsvNumber(std::string_view field, CsvDecimal decimal, double& value) {
  std::string with_point;
  if (decimal == CsvDecimal::kComma) {
    if (field.find('.') != std::string_view::npos) return CsvContent::kText;
    with_point = field;
    std::ranges::replace(with_point, ',', '.');
    field = with_point;
  }
  if (field.starts_with('+')) field.remove_prefix(1);  // from_chars() refuses it
  const char* const end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, value);
  if (error == std::errc::invalid_argument || stop != end) return CsvContent::kText;
  if (error == std::errc::result_out_of_range) return CsvContent::kOutOfRange;
  return std::isfinite(value) ? CsvContent::kNumber : CsvContent::kNotFinite;
}

bool SplitCsv(std::string_view text, const CsvDialect& dialect, CsvHandler& handler) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  if (!dialect.comment.empty() || dialect.delimiter == CsvDelimiter::kBlank) {
    return SplitByLines(text, dialect, handler);
  }
  LibcsvParser parser(DelimiterOf(dialect.delimiter), handler);
  return parser.Read(text) && parser.Finish();
}

}  // namespace idbench
