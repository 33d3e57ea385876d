#include "robots/recording/csv_fields.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

namespace idbench {
namespace {

/// Writes down what it is told: fields in brackets, comments behind #, ends of lines.
class Transcript : public CsvHandler {
 public:
  void OnField(std::string_view field) override { text += fmt::format("[{}]", field); }
  void OnLineEnd(int end) override { text += end < 0 ? "." : "/"; }
  void OnComment(std::string_view comment) override { text += fmt::format("#{}/", comment); }

  std::string text;
};

std::string Split(std::string_view text, const CsvDialect& dialect) {
  Transcript transcript;
  const bool complete = SplitCsv(text, dialect, transcript);
  return transcript.text + (complete ? "" : " quotes?");
}

TEST_CASE("Fields end at the delimiter, and blanks around them are dropped") {
  CHECK(Split("a, b;c\n1,2 3\n", {}) == "[a][b;c]/[1][2 3]/");
  CHECK(Split("a; b,c\n1;\n", {CsvDelimiter::kSemicolon}) == "[a][b,c]/[1][]/");
  CHECK(Split("a\t b c\t\t1", {CsvDelimiter::kTab}) == "[a][b c][][1].");
  CHECK(Split("  a \t b,c\n\t1\n \n2  ", {CsvDelimiter::kBlank}) == "[a][b,c]/[1]//[2].");
}

TEST_CASE("Quotation marks hold delimiters, line ends and signs of comments") {
  CHECK(Split("\"a, b\",\"c \"\"d\"\"\"\n", {}) == "[a, b][c \"d\"]/");
  CHECK(Split("  \"a  b\"  \"c\n  # d\"  e\n",
              {.delimiter = CsvDelimiter::kBlank, .comment = "#"}) == "[a  b][c\n  # d][e]/");
  CHECK(Split("\"a\n#b\"\n#c", {.comment = "#"}) == "[a\n#b]/#c/");
}

TEST_CASE("Quotation marks that do not pair end the text, whatever the delimiter") {
  CHECK(Split("a\n\"b\nc", {}) == "[a]/ quotes?");
  CHECK(Split("a\nb\"c\nd", {}) == "[a]/ quotes?");
  CHECK(Split("a\n\"b\nc", {CsvDelimiter::kBlank}) == "[a]/ quotes?");
  CHECK(Split("a\nb\"c\nd", {.comment = "#"}) == "[a]/ quotes?");
}

TEST_CASE("Each line end is told once, of comments with them, whatever the line ends") {
  const std::string expected = "[a]/#b/[c]//#d/[e]/";
  for (const char* end : {"\n", "\r\n", "\r"}) {
    std::string text = "a\n#b\nc\n\n \t#d\ne\n";
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) {
      text.replace(at, 1, end);
      at += std::string_view(end).size();
    }
    CAPTURE(text);
    CHECK(Split(text, {.comment = "#"}) == expected);
    CHECK(Split(text, {.delimiter = CsvDelimiter::kBlank, .comment = "#"}) == expected);
  }
  CHECK(Split("a\r#b\n\nc", {.comment = "#"}) == "[a]/#b//[c].");
  CHECK(Split("a\r\n1\r\n", {}) == "[a]/[1]/");
  CHECK(Split("a\r\n\r\n1", {}) == "[a]//[1].");
}

TEST_CASE("A comment begins with its sign, which may be longer than a character") {
  CHECK(Split("// a\n/ b\n1 // c\n", {.comment = "//"}) == "# a/[/ b]/[1 // c]/");
  CHECK(Split("#", {.comment = "#"}) == "#/");
}

TEST_CASE("A byte order mark is skipped, whatever the delimiter") {
  CHECK(Split("\xEF\xBB\xBF"
              "a,b\n",
              {}) == "[a][b]/");
  CHECK(Split("\xEF\xBB\xBF# a\n", {.delimiter = CsvDelimiter::kBlank, .comment = "#"}) == "# a/");
}

TEST_CASE("Numbers have the decimal sign of the dialect, and no other") {
  double value = 0.0;
  CHECK(ReadCsvNumber("+1.5e3", CsvDecimal::kPoint, value) == CsvContent::kNumber);
  CHECK(value == 1500.0);
  CHECK(ReadCsvNumber("-1,5e3", CsvDecimal::kComma, value) == CsvContent::kNumber);
  CHECK(value == -1500.0);
  CHECK(ReadCsvNumber("7", CsvDecimal::kComma, value) == CsvContent::kNumber);
  CHECK(value == 7.0);
  for (const char* text : {"", "1,5", "1.5.2", "x", "1 000", "0x1F", "1.5 rad"}) {
    CAPTURE(text);
    CHECK(ReadCsvNumber(text, CsvDecimal::kPoint, value) == CsvContent::kText);
  }
  for (const char* text : {"1.5", "1.000,5", "1,000,5", ","}) {
    CAPTURE(text);
    CHECK(ReadCsvNumber(text, CsvDecimal::kComma, value) == CsvContent::kText);
  }
  CHECK(ReadCsvNumber("-inf", CsvDecimal::kPoint, value) == CsvContent::kNotFinite);
  CHECK(ReadCsvNumber("NaN", CsvDecimal::kComma, value) == CsvContent::kNotFinite);
  CHECK(ReadCsvNumber("1e999", CsvDecimal::kPoint, value) == CsvContent::kOutOfRange);
}

}  // namespace
}  // namespace idbench
