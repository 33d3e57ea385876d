#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bench/identify/lab_column.h"
#include "hw/log/log.h"

namespace idbench {

/// Columns that are one quantity of several joints.
struct ColumnGroup {
  std::size_t log = 0;              ///< Index of the log that has them.
  const LogTable* table = nullptr;  ///< In which they are.
  std::string_view channel;         ///< What they say they are; "" if they say nothing.
  ColumnSource source = ColumnSource::kPlain;
  std::string rest;                ///< Words that were not understood.
  std::vector<LabColumn> columns;  ///< In the order of the model's joints, or of their numbers.
  bool by_joint = false;           ///< They have the names of joints.

  /// "q1, q2, q3 … q7"
  std::string Describe() const;
  /// Values of its columns, N × columns().size().
  Eigen::MatrixXd values() const;
};

/// Returns the groups of all logs' columns: of one table, channel, source and rest, with names of
/// different joints or with numbers that follow one another from 0 or 1. A name may have both; then
/// joints count. Columns that say nothing but a number or a joint are of the channel that the
/// file's name says, or their unit, or positions if they are called as joints are. Columns of time
/// are groups of one, or of two: the seconds and the nanoseconds of one stamp (header.stamp.sec,
/// header.stamp.nanosec), where all rows are whole numbers. A unit that stands below a name counts
/// as if the name ended in it. Where columns of text hold names of joints (field.name0), columns of
/// the same numbers are of these joints (field.position0), and those of others are left out.
///
/// @param stems   names of the files without their endings, one for each log.
/// @param joints  names of the robot's joints.
/// @throws ConfigError (source: the log) if names of joints in a column of text change.
std::vector<ColumnGroup> GroupColumns(const std::vector<Log>& logs,
                                      const std::vector<std::string>& stems,
                                      const std::vector<std::string>& joints);

}  // namespace idbench
