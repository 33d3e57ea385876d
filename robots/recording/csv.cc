#include "robots/recording/csv.h"

#include <csv.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "robots/recording/csv_fields.h"
#include "robots/recording/issue_list.h"
#include "scenarios/options/utf8.h"

namespace idbench {
namespace {

/// `text` as it can stand in a message: UTF-8, at most 40 bytes, cut between two characters.
std::string Quoted(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  if (text.size() <= kLongest) return fmt::format("'{}'", ReplaceIllFormed(text));
  std::size_t length = kLongest;
  while (length > 0 && (text[length] & 0xC0) == 0x80) --length;  // a UTF-8 continuation byte
  return fmt::format("'{}…'", ReplaceIllFormed(text.substr(0, length)));
}

/// Takes the fields of a header.
class NameCollector : public CsvHandler {
 public:
  void OnField(std::string_view text) override { names.emplace_back(text); }
  void OnLineEnd(int) override {}
  void OnComment(std::string_view) override {}

  std::vector<std::string> names;
};

/// Makes the table of what SplitCsv() finds.
class TableBuilder : public CsvHandler {
 public:
  explicit TableBuilder(const CsvReading& reading) : reading_(reading) {}

  void OnField(std::string_view text) override {
    if (!complete_) return;
    ++fields_;
    if (line_of_header_ == 0 && !BeginsRow(text)) return;
    if (!saw_row_) first_row_.push_back(ReplaceIllFormed(text));
    double value = 0.0;
    const CsvContent content = ReadCsvNumber(text, reading_.dialect.decimal, value);
    const bool wanted = IsWanted(fields_ - 1);
    if (content == CsvContent::kNumber) {
      if (wanted || reading_.required.empty()) has_number_ = true;
    } else {
      value = std::numeric_limits<double>::quiet_NaN();
      if (lines_.empty() || !texts_.empty()) {
        row_texts_.emplace_back(fields_ - 1, ReplaceIllFormed(text));
      }
      if (wanted) refused_.push_back({line_, fields_, std::string(text), content});
      line_ += std::ranges::count(text, '\n');
    }
    values_.push_back(value);
  }

  void OnLineEnd(int end) override {
    if (fields_ > 0 && complete_) EndRow(end);
    ++line_;
  }

  void OnComment(std::string_view text) override {
    const bool is_blank = text.find_first_not_of(" \t") == std::string_view::npos;
    if (line_of_header_ == 0 && !is_blank) {
      comment_ = text;
      line_of_comment_ = line_;
    }
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
    if (lines_.empty()) {
      left_out_.ThrowIfAny(source);
      throw ConfigError(source, "", "holds no row with a number in a wanted column");
    }
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const auto rows = static_cast<Eigen::Index>(lines_.size());
    const auto columns = static_cast<Eigen::Index>(columns_.size());
    return {source,
            std::move(columns_),
            Eigen::Map<const RowMajor>(values_.data(), rows, columns),
            std::move(lines_),
            std::move(below_names_),
            std::move(texts_)};
  }

 private:
  /// A field that cannot be read as the number that it has to be.
  struct RefusedField {
    std::int64_t line;
    std::size_t number;  ///< Of the field in its row, from 1.
    std::string text;
    CsvContent content;
  };

  /// Whether the field, of the first row that is no comment, is one of a row of numbers.
  bool BeginsRow(std::string_view text) {
    switch (reading_.dialect.header) {
      case CsvHeader::kNone:
        AddColumn(fmt::format("{}", fields_));
        return true;
      case CsvHeader::kCommented:
        return TakeComment();
      case CsvHeader::kLine:
        break;
    }
    AddColumn(text);
    // A quoted name may hold line ends, which libcsv does not report.
    line_ += std::ranges::count(text, '\n');
    return false;
  }

