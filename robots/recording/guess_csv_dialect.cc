#include "robots/recording/guess_csv_dialect.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "robots/recording/csv_fields.h"
#include "scenarios/options/config_error.h"
#include "scenarios/options/utf8.h"

namespace idbench {
namespace {

/// The line with which spreadsheets are told the delimiter; it says nothing that the rows do not.
constexpr std::string_view kSpreadsheetLine = "sep=";
constexpr auto kCommentSigns = std::to_array<std::string_view>({"#", "%", "//", kSpreadsheetLine});
constexpr std::string_view kSeparators = ",; \t";
constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kSayIt =
    "a scenario says in /recording/format how its files are written";

/// What a field may be, before it is known which columns hold numbers.
enum class Guessed {
  kEmpty,
  kNumber,
  kPiece,  ///< Of a row of numbers that is divided at the wrong signs, or with another decimal
           ///< sign.
  kText,
};

Guessed KindOfField(std::string_view text, CsvDecimal decimal) {
  if (text.empty()) return Guessed::kEmpty;
  // A comma at an end is a delimiter.
  const bool closed = !text.starts_with(',') && !text.ends_with(',');
  double value = 0.0;
  if (closed && ReadCsvNumber(text, decimal, value) != CsvContent::kText) return Guessed::kNumber;
  if (ReadCsvNumber(text, CsvDecimal::kPoint, value) != CsvContent::kText) return Guessed::kPiece;
  const bool of_numbers = text.find_first_of(kDigits) != std::string_view::npos &&
                          text.find_first_not_of("0123456789+-.eE,; \t") == std::string_view::npos;
  const bool divides = text.find_first_of(kSeparators) != std::string_view::npos;
  return of_numbers && divides ? Guessed::kPiece : Guessed::kText;
}

/// A row that is neither blank nor a comment.
struct SampleRow {
  std::int64_t line = 0;
  std::vector<Guessed> fields;

  bool Has(Guessed kind) const { return std::ranges::find(fields, kind) != fields.end(); }
};

/// Takes the rows of a text, and the last comment above them.
class SampleCollector : public CsvHandler {
 public:
  explicit SampleCollector(CsvDecimal decimal) : decimal_(decimal) {}

  void OnField(std::string_view text) override {
    row_.fields.push_back(KindOfField(text, decimal_));
    line_ += std::ranges::count(text, '\n');
    if (row_.fields.back() == Guessed::kNumber) {
      has_decimals = has_decimals || text.find_first_of(".,") != std::string_view::npos;
    }
  }
  void OnLineEnd(int) override {
    row_.line = line_++;
    if (!row_.fields.empty()) rows.push_back(std::move(row_));
    row_ = {};
  }
  void OnComment(std::string_view text) override {
    ++line_;
    if (rows.empty() && text.find_first_not_of(" \t") != std::string_view::npos) comment = text;
  }

  std::vector<SampleRow> rows;
  std::string_view comment;
  bool has_decimals = false;

