#include "robots/recording/guess_csv_dialect.h"

#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "robots/recording/csv.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

/// The options of the dialect that is guessed, or why none is.
std::string GuessOf(const std::string& text) {
  try {
    return OptionsText(GuessCsvDialect(text, "a.csv"));
  } catch (const ConfigError& error) {
    return error.what();
  }
}

std::string RefusedGuess(const std::string& message) {
  return "a.csv: " + message + "\n  a scenario says in /recording/format how its files are written";
}

/// Three rows of three numbers with names, as a dialect has them.
std::string TextIn(const CsvDialect& dialect) {
  const std::string separator(1, ",;\t "[static_cast<int>(dialect.delimiter)]);
  const bool commas = dialect.decimal == CsvDecimal::kComma;
  const std::string quote = commas && dialect.delimiter == CsvDelimiter::kComma ? "\"" : "";
  std::string text;
  if (!dialect.comment.empty()) text += dialect.comment + " recorded in the lab on Monday\n";
  const std::string names = "t" + separator + "q1" + separator + "q2\n";
  if (dialect.header == CsvHeader::kLine) text += names;
  if (dialect.header == CsvHeader::kCommented) text += dialect.comment + " " + names;
  for (const char* row : {"0.125|-1.5|20", "0.25|3|1e-3", "0.375|-4.5|7"}) {
    std::string line = quote + row + quote + "\n";
    for (std::size_t at = 0; (at = line.find('|')) != std::string::npos;) {
      line.replace(at, 1, quote + separator + quote);
    }
    if (commas) std::ranges::replace(line, '.', ',');
    text += line;
  }
  return text;
}

TEST_CASE("Each dialect is guessed of a table that is written in it, and read with its numbers") {
  const Eigen::Matrix3d numbers{{0.125, -1.5, 20.0}, {0.25, 3.0, 0.001}, {0.375, -4.5, 7.0}};
  int dialects = 0;
  for (const auto& [delimiter, delimiter_name] : kEnumNames<CsvDelimiter>) {
    for (const auto& [decimal, decimal_name] : kEnumNames<CsvDecimal>) {
      for (const auto& [header, header_name] : kEnumNames<CsvHeader>) {
        for (const char* comment : {"", "#", "%", "//"}) {
          const CsvDialect dialect{delimiter, decimal, header, comment};
          if (header == CsvHeader::kCommented && dialect.comment.empty()) continue;
          const std::string text = TextIn(dialect);
          CAPTURE(text);
          const CsvDialect guess = GuessCsvDialect(text, "a.csv");
          CHECK(OptionsText(guess) == OptionsText(dialect));
          const CsvTable table = ParseCsv(text, "a.csv", {.dialect = guess, .all_required = true});
          CHECK(table.values == numbers);
          CHECK(table.columns[1] == (header == CsvHeader::kNone ? "2" : "q1"));
          ++dialects;
        }
      }
    }
  }
  CHECK(dialects == 4 * 2 * (4 + 3 + 4));
}

TEST_CASE("Delimiter and decimal sign are those with which most numbers are read") {
  CHECK(GuessOf("1,2,3\n4,5,6\n") == "\"header\": \"none\"");
  CHECK(GuessOf("1, 2, 3\n4, 5, 6\n") == "\"header\": \"none\"");
  CHECK(GuessOf("1.5, 2.5\n") == "\"header\": \"none\"");
  const std::string semicolons = "\"delimiter\": \"semicolon\", \"decimal\": \"comma\"";
  CHECK(GuessOf("1,5;2,5\n") == semicolons + ", \"header\": \"none\"");
  CHECK(GuessOf("t;q\n1,5;2,5") == semicolons);
  CHECK(GuessOf("t; q\n0; 1\n0; 2\n0; 2,5\n") == semicolons);
  CHECK(GuessOf("t;q\n1;2\n") == "\"delimiter\": \"semicolon\"");
  CHECK(GuessOf("t q\n 1,5  2,5\n") == "\"delimiter\": \"blank\", \"decimal\": \"comma\"");
  CHECK(GuessOf("t\tq\n1\t2\n") == "\"delimiter\": \"tab\"");
  CHECK(GuessOf("Joint 1\tJoint 2\n1\t2\n") == "\"delimiter\": \"tab\"");
  CHECK(GuessOf("t \t q\n1 \t 2\n1  2\n") == "\"delimiter\": \"blank\"");
  CHECK(GuessOf("\xEF\xBB\xBFt;q\r\n1,5;2\r\n") == semicolons);
}