  /// Takes the last comment for the header.
  bool TakeComment() {
    if (line_of_comment_ == 0) {
      complete_ = false;
      issues_.Add([&] {
        return Issue{fmt::format("line {}", line_),
                     "no comment with the columns' names stands above the first row",
                     {"\"header\": \"line\" and \"none\" are accepted too"}};
      });
      return false;
    }
    CsvDialect dialect = reading_.dialect;
    dialect.comment.clear();
    NameCollector collector;
    std::swap(line_, line_of_comment_);
    if (!SplitCsv(comment_, dialect, collector)) RefuseQuotes();
    for (const std::string& name : collector.names) AddColumn(name);
    EndHeader();
    std::swap(line_, line_of_comment_);
    return complete_;
  }

  void AddColumn(std::string_view name) {
    columns_.push_back(ReplaceIllFormed(name));
    if (columns_.back() != name) RefuseName();
    if (name.empty() && !reading_.all_required) columns_.back() = fmt::to_string(columns_.size());
    wanted_.push_back(reading_.all_required ||
                      std::ranges::find(reading_.required, name) != reading_.required.end());
  }

  bool IsWanted(std::size_t column) const {
    return column < wanted_.size() ? wanted_[column] : reading_.all_required;
  }

  void EndHeader() {
    line_of_header_ = line_;
    CheckNames();
    CheckRequired();
  }

  void EndRow(int end) {
    if (line_of_header_ == 0) {
      EndHeader();
      if (reading_.dialect.header == CsvHeader::kLine) {
        fields_ = 0;
        return;
      }
    }
    const bool left_out = reading_.leaves_out_text && !has_number_;
    if (left_out && !saw_row_ && fields_ == columns_.size()) below_names_ = std::move(first_row_);
    saw_row_ = true;
    for (const RefusedField& field : refused_) RefuseField(field, left_out ? left_out_ : issues_);
    if (left_out) {
      if (!lines_.empty()) std::ranges::move(refused_, std::back_inserter(since_last_row_));
    } else {
      // Between rows of numbers it is damage.
      for (const RefusedField& field : since_last_row_) RefuseField(field, issues_);
      since_last_row_.clear();
      if (fields_ != columns_.size()) RefuseRow(end);
      TakeTexts();
      lines_.push_back(line_);
    }
    values_.resize(lines_.size() * columns_.size());
    refused_.clear();
    row_texts_.clear();
    has_number_ = false;
    fields_ = 0;
  }

  /// Compares the texts of a row of numbers with those of the first one.
  void TakeTexts() {
    if (lines_.empty()) {
      for (auto& [column, text] : row_texts_) texts_.push_back({column, std::move(text)});
      return;
    }
    for (CsvText& each : texts_) {
      if (each.other_line != 0) continue;
      const auto now =
          std::ranges::find(row_texts_, each.column, &std::pair<std::size_t, std::string>::first);
      const std::string text = now == row_texts_.end() ? "" : now->second;
      if (text == each.text) continue;
      each.other = text;
      each.other_line = line_;
    }
  }

