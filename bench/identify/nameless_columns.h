#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/identify/column_groups.h"

namespace idbench {

/// What the numbers of columns without names say they are.
struct NamelessColumns {
  std::vector<ColumnGroup> groups;
  std::vector<std::string> sentences;
};

/// Recognises the columns of a single table without names, of a log with n joints:
///
/// - the first column is time if it increases all along;
/// - the others are blocks of n columns. A block is the rate of another one if its integral
/// explains
///   99 % of the other's variance, up to a line; the one that is no rate and has one is position.
///   Where no block is a rate, position is the smoothest, by the root mean square of its second
///   differences over that of the signals;
/// - the one block that is left over is torque.
///
/// Returns nothing if columns have names, or there are several tables.
/// @throws ConfigError if they are not as many as that takes, or blocks are left over that could
///         each be torque.
std::optional<NamelessColumns> ReadNameless(const std::vector<Log>& logs, std::size_t dofs);

}  // namespace idbench
