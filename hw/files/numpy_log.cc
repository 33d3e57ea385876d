#include "hw/files/numpy_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <numeric>
#include <set>
#include <span>
#include <system_error>
#include <utility>

#include "hw/files/npy_array.h"
#include "hw/files/npz_archive.h"
#include "robots/recording/issue_list.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

using ByteVector = std::vector<std::byte>;

bool Names(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

ByteVector BytesOfFile(const std::filesystem::path& file, std::size_t limit) {
  std::ifstream stream(file, std::ios::binary);
  std::error_code unreadable;
  const std::uintmax_t size = std::filesystem::file_size(file, unreadable);
  if (!stream || unreadable) {
    throw ConfigError(file.string(), "", "cannot be read", {"is it a file that you may read?"});
  }
  ByteVector bytes(static_cast<std::size_t>(std::min<std::uintmax_t>(size, limit)));
  stream.read(reinterpret_cast<char*>(bytes.data()), std::ssize(bytes));
  bytes.resize(static_cast<std::size_t>(stream.gcount()));
  return bytes;
}

/// Reads the columns of a file's arrays.
class ArrayCollector {
 public:
  explicit ArrayCollector(const std::vector<std::string>& wanted) : wanted_(wanted) {}

  void ReadArray(const std::filesystem::path& file) {
    const ByteVector bytes = BytesOfFile(file, std::numeric_limits<std::size_t>::max());
    const NpyHeader header = ParseNpyHeader(bytes);
    if (!Wants(ContentsOf(header, ""))) return;
    Take(ReadNpyData(header, "", std::span(bytes).subspan(header.size), true));
  }

  void ReadArchive(const std::filesystem::path& file) {
    const NpzArchive archive(file);
    for (const NpzArchive::Member& member : archive.members()) {
      try {
        ReadMember(archive, member);
      } catch (const NpyError& error) {
        const std::string array = fmt::format("array '{}' ", member.name);
        const std::string what = error.what();
        throw NpyError(what.starts_with(array) ? what : array + what, error.details());
      }
    }
  }

  /// Names of all columns, those that were not read included.
  const std::vector<std::string>& names() const { return names_; }
  /// Those that were read.
  std::vector<NpyColumns>& columns() { return columns_; }
  const std::vector<NpyOther>& others() const { return others_; }

 private:
  void ReadMember(const NpzArchive& archive, const NpzArchive::Member& member) {
    const ByteVector preamble = archive.Read(member, kNpyPreamble);
    const NpyHeader header = ParseNpyHeader(archive.Read(member, NpyHeaderSize(preamble)));
    if (!Wants(ContentsOf(header, member.name))) return;
    const ByteVector bytes = archive.Read(member, member.size);
    Take(ReadNpyData(header, member.name, std::span(bytes).subspan(header.size), false));
  }

  /// Takes the names of an array's columns; returns whether any of them is wanted.
  bool Wants(const NpyContents& contents) {
    std::ranges::copy(contents.others, std::back_inserter(others_));
    bool any = false;
    for (const NpyColumns& part : contents.columns) {
      for (const std::string& name : part.names) {
        if (!seen_.insert(name).second) {
          throw NpyError(fmt::format("has two columns '{}'", name),
                         {"give its arrays and fields other names"});
        }
        names_.push_back(name);
        any = any || wanted_.empty() || Names(wanted_, name);
      }
    }
    return any;
  }

  void Take(NpyContents contents) {
    std::ranges::move(contents.columns, std::back_inserter(columns_));
  }

  const std::vector<std::string>& wanted_;
  std::set<std::string> seen_;
  std::vector<std::string> names_;
  std::vector<NpyColumns> columns_;
  std::vector<NpyOther> others_;
};

/// Joins arrays of the same number of rows.
std::vector<LogTable> TablesOf(std::vector<NpyColumns> parts) {
  std::vector<LogTable> tables;
  while (!parts.empty()) {
    const std::size_t rows = parts.front().shape[0];
    const auto others = std::ranges::stable_partition(
        parts, [rows](const NpyColumns& part) { return part.shape[0] == rows; });
    const std::span own(parts.begin(), others.begin());
    LogTable& table = tables.emplace_back();
    table.name = fmt::format("arrays of {} rows", rows);
    table.row = "row";
    for (const NpyColumns& part : own) {
      table.columns.insert(table.columns.end(), part.names.begin(), part.names.end());
    }
    table.values.resize(static_cast<Eigen::Index>(rows), std::ssize(table.columns));
    Eigen::Index column = 0;
    for (NpyColumns& part : own) {
      table.values.middleCols(column, part.values.cols()) = part.values;
      column += part.values.cols();
      part.values.resize(0, 0);
    }
    table.places.resize(rows);
    std::iota(table.places.begin(), table.places.end(), 1);
    parts.erase(parts.begin(), others.begin());
  }
  if (tables.size() == 1) tables.front().name.clear();
  return tables;
}

/// Rows of the table with a number in one of the columns.
std::vector<Eigen::Index> RowsWithAny(const LogTable& table,
                                      const std::vector<Eigen::Index>& columns) {
  std::vector<Eigen::Index> rows;
  for (Eigen::Index i = 0; i < table.values.rows(); ++i) {
    const auto is_number = [&](Eigen::Index column) {
      return !std::isnan(table.values(i, column));
    };
    if (std::ranges::any_of(columns, is_number)) rows.push_back(i);
  }
  return rows;
}

/// Appends an issue for each number that columns lack in the rows from `first` to `last`.
void CheckWhole(const LogTable& table, const std::vector<Eigen::Index>& columns, Eigen::Index first,
                Eigen::Index last, IssueList& issues) {
  for (Eigen::Index i = first; i <= last; ++i) {
    for (const Eigen::Index column : columns) {
      if (!std::isnan(table.values(i, column))) continue;
      issues.Add([&] {
        return Issue{fmt::format("row {}, column '{}'", i + 1,
                                 table.columns[static_cast<std::size_t>(column)]),
                     "is not a finite number",
                     {"leave such rows out before you save the arrays"}};
      });
    }
  }
}

/// Leaves out all rows but these.
void KeepRows(LogTable& table, const std::vector<Eigen::Index>& rows) {
  if (std::ssize(rows) == table.values.rows()) return;
  table.values = Eigen::MatrixXd(table.values(rows, Eigen::all));
  table.places.clear();
  for (const Eigen::Index i : rows) table.places.push_back(i + 1);
}

/// Keeps the rows with a number in the wanted columns, which have to be whole, or in any if there
/// are no wanted ones.
/// @return whether there are such rows.
bool CheckRows(LogTable& table, const std::vector<std::string>& wanted, IssueList& issues) {
  std::vector<Eigen::Index> columns;
  for (const std::string& name : wanted.empty() ? table.columns : wanted) {
    if (const Eigen::Index column = table.Find(name); column >= 0) columns.push_back(column);
  }
  const std::vector<Eigen::Index> rows = RowsWithAny(table, columns);
  if (rows.empty()) {
    if (wanted.empty()) return false;
    issues.Add([&] { return Issue{table.name, "holds no finite number in a wanted column", {}}; });
  } else {
    if (!wanted.empty()) CheckWhole(table, columns, rows.front(), rows.back(), issues);
    KeepRows(table, rows);
  }
  return true;
}

std::string Sentence(const NpyOther& other) {
  return other.field.empty() ? fmt::format("the array {}", other.why)
                             : fmt::format("'{}' {}", other.field, other.why);
}

std::string SentenceWithCure(const NpyOther& other) {
  return Sentence(other) + (other.cure.empty() ? "" : fmt::format(" ({})", other.cure));
}

/// Says of wanted columns why they cannot be had, where it is known, and of a file without any
/// columns what it holds.
void CheckReasons(const std::string& source, const ArrayCollector& arrays,
                  const std::vector<std::string>& wanted) {
  for (const std::string& name : wanted) {
    if (Names(arrays.names(), name)) continue;
    for (const NpyOther& other : arrays.others()) {
      if (name != other.field && !name.starts_with(other.field + "[")) continue;
      std::vector<std::string> cure;
      if (!other.cure.empty()) cure.push_back(other.cure);
      throw ConfigError(source, name, Sentence(other), std::move(cure));
    }
  }
  if (!arrays.names().empty()) return;
  std::vector<std::string> sentences;
  std::vector<std::string> details;
  for (const NpyOther& other : arrays.others()) sentences.push_back(Sentence(other));
  if (!sentences.empty()) details.push_back(ListSome(sentences));
  for (const NpyOther& other : arrays.others()) {
    if (!other.cure.empty() && !Names(details, other.cure)) details.push_back(other.cure);
  }
  throw ConfigError(source, "", "holds no columns of numbers", std::move(details));
}

ArrayCollector ReadArrays(const std::filesystem::path& file,
                          const std::vector<std::string>& wanted) {
  ArrayCollector arrays(wanted);
  try {
    const ByteVector first = BytesOfFile(file, 2);
    const bool is_archive = first == ByteVector{std::byte{'P'}, std::byte{'K'}};
    is_archive ? arrays.ReadArchive(file) : arrays.ReadArray(file);
  } catch (const NpyError& error) {
    throw ConfigError(file.string(), "", error.what(), error.details());
  }
  return arrays;
}

}  // namespace

FieldTable Visit(NumpyFormat&) { return {}; }

Log ReadLog(const std::filesystem::path& file, const NumpyFormat&,
            const std::vector<std::string>& wanted) {
  ArrayCollector arrays = ReadArrays(file, wanted);
  const std::string source = file.string();
  CheckReasons(source, arrays, wanted);
  LogTable all;
  all.columns = arrays.names();
  CheckWanted({source, {all}}, wanted);
  Log log{source, TablesOf(std::move(arrays.columns()))};
  for (const NpyOther& other : arrays.others()) log.others.push_back(SentenceWithCure(other));
  IssueList issues;
  std::erase_if(log.tables, [&](LogTable& table) { return !CheckRows(table, wanted, issues); });
  issues.ThrowIfAny(source);
  return log;
}

}  // namespace idbench