TEST_CASE("Columns of text, dates and missing numbers do not mislead") {
  CHECK(
      GuessOf("date,q,state\n2026-11-26 12:00:00.5,1.5,idle\n2026-11-26 12:00:01,,go 2\n").empty());
  CHECK(GuessOf("Zeit;q\n26.11.2026 12:00:00,5;1,5\n26.11.2026 12:00:01;2\n") ==
        "\"delimiter\": \"semicolon\", \"decimal\": \"comma\"");
  CHECK(GuessOf("t,q\n0,nan\n1,2.5\n").empty());
  CHECK(GuessOf("t;q;\n0;1.5;\n1;2.5;\n") == "\"delimiter\": \"semicolon\"");
  // The reader tells such rows by their lines.
  CHECK(GuessOf("t;q;p\n0;1,5;2\n1;2,5\n2;3,5;4\n3;x;1.5\n4;0;0\n") ==
        "\"delimiter\": \"semicolon\", \"decimal\": \"comma\"");
}

TEST_CASE("Names stand in the first row, above units, or in the last comment") {
  CHECK(GuessOf("t,q\ns,rad\n0,1.5\n").empty());
  CHECK(GuessOf("t,1,2\n0,1.5,3\n").empty());
  CHECK(GuessOf("# lab 3\n\nt,q\n0,1.5\n") == "\"comment\": \"#\"");
  CHECK(GuessOf("% lab 3\n% t,q\n%\n0,1.5\n") == "\"header\": \"commented\", \"comment\": \"%\"");
  CHECK(GuessOf("%time,field.q\n0,1.5\n") == "\"header\": \"commented\", \"comment\": \"%\"");
  CHECK(GuessOf("#,t,q\n1,0,1.5\n") == "\"header\": \"commented\", \"comment\": \"#\"");
  CHECK(GuessOf("# recorded on Monday\n0.5,1.5\n") == "\"header\": \"none\", \"comment\": \"#\"");
  CHECK(GuessOf("idle,0,1.5\nidle,1,2.5\n") == "\"header\": \"none\"");
  CHECK(GuessOf("0,1.5\n# a,b\n1,2.5\n") == "\"header\": \"none\", \"comment\": \"#\"");
  CHECK(GuessOf("0,1.5\n1,2.5\n# end\n") == "\"header\": \"none\", \"comment\": \"#\"");
}

TEST_CASE("The line that tells spreadsheets the delimiter is passed over") {
  CHECK(GuessOf("sep=;\nt;q\n0;1,5\n1;2,5\n") ==
        "\"delimiter\": \"semicolon\", \"decimal\": \"comma\", \"comment\": \"sep=\"");
  CHECK(GuessOf("sep=;\n0;1.5\n1;2.5\n") ==
        "\"delimiter\": \"semicolon\", \"header\": \"none\", \"comment\": \"sep=\"");
}

TEST_CASE("A single column has the usual delimiter") {
  CHECK(GuessOf("q\n1.5\n2.5\n").empty());
  CHECK(GuessOf("q\n1,5\n2,5\n") == "\"delimiter\": \"semicolon\", \"decimal\": \"comma\"");
  CHECK(GuessOf("1.5\n2.5\n") == "\"header\": \"none\"");
}

