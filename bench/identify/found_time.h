#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/identify/column_groups.h"
#include "bench/identify/column_units.h"
#include "bench/lab_checks/lab_log.h"

namespace idbench {

/// What is known of a recording when its time is looked for.
struct TimeSearch {
  const std::vector<ColumnGroup>& groups;  ///< Of all its logs.
  const LogTable& positions;               ///< Where positions are, and time stands beside them.
  const ColumnGroup* told = nullptr;       ///< The column that the user says.
  std::optional<double> told_hz = {};      ///< The rate that the user says, which goes before all.
  std::optional<double> own_hz = {};       ///< The rate of the robot's own logs, without stamps.
};

/// Time of a recording's rows: a rate, columns, or neither, where the format has stamps.
struct FoundTime {
  std::optional<double> rate_hz;
  std::vector<std::string> columns;
  std::optional<std::string> unit;  ///< Of the column; nothing for seconds and nanoseconds.
  std::vector<std::string> sentences;
  /// That a rate which the user says contradicts stamps.
  std::vector<LabFinding> findings;
};

/// Finds time: the rate that is told, the format's stamps, the column that is told, a column of
/// time beside the positions, best one that says nothing else, or the rate of the robot's own logs.
/// Returns nothing if there is none of these.
/// @throws ConfigError as ColumnUnits::OfTime() does.
std::optional<FoundTime> FindTime(const TimeSearch& search, const ColumnUnits& units);

}  // namespace idbench
