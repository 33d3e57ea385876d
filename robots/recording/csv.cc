#include "robots/recording/csv.h"

#include <csv.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <new>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "robots/recording/issue_list.h"
#include "scenarios/options/utf8.h"

namespace idbench {
namespace {

enum class Reading { kNumber, kNotFinite, kOutOfRange, kText };

Reading ParseNumber(std::string_view text, double& value) {
  if (text.starts_with('+')) text.remove_prefix(1);  // from_chars() refuses it
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::invalid_argument || stop != end) return Reading::kText;
  if (error == std::errc::result_out_of_range) return Reading::kOutOfRange;
  return std::isfinite(value) ? Reading::kNumber : Reading::kNotFinite;
}

/// `text` as it can stand in a message: UTF-8, at most 40 bytes, cut between two characters.
std::string Quoted(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  if (text.size() <= kLongest) return fmt::format("'{}'", ReplaceIllFormed(text));
  std::size_t length = kLongest;
  while (length > 0 && (text[length] & 0xC0) == 0x80) --length;  // a UTF-8 continuation byte
  return fmt::format("'{}…'", ReplaceIllFormed(text.substr(0, length)));
}

/// Takes the fields and line ends that libcsv finds, in the order of the text.
class TableBuilder {
 public:
  explicit TableBuilder(const std::vector<std::string>& required) : required_(required) {}

  void Field(std::string_view text) {
    ++fields_;
    previous_end_ = 0;
    if (line_of_header_ == 0) {
      // A quoted name may hold line ends, which libcsv does not report.
      line_ += std::ranges::count(text, '\n');
      columns_.push_back(ReplaceIllFormed(text));
      if (columns_.back() != text) RefuseName();
      return;
    }
    double value = 0.0;
    const Reading reading = ParseNumber(text, value);
    if (reading != Reading::kNumber) RefuseField(text, reading);
    values_.push_back(value);
  }

  /// `end` is the character that ended a row or a blank line, −1 for the end of the text.
  void EndLine(int end) {
    const bool second_half_of_crlf = fields_ == 0 && end == '\n' && previous_end_ == '\r';
    previous_end_ = end;
    if (second_half_of_crlf) return;
    if (fields_ > 0) EndRow(end);
    ++line_;
  }

  /// The text could not be read further.
  void RefuseQuotes() {
    complete_ = false;
    issues_.Add([&] {
      return Issue{fmt::format("line {}", line_),
                   "quotation marks that do not pair",
                   {"numbers and column names need none"}};
    });
  }

  CsvTable Finish(const std::string& source) && {
    if (complete_ && line_of_header_ == 0) {
      issues_.Add([] {
        return Issue{
            "", "is empty", {"a header row of column names and rows of numbers are accepted"}};
      });
    } else if (complete_ && !saw_row_) {
      issues_.Add([] { return Issue{"", "holds a header but no rows", {}}; });
    }
    issues_.ThrowIfAny(source);
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const auto rows = static_cast<Eigen::Index>(lines_.size());
    const auto columns = static_cast<Eigen::Index>(columns_.size());
    return {source, std::move(columns_), Eigen::Map<const RowMajor>(values_.data(), rows, columns),
            std::move(lines_)};
  }

 private:
  void EndRow(int end) {
    if (line_of_header_ == 0) {
      line_of_header_ = line_;
      CheckHeader();
      CheckRequired();
    } else {
      saw_row_ = true;
      if (fields_ != columns_.size()) RefuseRow(end);
      values_.resize((lines_.size() + 1) * columns_.size());
      lines_.push_back(line_);
    }
    fields_ = 0;
  }

  void RefuseRow(int end) {
    issues_.Add([&] {
      Issue issue{fmt::format("line {}", line_),
                  fmt::format("got {} of {} values", fields_, columns_.size()),
                  {}};
      if (fields_ > columns_.size()) {
        issue.details = {"decimal commas? numbers are written with a point"};
      } else if (end == -1) {
        issue.details = {"the text ends here: was the recording cut off?"};
      }
      return issue;
    });
  }

  /// The last column's name is not UTF-8, which messages and reports of it have to be.
  void RefuseName() {
    issues_.Add([&] {
      return Issue{fmt::format("line {}", line_),
                   fmt::format("column {} has a name that is not UTF-8: {}", columns_.size(),
                               Quoted(columns_.back())),
                   {"save the file as UTF-8: iconv -f LATIN1 -t UTF-8 OLD.csv > NEW.csv"}};
    });
  }

  void RefuseField(std::string_view text, Reading reading) {
    issues_.Add([&] {
      const std::string column =
          fields_ <= columns_.size() ? fmt::format(", column '{}'", columns_[fields_ - 1]) : "";
      Issue issue{fmt::format("line {}{}", line_, column),
                  text.empty() ? std::string("is empty") : fmt::format("got {}", Quoted(text)),
                  {"a finite number with a decimal point is accepted"}};
      if (reading == Reading::kNotFinite) issue.what += ", which is not finite";
      if (reading == Reading::kOutOfRange) issue.what += ", which a double cannot hold";
      return issue;
    });
    line_ += std::ranges::count(text, '\n');
  }

