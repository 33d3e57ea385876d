#include "hw/files/csv_log.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <variant>

#include "robots/temporary_folder_test.h"
#include "scenarios/options/config_error.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

TEST_CASE("A text file is one table, whose rows are lines") {
  const TemporaryFolder folder;
  const std::string file = folder.Write("a.txt",
                                        "% lab 3\n"
                                        "time;state;q\n"
                                        "s;;rad\n"
                                        "0,5;idle;\n"
                                        "1,5;go;2,25\n");
  const CsvFormat format{
      {.delimiter = CsvDelimiter::kSemicolon, .decimal = CsvDecimal::kComma, .comment = "%"}};
  const Log log = ReadLog(file, format, {});
  CHECK(log.source == file);
  REQUIRE(log.tables.size() == 1);
  const LogTable& table = log.tables.front();
  CHECK(table.name.empty());
  CHECK(table.columns == std::vector<std::string>{"time", "state", "q"});
  CHECK(table.values.col(0) == Eigen::Vector2d(0.5, 1.5));
  CHECK(table.values.col(1).array().isNaN().all());
  CHECK(std::isnan(table.values(0, 2)));
  CHECK(table.values(1, 2) == 2.25);
  CHECK(table.stamps_ns.empty());
  CHECK(table.row == "line");
  CHECK(table.places == std::vector<std::int64_t>{4, 5});
}

TEST_CASE("Each row with a wanted number has to hold all of them") {
  const TemporaryFolder folder;
  const std::string file = folder.Write("a.csv", "t,q,f\ns,rad,N\n0,1,\n1,,5\n,,6\n");
  CHECK(ReadLog(file, CsvFormat{}, {"t"}).tables.front().places == std::vector<std::int64_t>{3, 4});
  CHECK(ReadLog(file, CsvFormat{}, {}).tables.front().places == std::vector<std::int64_t>{3, 4, 5});
  CHECK_THROWS_WITH_AS(ReadLog(file, CsvFormat{}, {"t", "q"}),
                       (file + ": line 4, column 'q': is empty\n"
                               "  a finite number with a decimal point is accepted")
                           .c_str(),
                       ConfigError);
  CHECK_THROWS_WITH_AS(
      ReadLog(file, CsvFormat{}, {"q2"}),
      (file + ": line 1: no column 'q2'\n  did you mean 'q'?\n  the columns: t, q, f").c_str(),
      ConfigError);
}

TEST_CASE("The options of the dialect are those of the format") {
  std::variant<CsvFormat> format;
  std::vector<Issue> issues;
  Binding<std::variant<CsvFormat>>::Read(
      Json::parse(R"({"type": "csv", "delimiter": "tab", "header": "none"})"), "", {}, format,
      issues);
  CHECK(issues.empty());
  CHECK(std::get<CsvFormat>(format).dialect ==
        CsvDialect{.delimiter = CsvDelimiter::kTab, .header = CsvHeader::kNone});
}

}  // namespace
}  // namespace idbench
