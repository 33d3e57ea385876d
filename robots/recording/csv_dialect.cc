#include "robots/recording/csv_dialect.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "scenarios/options/json.h"
#include "scenarios/options/utf8.h"

namespace idbench {

FieldTable Visit(CsvDialect& dialect) {
  FieldTable table;
  table
      .Add("delimiter", dialect.delimiter,
           {.doc = "Separator of the fields of a line; \"blank\" is any run of blanks and tabs"})
      .Add("decimal", dialect.decimal,
           {.doc = "Decimal sign of numbers; beside the delimiter comma, numbers with decimal "
                   "commas stand in quotation marks"})
      .Add("header", dialect.header,
           {.doc = "Place of the columns' names: in the first \"line\" that is no comment; "
                   "\"commented\", behind the sign of the last comment above the first row; "
                   "\"none\", columns are called \"1\", \"2\", …"})
      .Add("comment", dialect.comment,
           {.doc = "Beginning of lines that are no rows, after any blanks; \"\": none"})
      .Check([&dialect](std::vector<Issue>& issues) {
        if (dialect.header == CsvHeader::kCommented && dialect.comment.empty()) {
          issues.push_back({"/header",
                            "a commented header needs the sign of comments",
                            {"\"comment\": \"#\" (np.savetxt) or \"%\" (MATLAB)"}});
        }
        if (dialect.comment.starts_with(' ') ||
            dialect.comment.find_first_of("\"\t\r\n") != std::string::npos) {
          issues.push_back({"/comment",
                            fmt::format("got {}", JsonText(Json(dialect.comment))),
                            {"a text without quotation marks, tabs and line ends that does not "
                             "begin with a blank is accepted"}});
        }
      });
  return table;
}

std::string OptionsText(const CsvDialect& dialect) {
  const CsvDialect usual;
  std::vector<std::string> options;
  const auto add = [&options](std::string_view name, std::string_view value) {
    options.push_back(fmt::format("\"{}\": {}", name, JsonText(Json(value))));
  };
  if (dialect.delimiter != usual.delimiter) add("delimiter", ToString(dialect.delimiter));
  if (dialect.decimal != usual.decimal) add("decimal", ToString(dialect.decimal));
  if (dialect.header != usual.header) add("header", ToString(dialect.header));
  if (dialect.comment != usual.comment) add("comment", dialect.comment);
  return fmt::format("{}", fmt::join(options, ", "));
}

}  // namespace idbench