  void RefuseRow(int end) {
    issues_.Add([&] {
      Issue issue{fmt::format("line {}", line_),
                  fmt::format("got {} of {} values", fields_, columns_.size()),
                  {}};
      if (reading_.dialect.header == CsvHeader::kCommented) {
        issue.details = {fmt::format("the columns' names stand in line {}", line_of_header_)};
      } else if (fields_ > columns_.size() && reading_.dialect.delimiter == CsvDelimiter::kComma) {
        issue.details = {
            "decimal commas? numbers have a point, unless /recording/format says otherwise"};
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

  void RefuseField(const RefusedField& field, IssueList& issues) const {
    issues.Add([&] {
      const std::string column = field.number <= columns_.size()
                                     ? fmt::format(", column '{}'", columns_[field.number - 1])
                                     : "";
      Issue issue{
          fmt::format("line {}{}", field.line, column),
          field.text.empty() ? std::string("is empty") : fmt::format("got {}", Quoted(field.text)),
          {fmt::format("a finite number with a decimal {} is accepted",
                       ToString(reading_.dialect.decimal))}};
      if (field.content == CsvContent::kNotFinite) issue.what += ", which is not finite";
      if (field.content == CsvContent::kOutOfRange) issue.what += ", which a double cannot hold";
      return issue;
    });
  }

  void CheckNames() {
    const std::string where = fmt::format("line {}", line_of_header_);
    double number = 0.0;
    const auto is_number = [&](const std::string& name) {
      return ReadCsvNumber(name, reading_.dialect.decimal, number) == CsvContent::kNumber;
    };
    if (reading_.dialect.header == CsvHeader::kLine && std::ranges::all_of(columns_, is_number)) {
      issues_.Add([&] {
        return Issue{where,
                     "holds numbers instead of column names",
                     {"a header row names the columns: t_s,q1_rad,…",
                      "without one, columns are called by number with \"header\": \"none\" in "
                      "/recording/format"}};
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
    for (const std::string& name : reading_.required) {
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
        if (reading_.dialect.delimiter == CsvDelimiter::kComma && columns_.size() == 1 &&
            columns_[0].find_first_of(";\t") != std::string::npos) {
          issue.details.emplace_back(
              "columns are separated by commas, unless /recording/format says otherwise");
        }
        listed = true;
        return issue;
      });
    }
  }

  const CsvReading& reading_;
  std::string comment_;  // the last one above the header or the first row
  std::int64_t line_of_comment_ = 0;
  std::vector<std::string> columns_;
  std::vector<std::string> first_row_, below_names_;
  std::vector<std::pair<std::size_t, std::string>> row_texts_;  // of the present row, by column
  std::vector<CsvText> texts_;
  std::vector<bool> wanted_;    // whether a column is required
  std::vector<double> values_;  // row by row
  std::vector<std::int64_t> lines_;
  IssueList issues_;
  IssueList left_out_;  // what is wrong with rows that are left out
  std::int64_t line_ = 1;
  std::int64_t line_of_header_ = 0;
  std::size_t fields_ = 0;                    // of the present row
  std::vector<RefusedField> refused_;         // of the present row
  std::vector<RefusedField> since_last_row_;  // of rows that were left out since then
  bool has_number_ = false;                   // the present row, where one is wanted
  bool saw_row_ = false;
  bool complete_ = true;
};

/// A column name as a field: quoted where it has to be.
std::string CsvField(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string quoted(2 * name.size() + 2, '\0');
  quoted.resize(csv_write(quoted.data(), quoted.size(), name.data(), name.size()));
  return quoted;
}

CsvReading CommaSeparated(const std::vector<std::string>& required) {
  CsvReading reading;
  reading.required = required;
  reading.all_required = required.empty();
  return reading;
}

std::string TextOf(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::error_code no_status;
  if (!stream || std::filesystem::is_directory(file, no_status)) {
    throw ConfigError(file.string(), "", "cannot be read",
                      {std::filesystem::exists(file, no_status) ? "is it a file that you may read?"
                                                                : "no such file: check the path"});
  }
  std::ostringstream text;
  text << stream.rdbuf();
  return std::move(text).str();
}

}  // namespace

Eigen::Index CsvTable::Find(std::string_view name) const {
  const auto found = std::ranges::find(columns, name);
  return found == columns.end() ? -1 : found - columns.begin();
}

CsvTable ParseCsv(std::string_view text, const std::string& source, const CsvReading& reading) {
  TableBuilder builder(reading);
  if (!SplitCsv(text, reading.dialect, builder)) builder.RefuseQuotes();
  return std::move(builder).Finish(source);
}

CsvTable ParseCsv(std::string_view text, const std::string& source,
                  const std::vector<std::string>& required) {
  return ParseCsv(text, source, CommaSeparated(required));
}

CsvTable ReadCsv(const std::filesystem::path& file, const CsvReading& reading) {
  return ParseCsv(TextOf(file), file.string(), reading);
}

CsvTable ReadCsv(const std::filesystem::path& file, const std::vector<std::string>& required) {
  return ReadCsv(file, CommaSeparated(required));
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