 private:
  CsvDecimal decimal_;
  std::int64_t line_ = 1;
  SampleRow row_;
};

/// How a dialect reads a sample.
struct DialectFit {
  CsvDialect dialect;
  std::size_t columns = 0;
  std::size_t numbers = 0;  ///< In the rows that count.
  bool names_fit = true;    ///< The row of the names has a field for each column.
  SampleRow first;
  std::string_view comment;  ///< The last one above the first row.
  bool has_decimals = false;
};

/// The most frequent number of fields among the rows; of equally frequent ones the largest.
std::size_t UsualSize(const std::vector<const SampleRow*>& rows) {
  std::map<std::size_t, std::size_t> count_of;
  for (const SampleRow* row : rows) ++count_of[row->fields.size()];
  std::size_t usual = 0, most = 0;
  for (const auto& [size, count] : count_of) {
    if (count >= most) std::tie(usual, most) = std::pair(size, count);
  }
  return usual;
}

bool IsRowOfNames(const SampleRow& row, const std::vector<const SampleRow*>& counted,
                  const std::vector<std::size_t>& numbers_in) {
  if (std::ranges::find(counted, &row) == counted.end()) return true;
  for (std::size_t k = 0; k < numbers_in.size(); ++k) {
    if (2 * numbers_in[k] >= counted.size() && row.fields[k] == Guessed::kText) return true;
  }
  return false;
}

/// Returns nothing if the dialect, whose header is not looked at, reads most rows as no numbers.
std::optional<DialectFit> FitOf(std::string_view sample, const CsvDialect& dialect) {
  SampleCollector collector(dialect.decimal);
  if (!SplitCsv(sample, dialect, collector)) return std::nullopt;
  std::vector<const SampleRow*> counted;
  std::size_t with_digits = 0;
  for (const SampleRow& row : collector.rows) {
    const bool piece = row.Has(Guessed::kPiece);
    const bool number = row.Has(Guessed::kNumber);
    if (piece || number) ++with_digits;
    if (number && !piece) counted.push_back(&row);
  }
  DialectFit fit;
  fit.columns = UsualSize(counted);
  std::erase_if(counted, [&](const SampleRow* row) { return row->fields.size() != fit.columns; });
  if (2 * counted.size() <= with_digits) return std::nullopt;
  std::vector<std::size_t> numbers_in(fit.columns);
  for (const SampleRow* row : counted) {
    for (std::size_t k = 0; k < fit.columns; ++k) {
      if (row->fields[k] == Guessed::kNumber) ++numbers_in[k], ++fit.numbers;
    }
  }
  fit.dialect = dialect;
  fit.first = collector.rows.front();
  const bool has_names = IsRowOfNames(collector.rows.front(), counted, numbers_in);
  fit.dialect.header = has_names ? CsvHeader::kLine : CsvHeader::kNone;
  fit.names_fit = !has_names || fit.first.fields.size() == fit.columns;
  fit.comment = collector.comment;
  fit.has_decimals = collector.has_decimals;
  return fit;
}

/// The number of fields of a comment; 0 if it is no row of names.
std::size_t NamesIn(std::string_view comment, CsvDialect dialect) {
  dialect.comment.clear();
  SampleCollector collector(dialect.decimal);
  if (!SplitCsv(comment, dialect, collector) || collector.rows.size() != 1) return 0;
  const SampleRow& row = collector.rows.front();
  return row.Has(Guessed::kText) ? row.fields.size() : 0;
}

/// Guesses by the rules of GuessCsvDialect().
class DialectGuesser {
 public:
  DialectGuesser(std::string_view text, const std::string& source) : text_(text), source_(source) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
  }

  CsvDialect Guess() {
    if (text_.find('\0') != std::string_view::npos) {
      Refuse("", "is no text: it holds bytes of 0",
             {"accepted: text, arrays of NumPy (.npy, .npz), bags of ROS 2",
              "text of UTF-16 becomes UTF-8 by: iconv -f UTF-16 -t UTF-8 OLD.csv > NEW.csv"});
    }
    FindComment();
    for (std::size_t size = kSample;; size *= 8) {
      const std::string_view sample = SampleOf(size);
      const bool is_all = sample.size() == text_.size();
      std::optional<DialectFit> best = BestFit(sample);
      if (!best && is_all) return Unread();
      if (!best || (!best->has_decimals && !is_all)) continue;
      if (!best->names_fit) RefuseFirst(*best);
      TakeCommentedNames(*best);
      RefuseWholeNumbers(*best, sample);
      return best->dialect;
    }
  }

 private:
  static constexpr std::size_t kSample = std::size_t{1} << 16;

  [[noreturn]] void Refuse(std::string where, std::string what,
                           std::vector<std::string> details) const {
    throw ConfigError(source_, std::move(where), std::move(what), std::move(details));
  }

  /// The first lines of the text.
  std::string_view SampleOf(std::size_t size) const {
    if (size >= text_.size()) return text_;
    const std::size_t end = text_.substr(0, size).find_last_of("\r\n");
    return end == std::string_view::npos ? std::string_view{} : text_.substr(0, end + 1);
  }

  /// Calls a function with the number and the text of each line, blanks in front of it left out,
  /// until it returns true.
  template <class Function>
  void ForEachLine(Function&& function) const {
    std::int64_t line = 1;
    for (std::size_t begin = 0; begin < text_.size(); ++line) {
      const std::size_t end = std::min(text_.find_first_of("\r\n", begin), text_.size());
      std::string_view content = text_.substr(begin, end - begin);
      content.remove_prefix(std::min(content.find_first_not_of(" \t"), content.size()));
      if (function(line, content)) return;
      begin = end + (text_.substr(end).starts_with("\r\n") ? 2 : 1);
    }
  }

  void FindComment() {
    std::int64_t first = 0;
    ForEachLine([&](std::int64_t line, std::string_view content) {
      for (const std::string_view sign : kCommentSigns) {
        if (!content.starts_with(sign) || comment_ == sign) continue;
        if (first == 0) {
          comment_ = sign;
          first = line;
        } else {
          Refuse(fmt::format("line {}", line),
                 fmt::format("begins with '{}', line {} with '{}'", sign, first, comment_),
                 {"all comments begin with one sign"});
        }
      }
      return false;
    });
  }

