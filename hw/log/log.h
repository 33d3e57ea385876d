#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace idbench {

/// Text that a column holds in all rows, or in those before another one.
struct ColumnText {
  std::size_t column = 0;
  std::string text;
  std::string other = "";        ///< The first other one; "" where a row has no text there.
  std::int64_t other_place = 0;  ///< Number of that row in the file; 0: all rows have `text`.
};

/// Rows of numbers that share their time stamps: a file, the arrays of one length in an archive, or
/// a topic of a bag.
struct LogTable {
  std::string name;  ///< "/joint_states"; "" for all that the file holds.
  /// Unique in the log: those of a topic begin with its name. Columns of a known unit end in it, as
  /// in "/joint_states/elbow/position_rad".
  std::vector<std::string> columns;
  Eigen::MatrixXd values;  ///< N × columns; NaN where a row lacks the number.
  /// Of each row [ns], as they stand in the file and in its order; empty if the format has no time
  /// of its own and it is one of the columns.
  std::vector<std::int64_t> stamps_ns;
  std::string_view row = "line";     ///< What a row is in the file: "line", "message", "row".
  std::vector<std::int64_t> places;  ///< Number of each row among those, from 1.
  /// Of each column what the file says below its name, as units; empty if it says nothing there.
  std::vector<std::string> below_names = {};
  /// Of columns that hold texts, as names of joints.
  std::vector<ColumnText> texts = {};

  /// Returns the index of the column called `name`, −1 if there is none.
  Eigen::Index Find(std::string_view name) const;
};

/// All that a file of a recording holds.
struct Log {
  std::string source;  ///< Path, for messages.
  std::vector<LogTable> tables;
  /// What else the file holds and why that is no column, for messages: "'names' holds text (<U5)".
  std::vector<std::string> others = {};

  /// Returns the table that has the column, or nullptr if there is none.
  const LogTable* TableOf(std::string_view column) const;
  /// Returns the names of all columns, table by table.
  std::vector<std::string> columns() const;
};

/// A reader is one file, foo_log.h, with
///
///   struct FooFormat { static constexpr std::string_view kType = "foo"; …options };  // and, if
///       tables have stamps of their own, static constexpr bool kOwnTime = true;  // and, if rows
///       that lack a wanted number are not refused, …kKeepsIncompleteRows = true;
///   FieldTable Visit(FooFormat& format);
///   Log ReadLog(const std::filesystem::path& file, const FooFormat& format,
///               const std::vector<std::string>& wanted);
///
/// and a place among the types of RecordingFormat (hw/recording_options.h). ReadLog() returns the
/// tables that have columns of `wanted`, with these and perhaps further columns; of an empty
/// `wanted` all that it can read, in a fixed order. A row with none of the wanted numbers is left
/// out. It throws ConfigError (source: the file) for a file that is not of the format or is
/// damaged, and for what CheckWanted() finds. A file that ends early is read as far as it is whole.

/// @throws ConfigError (source: the log's) naming the columns that are missing, the nearest names,
///         and those that there are.
void CheckWanted(const Log& log, const std::vector<std::string>& wanted);

/// Returns the files that a log consists of: itself or, of a folder, the files in it, sorted.
std::vector<std::filesystem::path> FilesOfLog(const std::filesystem::path& log);

}  // namespace idbench
