#include "robots/recording/csv.h"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

std::string CsvMessage(std::string_view text, const std::vector<std::string>& required = {}) {
  try {
    ParseCsv(text, "a.csv", required);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST_CASE("A table is read by its header") {
  const CsvTable table = ParseCsv("t_s,q1_rad\n0,-1.5\n0.1,2e-3\n", "a.csv");
  CHECK(table.source == "a.csv");
  CHECK(table.columns == std::vector<std::string>{"t_s", "q1_rad"});
  CHECK(table.values == Eigen::Matrix2d{{0.0, -1.5}, {0.1, 2e-3}});
  CHECK(table.lines == std::vector<std::int64_t>{2, 3});
  CHECK(table.Find("q1_rad") == 1);
  CHECK(table.Find("q2_rad") == -1);
}

TEST_CASE(
    "Line ends, blank lines, blanks, quotes, a byte order mark and plus signs do not matter") {
  const CsvTable plain = ParseCsv("a,b\n1,2\n3,4\n", "a.csv");
  for (const char* text :
       {"a,b\r\n1,2\r\n3,4\r\n", "a,b\r1,2\r3,4\r", "a,b\n1,2\n3,4", "\357\273\277a,b\n1,2\n3,4\n",
        "\n a , b \n\n 1,\t2\n+3,+4\n\n", "\"a\",\"b\"\n\"1\",\"2\"\n3,4\n"}) {
    CAPTURE(text);
    const CsvTable table = ParseCsv(text, "a.csv");
    CHECK(table.columns == plain.columns);
    CHECK(table.values == plain.values);
  }
}

TEST_CASE("Rows know their line, whatever the line ends") {
  CHECK(ParseCsv("a\n\n1\n\n\n2\n", "a.csv").lines == std::vector<std::int64_t>{3, 6});
  CHECK(ParseCsv("a\r\n\r\n1\r\n2", "a.csv").lines == std::vector<std::int64_t>{3, 4});
  CHECK(ParseCsv("\"a\nb\"\n1\n", "a.csv").lines == std::vector<std::int64_t>{3});
}

TEST_CASE("What was written is read back bit for bit") {
  const std::vector<std::string> columns = {"t_s", "a \"quoted\", name", "q1_rad"};
  const Eigen::MatrixXd values{
      {0.1, 1.0 / 3.0, -0.0},
      {std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::max(), 1e23},
      {5e-324, 9007199254740993.0, std::nextafter(1.0, 2.0)}};
  std::ostringstream stream;
  WriteCsv(stream, columns, values);
  const CsvTable table = ParseCsv(stream.str(), "a.csv");
  CHECK(table.columns == columns);
  CHECK(table.values == values);
  CHECK(std::signbit(table.values(0, 2)));
}

TEST_CASE("Numbers are written in the fewest digits that identify them") {
  std::ostringstream stream;
  WriteCsv(stream, {"t_s", "q1_rad"}, Eigen::MatrixXd{{0.1, 2.0}, {0.2, -1e-9}});
  CHECK(stream.str() == "t_s,q1_rad\n0.1,2\n0.2,-1e-09\n");
}

TEST_CASE("A table that could not be read back is not written") {
  std::ostringstream stream;
  CHECK_THROWS_WITH_AS(WriteCsv(stream, {"t_s"}, Eigen::MatrixXd::Zero(1, 2)),
                       "WriteCsv: 1 names for 2 columns", std::invalid_argument);
  CHECK_THROWS_WITH_AS(
      WriteCsv(stream, {"t_s"},
               Eigen::MatrixXd::Constant(1, 1, std::numeric_limits<double>::infinity())),
      "WriteCsv: a value is not finite, it could not be read back", std::invalid_argument);
  CHECK(stream.str().empty());
}

TEST_CASE("A ragged row is refused by its line") {
  CHECK(CsvMessage("a,b,c\n1,2,3\n1,2\n1,2,3\n") == "a.csv: line 3: got 2 of 3 values");
  CHECK(CsvMessage("a,b,c\n1,2,3\n1,2") ==
        "a.csv: line 3: got 2 of 3 values\n  the text ends here: was the recording cut off?");
  CHECK(CsvMessage("a,b\n1,5,2,5\n") ==
        "a.csv: line 2: got 4 of 2 values\n  decimal commas? numbers have a point, unless "
        "/recording/format says otherwise");
}

TEST_CASE("A field that is not a finite number is refused by its line and column") {
  const auto refused = [](const std::string& what) {
    return "a.csv: line 2, column 'q3_rad': " + what +
           "\n  a finite number with a decimal point is accepted";
  };
  CHECK(CsvMessage("t_s,q3_rad\n0,abc\n") == refused("got 'abc'"));
  CHECK(CsvMessage("t_s,q3_rad\n0,\n") == refused("is empty"));
  CHECK(CsvMessage("t_s,q3_rad\n0,1.5 rad\n") == refused("got '1.5 rad'"));
  CHECK(CsvMessage("t_s,q3_rad\n0,0x1F\n") == refused("got '0x1F'"));
  CHECK(CsvMessage("t_s,q3_rad\n0,nan\n") == refused("got 'nan', which is not finite"));
  CHECK(CsvMessage("t_s,q3_rad\n0,-inf\n") == refused("got '-inf', which is not finite"));
  CHECK(CsvMessage("t_s,q3_rad\n0,1e999\n") == refused("got '1e999', which a double cannot hold"));
  CHECK(CsvMessage("t_s,q3_rad\n0,ααααααααααααααααααααα\n") ==
        refused("got 'αααααααααααααααααααα…'"));
  CHECK(CsvMessage("t_s,q3_rad\n0,aααααααααααααααααααααα\n") ==
        refused("got 'aααααααααααααααααααα…'"));
}

TEST_CASE("Lines are counted behind a field that holds line ends") {
  CHECK(
      CsvMessage("a\n\"1\n2\"\nx\n") ==
      "a.csv: line 2, column 'a': got '1\n2'\n  a finite number with a decimal point is accepted\n"
      "a.csv: line 4, column 'a': got 'x'\n  a finite number with a decimal point is accepted");
}

TEST_CASE("An empty text and a header without rows are refused") {
  const std::string empty =
      "a.csv: is empty\n  a header row of column names and rows of numbers are accepted";
  CHECK(CsvMessage("") == empty);
  CHECK(CsvMessage("\n\r\n\n") == empty);
  CHECK(CsvMessage("t_s,q1_rad\n") == "a.csv: holds a header but no rows");
}

TEST_CASE("A header that does not name each column once is refused") {
  CHECK(CsvMessage("a,b,a\n1,2,3\n") ==
        "a.csv: line 1, column 'a': the name stands over columns 1 and 3");
  CHECK(CsvMessage("a,\n1,2\n") == "a.csv: line 1: column 2 has no name");
  CHECK(
      CsvMessage("0,1.5\n1,2\n") ==
      "a.csv: line 1: holds numbers instead of column names\n"
      "  a header row names the columns: t_s,q1_rad,…\n"
      "  without one, columns are called by number with \"header\": \"none\" in /recording/format");
}

TEST_CASE("A column name that is not UTF-8 is refused in a message that is") {
  CHECK(CsvMessage("t_s,q_\xB0\n0,1\n", {"q1_rad"}) ==
        "a.csv: line 1: column 2 has a name that is not UTF-8: 'q_\xEF\xBF\xBD'\n"
        "  save the file as UTF-8: iconv -f LATIN1 -t UTF-8 OLD.csv > NEW.csv\n"
        "a.csv: line 1: no column 'q1_rad'\n"
        "  the columns: t_s, q_\xEF\xBF\xBD");
  CHECK(CsvMessage("t_s\n5\xB0\n") ==
        "a.csv: line 2, column 't_s': got '5\xEF\xBF\xBD'\n"
        "  a finite number with a decimal point is accepted");
}

TEST_CASE("Missing columns are refused with the nearest names and the columns that are there") {
  CHECK(CsvMessage("t_s,q1_rad\n1,2\n", {"t_s", "q2_rad", "tau1_nm"}) ==
        "a.csv: line 1: no column 'q2_rad'\n  did you mean 'q1_rad'?\n  the columns: t_s, q1_rad\n"
        "a.csv: line 1: no column 'tau1_nm'");
  CHECK(CsvMessage("t_s;q1_rad\n1\n", {"t_s"}) ==
        "a.csv: line 1: no column 't_s'\n  the columns: t_s;q1_rad\n"
        "  columns are separated by commas, unless /recording/format says otherwise");
}

TEST_CASE("Where columns are required, others may hold anything") {
  const CsvTable table = ParseCsv("t_s,note,,q\n0,start,1,\n1,\"a\nb\",2,nan\n2,,x,3\n", "a.csv",
                                  std::vector<std::string>{"t_s"});
  CHECK(table.columns == std::vector<std::string>{"t_s", "note", "3", "q"});
  CHECK(table.lines == std::vector<std::int64_t>{2, 4, 5});
  CHECK(table.values.col(0) == Eigen::Vector3d(0, 1, 2));
  CHECK(table.values.col(1).array().isNaN().all());
  CHECK(table.values.col(2).head(2) == Eigen::Vector2d(1, 2));
  CHECK(std::isnan(table.values(2, 2)));
  CHECK(table.values.col(3).head(2).array().isNaN().all());
  CHECK(table.values(2, 3) == 3);
  CHECK(CsvMessage("t_s,q\n0,x\ny,1\n", {"t_s"}) ==
        "a.csv: line 3, column 't_s': got 'y'\n  a finite number with a decimal point is accepted");
  CHECK(CsvMessage("2,,x\n0,1,2\n", {"2"}) ==
        "a.csv: line 1, column '2': the name stands over columns 1 and 2");
}

std::string MessageOf(std::string_view text, const CsvReading& reading) {
  try {
    ParseCsv(text, "a.csv", reading);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST_CASE("A table in another dialect is the same table") {
  const CsvTable expected = ParseCsv("t_s,q 1\n0,-1.5\n0.25,2e-3\n", "a.csv");
  const auto check = [&expected](std::string_view text, const CsvDialect& dialect,
                                 const std::vector<std::int64_t>& lines) {
    CAPTURE(text);
    const CsvTable table = ParseCsv(text, "a.csv", CsvReading{dialect, {}, true});
    CHECK(table.columns == expected.columns);
    CHECK(table.values == expected.values);
    CHECK(table.lines == lines);
  };
  using enum CsvDelimiter;
  check("t_s;q 1\n0;-1,5\n0,25;2e-3\n", {kSemicolon, CsvDecimal::kComma}, {2, 3});
  check("t_s\tq 1\n0\t-1.5\n\n0.25\t2e-3", {kTab}, {2, 4});
  check("  t_s   \"q 1\"\n  0    -1,5\n  0,25  2e-3\n", {kBlank, CsvDecimal::kComma}, {2, 3});
  check("\"t_s\",\"q 1\"\n\"0\",\"-1,5\"\n\"0,25\",2e-3\n",
        {CsvDelimiter::kComma, CsvDecimal::kComma}, {2, 3});
  check("# made by hand\nt_s,q 1\n0,-1.5\n  # a break\n0.25,2e-3\n", {.comment = "#"}, {3, 5});
  check("% made by hand\n% t_s;q 1\n%\n0;-1.5\n0.25;2e-3\n% end",
        {kSemicolon, CsvDecimal::kPoint, CsvHeader::kCommented, "%"}, {4, 5});
}

TEST_CASE("Columns without a header are called by their number") {
  CsvReading reading{{.delimiter = CsvDelimiter::kBlank, .header = CsvHeader::kNone}, {"1", "3"}};
  const CsvTable table = ParseCsv("\n0 a 5\n1 b 6\n", "a.csv", reading);
  CHECK(table.columns == std::vector<std::string>{"1", "2", "3"});
  CHECK(table.lines == std::vector<std::int64_t>{2, 3});
  CHECK(table.values.col(2) == Eigen::Vector2d(5, 6));
  CHECK(MessageOf("x 1 2\n", reading) ==
        "a.csv: line 1, column '1': got 'x'\n  a finite number with a decimal point is accepted");
  CHECK(MessageOf("1 2\n1 2 3\n", reading) ==
        "a.csv: line 1: no column '3'\n  the columns: 1, 2\na.csv: line 2: got 3 of 2 values");
}

TEST_CASE("A commented header that is missing or does not fit is refused") {
  const CsvReading reading{{.delimiter = CsvDelimiter::kBlank,
                            .decimal = CsvDecimal::kComma,
                            .header = CsvHeader::kCommented,
                            .comment = "#"},
                           {"a"}};
  CHECK(MessageOf("#\n# \n1 2\n# a b\n", reading) ==
        "a.csv: line 3: no comment with the columns' names stands above the first row\n"
        "  \"header\": \"line\" and \"none\" are accepted too");
  CHECK(MessageOf("# a b\n\n1 2 3\n", reading) ==
        "a.csv: line 3: got 3 of 2 values\n  the columns' names stand in line 1");
  CHECK(MessageOf("# a \"b\n1 2\n", reading) ==
        "a.csv: line 1: quotation marks that do not pair\n  numbers and column names need none");
  CHECK(MessageOf("# b c\n1 2\n", reading) == "a.csv: line 1: no column 'a'\n  the columns: b, c");
  CHECK(MessageOf("# a\n1.5\n", reading) ==
        "a.csv: line 2, column 'a': got '1.5'\n  a finite number with a decimal comma is accepted");
  CHECK(MessageOf("# a\n", reading) ==
        "a.csv: is empty\n  a header row of column names and rows of numbers are accepted");
}

TEST_CASE("Rows of text are left out where that is asked for, unless there is nothing else") {
  CsvReading reading{.required = {"t", "q"}, .leaves_out_text = true};
  const std::string text = "t,q,n\ns,rad,\n0,1,2\n,,5\nnan,nan,1\nthe end\n";
  CHECK(ParseCsv(text, "a.csv", reading).lines == std::vector<std::int64_t>{3});
  CHECK(MessageOf("t,q\ns,rad\n0,1\n6,\n", reading) ==
        "a.csv: line 4, column 'q': is empty\n  a finite number with a decimal point is accepted");
  // Between rows of numbers text is damage, and would be a gap without a word.
  CHECK(MessageOf("t,q\ns,rad\n0,1\nx,\n2,3\nend,\n", reading) ==
        "a.csv: line 4, column 't': got 'x'\n  a finite number with a decimal point is accepted\n"
        "a.csv: line 4, column 'q': is empty\n  a finite number with a decimal point is accepted");
  CHECK(MessageOf("t,q\ns,rad\n", reading) ==
        "a.csv: line 2, column 't': got 's'\n  a finite number with a decimal point is accepted\n"
        "a.csv: line 2, column 'q': got 'rad'\n"
        "  a finite number with a decimal point is accepted");
  reading.required.clear();
  CHECK(ParseCsv(text, "a.csv", reading).lines == std::vector<std::int64_t>{3, 4, 5});
  using Fields = std::vector<std::string>;
  CHECK(ParseCsv(text, "a.csv", reading).below_names == Fields{"s", "rad", ""});
  CHECK(ParseCsv("t,q\n0,1\n,\n", "a.csv", reading).below_names == Fields{});
  const std::string names = "t,a,b,c\ns,,,\n0,elbow,x,y\n1,elbow,y,y\n2,elbow,x,7\nthe end\n";
  CHECK(ParseCsv(names, "a.csv", reading).texts ==
        std::vector<CsvText>{{1, "elbow"}, {2, "x", "y", 4}, {3, "y", "", 5}});
  CHECK(ParseCsv("t,q\nfrom a lab\ns,rad\n0,1\n", "a.csv", reading).below_names == Fields{});
  CHECK(MessageOf("t,q\ns,rad\n", reading) ==
        "a.csv: holds no row with a number in a wanted column");
}

TEST_CASE("Quotation marks that do not pair are refused") {
  CHECK(CsvMessage("a\n1\n\"2\n3\n") ==
        "a.csv: line 3: quotation marks that do not pair\n  numbers and column names need none");
  CHECK(CsvMessage("a\n1\"2\n3\n") ==
        "a.csv: line 2: quotation marks that do not pair\n  numbers and column names need none");
}

TEST_CASE("All errors of a file are reported at once, the first ten in full") {
  CHECK(CsvMessage("a,b\n1\n2,x\n", {"time_s"}) ==
        "a.csv: line 1: no column 'time_s'\n  the columns: a, b\n"
        "a.csv: line 2: got 1 of 2 values");
  CHECK(CsvMessage("a,b\n1\n2,x\n") ==
        "a.csv: line 2: got 1 of 2 values\n"
        "a.csv: line 3, column 'b': got 'x'\n  a finite number with a decimal point is accepted");
  std::string text = "a\n";
  for (int i = 0; i < 47; ++i) text += "x\n";
  CHECK(CsvMessage(text).ends_with("accepted\na.csv: … and 37 more"));
}

TEST_CASE("A file that is missing or a folder cannot be read") {
  CHECK_THROWS_WITH_AS(ReadCsv("no/such/recording.csv"),
                       "no/such/recording.csv: cannot be read\n  no such file: check the path",
                       ConfigError);
  const std::string folder = std::filesystem::temp_directory_path().string();
  CHECK_THROWS_WITH_AS(ReadCsv(folder),
                       (folder + ": cannot be read\n  is it a file that you may read?").c_str(),
                       ConfigError);
}

}  // namespace
}  // namespace idbench