TEST_CASE("What may be read in two ways is refused") {
  CHECK(GuessOf("1,5\n2,5\n") ==
        "a.csv: line 1: may be one number with a decimal comma, or two whole numbers\n"
        "  name the columns above the first row\n"
        "  a scenario says in /recording/format how its files are written");
  CHECK(GuessOf("# t,q\n1,5\n2,5\n") == "\"header\": \"commented\", \"comment\": \"#\"");
  CHECK(GuessOf("1,a;2\n3,b;4\n") ==
        RefusedGuess("can be read with the delimiters comma and semicolon"));
  CHECK(GuessOf("# a\r\n% b\r\nt,q\r\n0,1.5\r\n") ==
        "a.csv: line 2: begins with '%', line 1 with '#'\n  all comments begin with one sign");
}

TEST_CASE("Names that are separated otherwise than the numbers are refused") {
  CHECK(GuessOf("# t q1 q2\n0,1.5,2\n") ==
        "a.csv: the comment above the first row has the names of 3 columns, but with the delimiter "
        "blank instead of comma\n"
        "  separate names as numbers are; np.savetxt has its delimiter= for numbers alone");
  CHECK(GuessOf("t,q1,q2\n0;1.5;2\n") ==
        RefusedGuess("line 1: has 1 of 3 fields, between delimiters semicolon\n  the first line "
                     "that is no comment names all columns; begin lines above the names with '#', "
                     "or remove them"));
}

TEST_CASE("Lines above the names are refused, and how they are kept is said") {
  for (const char* above : {"Robot: UR10\n", "Recorded on Monday, 12:00\n\n"}) {
    CHECK(GuessOf(std::string(above) + "t;q1;q2\n0;1,5;2\n1;2,5;3\n")
              .find(" of 3 fields, between delimiters semicolon\n  the first line that is no "
                    "comment") != std::string::npos);
  }
}

TEST_CASE("Numbers that no dialect reads are refused by their line") {
  const std::string cure =
      "\n  numbers between commas, semicolons, tabs or blanks are accepted, all with decimal "
      "points "
      "or all with decimal commas";
  CHECK(GuessOf("t;q\n1.5;2,5\n") == RefusedGuess("line 2: got '1.5;2,5'" + cure));
  CHECK(GuessOf("t;q\n0;1,5\n0.1;2\n") == RefusedGuess("line 2: got '0;1,5'" + cure));
  CHECK(GuessOf("t;q\n-1.234,5;2,5\n") == RefusedGuess("line 2: got '-1.234,5;2,5'" + cure));
  CHECK(GuessOf("t|q\n1.5|2.5\n") == RefusedGuess("line 2: got '1.5|2.5'" + cure));
  CHECK(GuessOf("t|q\n" + std::string(20, '1') + "|" + std::string(30, '2'))
            .find("11|2222222222222222222…'") != std::string::npos);
  CHECK(GuessOf(std::string("t\0,\0q\0\n\0", 8)).find("a.csv: is no text: it holds bytes of 0\n") ==
        0);
}

TEST_CASE("Of a text without numbers the reader says what it lacks") {
  CHECK(GuessOf("").empty());
  CHECK(GuessOf("\n\n").empty());
  CHECK(GuessOf("t_s,q1_rad\n").empty());
  CHECK(GuessOf("# nothing\n") == "\"comment\": \"#\"");
  CHECK(GuessOf("\"t\",\"q\n1,2\n").find("line 2: got '1,2'") != std::string::npos);
}

TEST_CASE("A text is looked at until a number has a decimal sign, in comments as a whole") {
  std::string text = "t;q\n";
  for (int i = 0; i < 50'000; ++i) text += std::to_string(i) + ";0\n";
  CHECK(GuessOf(text) == "\"delimiter\": \"semicolon\"");
  text += "# moves\n50000;0,5\n";
  CHECK(GuessOf(text) ==
        "\"delimiter\": \"semicolon\", \"decimal\": \"comma\", \"comment\": \"#\"");
}

}  // namespace
}  // namespace idbench
