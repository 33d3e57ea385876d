#include "hw/log_format.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "robots/temporary_folder_test.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

TEST_CASE("The format of a log is guessed by its content, not by its name") {
  const TemporaryFolder folder;
  const auto is_bag = [&folder](const std::string& content) {
    return std::holds_alternative<Rosbag2Format>(GuessFormat(folder.Write("log.csv", content)));
  };
  CHECK(is_bag(std::string("SQLite format 3\0…", 17)));
  CHECK(is_bag("\x89MCAP0\r\n"));
  CHECK(is_bag("\x28\xB5\x2F\xFD"));
  CHECK_FALSE(is_bag("t_s,q1_rad\n"));
  CHECK_FALSE(is_bag(""));
  CHECK(std::holds_alternative<Rosbag2Format>(GuessFormat(folder.path())));
  const auto is_numpy = [&folder](const std::string& content) {
    return std::holds_alternative<NumpyFormat>(GuessFormat(folder.Write("log.csv", content)));
  };
  CHECK(is_numpy(std::string("\x93NUMPY\x01\0", 8)));
  CHECK(is_numpy("PK\x03\x04"));
  CHECK(is_numpy("PK\x05\x06"));
  CHECK_FALSE(is_numpy("PK,q1_rad\n0,1\n"));
  CHECK_THROWS_WITH_AS(GuessFormat("/none/log.csv"),
                       "/none/log.csv: cannot be read\n  is it a file that you may read?",
                       ConfigError);
}

TEST_CASE("The dialect of a text is guessed, and its table read with it") {
  const TemporaryFolder folder;
  const std::string file = folder.Write("log.npz", "% lab 3\nt;q\ns;rad\n0;1,5\n0,5;2\n");
  const RecordingFormat format = GuessFormat(file);
  REQUIRE(std::holds_alternative<CsvFormat>(format));
  CHECK(std::get<CsvFormat>(format).dialect == CsvDialect{.delimiter = CsvDelimiter::kSemicolon,
                                                          .decimal = CsvDecimal::kComma,
                                                          .comment = "%"});
  CHECK(ReadWholeLog(file, format).tables.at(0).values == Eigen::Matrix2d{{0.0, 1.5}, {0.5, 2.0}});
  const std::string bad = folder.Write("bad.csv", "t;q\n0.5;1,5\n");
  CHECK_THROWS_WITH_AS(GuessFormat(bad), doctest::Contains("bad.csv: line 2: got '0.5;1,5'"),
                       ConfigError);
}

TEST_CASE("Texts that seem to be in several dialects are read in the one that reads them all") {
  const TemporaryFolder folder;
  const std::string whole = folder.Write("whole.csv", "t;q\n0;1\n1;2\n");
  const std::string commas = folder.Write("commas.csv", "t;tau\n0;1,5\n1;2\n");
  const std::string noted = folder.Write("noted.csv", "# lab 3\nt;f\n0;1\n1;3\n");
  const auto common = [](const std::vector<std::filesystem::path>& files) {
    return std::get<CsvFormat>(GuessCommonFormat(files)).dialect;
  };
  // No file has both, decimal commas and comments.
  const CsvDialect both{
      .delimiter = CsvDelimiter::kSemicolon, .decimal = CsvDecimal::kComma, .comment = "#"};
  CHECK(common({whole, commas, noted}) == both);
  CHECK(common({noted, commas, whole}) == both);
  CHECK(common({whole}).decimal == CsvDecimal::kPoint);

  const std::string points = folder.Write("points.csv", "t;tau\n0;1.5\n1;2\n");
  const auto json = [](const char* decimal) {
    return std::string(R"({"type":"csv","delimiter":"semicolon","decimal":")") + decimal +
           R"(","header":"line","comment":""})";
  };
  const std::string refusal =
      commas + ": is in another format than " + whole + "\n  " + json("comma") + " and " +
      json("point") +
      "\n  logs of one call have the same format, or dialects of text one of which reads them all";
  CHECK_THROWS_WITH_AS(GuessCommonFormat({whole, points, commas}), refusal.c_str(), ConfigError);
  const std::string bag = folder.Write("log.db3", std::string("SQLite format 3\0", 16));
  CHECK_THROWS_WITH_AS(GuessCommonFormat({whole, bag}),
                       doctest::Contains("log.db3: is in another format than "), ConfigError);
}

TEST_CASE("An archive of NumPy's arrays is a log, and another one is refused as such") {
  const std::string file = IDBENCH_FILES_TESTDATA "/log_deflated.npz";
  CHECK(ReadWholeLog(file, GuessFormat(file)).columns().front() == "t");
  const TemporaryFolder folder;
  const std::string empty =
      folder.Write("log.xlsx", std::string("PK\x05\x06", 4) + std::string(18, '\0'));
  CHECK_THROWS_WITH_AS(ReadWholeLog(empty, GuessFormat(empty)),
                       doctest::Contains("log.xlsx: is an archive of zip without arrays of NumPy\n"
                                         "  it holds: nothing\n"),
                       ConfigError);
}

}  // namespace
}  // namespace idbench