  void CheckHeader() {
    const std::string where = fmt::format("line {}", line_of_header_);
    double number = 0.0;
    const auto is_number = [&](const std::string& name) {
      return ParseNumber(name, number) == Reading::kNumber;
    };
    if (std::ranges::all_of(columns_, is_number)) {
      issues_.Add([&] {
        return Issue{where,
                     "holds numbers instead of column names",
                     {"a header row names the columns: t_s,q1_rad,…"}};
      });
      return;
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const auto first = std::ranges::find(columns_, columns_[i]) - columns_.begin();
      if (columns_[i].empty()) {
        issues_.Add([&] { return Issue{where, fmt::format("column {} has no name", i + 1), {}}; });
      } else if (static_cast<std::size_t>(first) != i) {
        issues_.Add([&] {
          return Issue{fmt::format("{}, column '{}'", where, columns_[i]),
                       fmt::format("the name stands over columns {} and {}", first + 1, i + 1),
                       {}};
        });
      }
    }
  }

  void CheckRequired() {
    bool listed = false;
    for (const std::string& name : required_) {
      if (std::ranges::find(columns_, name) != columns_.end()) continue;
      issues_.Add([&] {
        Issue issue{
            fmt::format("line {}", line_of_header_), fmt::format("no column '{}'", name), {}};
        if (const std::string near = NearestName(name, columns_); !near.empty()) {
          issue.details.push_back(fmt::format("did you mean '{}'?", near));
        }
        if (!listed) {
          issue.details.push_back(fmt::format("the columns: {}", fmt::join(columns_, ", ")));
        }
        if (columns_.size() == 1 && columns_[0].find_first_of(";\t") != std::string::npos) {
          issue.details.emplace_back("columns are separated by commas");
        }
        listed = true;
        return issue;
      });
    }
  }

  const std::vector<std::string>& required_;
  std::vector<std::string> columns_;
  std::vector<double> values_;  // row by row
  std::vector<std::int64_t> lines_;
  IssueList issues_;
  std::int64_t line_ = 1;
  std::int64_t line_of_header_ = 0;
  std::size_t fields_ = 0;  // of the present row
  int previous_end_ = 0;
  bool saw_row_ = false;
  bool complete_ = true;
};

/// libcsv's parser, freed at the end of the scope.
class Parser {
 public:
  Parser() {
    // Blank lines are reported too, so that lines can be counted.
    if (csv_init(&parser_, CSV_REPALL_NL | CSV_STRICT | CSV_STRICT_FINI) != 0) {
      throw std::bad_alloc();
    }
  }
  ~Parser() { csv_free(&parser_); }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  void Parse(std::string_view text, TableBuilder& builder) {
    const std::size_t done =
        csv_parse(&parser_, text.data(), text.size(), &OnField, &OnEndLine, &builder);
    if (done != text.size() || csv_fini(&parser_, &OnField, &OnEndLine, &builder) != 0) {
      if (csv_error(&parser_) != CSV_EPARSE) throw std::bad_alloc();
      builder.RefuseQuotes();
    }
  }

 private:
  static void OnField(void* text, std::size_t size, void* builder) {
    static_cast<TableBuilder*>(builder)->Field({static_cast<const char*>(text), size});
  }
  static void OnEndLine(int end, void* builder) {
    static_cast<TableBuilder*>(builder)->EndLine(end);
  }

  csv_parser parser_{};
};

/// A column name as a field: quoted where it has to be.
std::string CsvField(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string quoted(2 * name.size() + 2, '\0');
  quoted.resize(csv_write(quoted.data(), quoted.size(), name.data(), name.size()));
  return quoted;
}

}  // namespace

Eigen::Index CsvTable::Find(std::string_view name) const {
  const auto found = std::ranges::find(columns, name);
  return found == columns.end() ? -1 : found - columns.begin();
}

CsvTable ParseCsv(std::string_view text, const std::string& source,
                  const std::vector<std::string>& required) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  TableBuilder builder(required);
  Parser().Parse(text, builder);
  return std::move(builder).Finish(source);
}

CsvTable ReadCsv(const std::filesystem::path& file, const std::vector<std::string>& required) {
  std::ifstream stream(file, std::ios::binary);
  std::error_code no_status;
  if (!stream || std::filesystem::is_directory(file, no_status)) {
    throw ConfigError(file.string(), "", "cannot be read",
                      {std::filesystem::exists(file, no_status) ? "is it a file that you may read?"
                                                                : "no such file: check the path"});
  }
  std::ostringstream text;
  text << stream.rdbuf();
  return ParseCsv(text.view(), file.string(), required);
}

void WriteCsv(std::ostream& stream, const std::vector<std::string>& columns,
              const Eigen::Ref<const Eigen::MatrixXd>& values) {
  if (static_cast<Eigen::Index>(columns.size()) != values.cols()) {
    throw std::invalid_argument(
        fmt::format("WriteCsv: {} names for {} columns", columns.size(), values.cols()));
  }
  if (!values.allFinite()) {
    throw std::invalid_argument("WriteCsv: a value is not finite, it could not be read back");
  }
  fmt::memory_buffer text;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    fmt::format_to(std::back_inserter(text), "{}{}", j == 0 ? "" : ",", CsvField(columns[j]));
  }
  for (Eigen::Index i = 0; i < values.rows(); ++i) {
    for (Eigen::Index j = 0; j < values.cols(); ++j) {
      fmt::format_to(std::back_inserter(text), "{}{}", j == 0 ? '\n' : ',', values(i, j));
    }
  }
  text.push_back('\n');
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
}

}  // namespace idbench
