#include "robots/recording/csv_dialect.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

/// Reads options and returns what was refused, one line each.
std::string Refused(const std::string& json, CsvDialect& dialect) {
  std::vector<Issue> issues;
  ReadFields(Visit(dialect), Json::parse(json), "", issues);
  std::string text;
  for (const Issue& issue : issues) {
    text += issue.where + ": " + issue.what;
    for (const std::string& detail : issue.details) text += " | " + detail;
    text += "\n";
  }
  return text;
}

TEST_CASE("A dialect is written as options and read back") {
  const CsvDialect written{CsvDelimiter::kBlank, CsvDecimal::kComma, CsvHeader::kCommented, "%"};
  CsvDialect dialect;
  CHECK(OptionsText(dialect).empty());
  CHECK(Refused("{" + OptionsText(written) + "}", dialect).empty());
  CHECK(dialect == written);
  CHECK(OptionsText(written) ==
        R"("delimiter": "blank", "decimal": "comma", "header": "commented", "comment": "%")");
  CHECK(OptionsText({.comment = "\xB5"}) == "\"comment\": \"\xEF\xBF\xBD\"");
}

TEST_CASE("A commented header without a sign of comments is refused") {
  CsvDialect dialect;
  CHECK(Refused(R"({"header": "commented"})", dialect) ==
        "/header: a commented header needs the sign of comments | \"comment\": \"#\" (np.savetxt) "
        "or \"%\" (MATLAB)\n");
}

TEST_CASE("A sign of comments that no line can begin with is refused") {
  for (const char* comment : {" #", "\\t", "a\\nb", "\\\""}) {
    CsvDialect dialect;
    CHECK(Refused(std::string("{\"comment\": \"") + comment + "\"}", dialect) ==
          std::string("/comment: got \"") + comment +
              "\" | a text without quotation marks, tabs and line ends that does not begin with a "
              "blank is accepted\n");
  }
}

}  // namespace
}  // namespace idbench