  /// The dialect that reads most numbers of a sample; of several that read the same the first of
  /// the rules.
  std::optional<DialectFit> BestFit(std::string_view sample) const {
    std::optional<DialectFit> best;
    bool is_ambiguous = false;
    std::string_view other;
    for (const CsvDecimal decimal : {CsvDecimal::kPoint, CsvDecimal::kComma}) {
      for (const auto& [delimiter, name] : kEnumNames<CsvDelimiter>) {
        const auto fit =
            FitOf(sample, {.delimiter = delimiter, .decimal = decimal, .comment = comment_});
        if (!fit || fit->numbers == 0) continue;
        const auto rank = [](const DialectFit& each) {
          return std::pair(each.names_fit, each.numbers);
        };
        if (best && rank(*fit) < rank(*best)) continue;
        if (best && rank(*fit) == rank(*best)) {
          if (!ReadsTheSame(*best, *fit)) is_ambiguous = true, other = name;
          continue;
        }
        best = fit;
        is_ambiguous = false;
      }
    }
    if (is_ambiguous && best->names_fit) {
      Refuse("",
             fmt::format("can be read with the delimiters {} and {}",
                         ToString(best->dialect.delimiter), other),
             {std::string(kSayIt)});
    }
    return best;
  }

  /// Of two that read equally many numbers.
  static bool ReadsTheSame(const DialectFit& a, const DialectFit& b) {
    if (a.dialect.delimiter == b.dialect.delimiter) return true;  // there are no decimals
    if (a.columns == 1 && b.columns == 1) return true;
    return a.dialect.delimiter == CsvDelimiter::kTab && b.dialect.delimiter == CsvDelimiter::kBlank;
  }

  [[noreturn]] void RefuseFirst(const DialectFit& fit) const {
    Refuse(fmt::format("line {}", fit.first.line),
           fmt::format("has {} of {} fields, between delimiters {}", fit.first.fields.size(),
                       fit.columns, ToString(fit.dialect.delimiter)),
           {"the first line that is no comment names all columns; begin lines above the names with "
            "'#', or remove them",
            std::string(kSayIt)});
  }

  void TakeCommentedNames(DialectFit& fit) const {
    if (fit.dialect.header != CsvHeader::kNone || fit.comment.empty()) return;
    if (fit.dialect.comment == kSpreadsheetLine) return;
    if (NamesIn(fit.comment, fit.dialect) == fit.columns) {
      fit.dialect.header = CsvHeader::kCommented;
      return;
    }
    for (const auto& [delimiter, name] : kEnumNames<CsvDelimiter>) {
      CsvDialect other = fit.dialect;
      other.delimiter = delimiter;
      if (fit.columns < 2 || NamesIn(fit.comment, other) != fit.columns) continue;
      Refuse("",
             fmt::format("the comment above the first row has the names of {} columns, but with "
                         "the delimiter {} instead of {}",
                         fit.columns, name, ToString(fit.dialect.delimiter)),
             {"separate names as numbers are; np.savetxt has its delimiter= for numbers alone"});
    }
  }

  void RefuseWholeNumbers(const DialectFit& fit, std::string_view sample) const {
    if (fit.dialect.header != CsvHeader::kNone || fit.columns != 2 ||
        fit.dialect.delimiter != CsvDelimiter::kComma) {
      return;
    }
    const auto single = FitOf(sample, {.delimiter = CsvDelimiter::kSemicolon,
                                       .decimal = CsvDecimal::kComma,
                                       .comment = comment_});
    if (!single || single->columns != 1 || 2 * single->numbers != fit.numbers) return;
    Refuse(fmt::format("line {}", fit.first.line),
           "may be one number with a decimal comma, or two whole numbers",
           {"name the columns above the first row", std::string(kSayIt)});
  }

  /// What is returned for a text that no dialect reads as numbers.
  CsvDialect Unread() const {
    ForEachLine([&](std::int64_t line, std::string_view content) {
      const bool is_number =
          !content.empty() &&
          (kDigits.find(content.front()) != std::string_view::npos ||
           (content.find_first_of(kDigits) == 1 && content.find_first_of("+-.") == 0));
      if (!is_number) return false;
      constexpr std::size_t kLongest = 40;
      Refuse(fmt::format("line {}", line),
             fmt::format("got '{}{}'", ReplaceIllFormed(content.substr(0, kLongest)),
                         content.size() > kLongest ? "…" : ""),
             {"numbers between commas, semicolons, tabs or blanks are accepted, all with decimal "
              "points or all with decimal commas",
              std::string(kSayIt)});
    });
    return {.comment = comment_};
  }

  std::string_view text_;
  const std::string& source_;
  std::string comment_;
};

}  // namespace

CsvDialect GuessCsvDialect(std::string_view text, const std::string& source) {
  return DialectGuesser(text, source).Guess();
}

}  // namespace idbench
