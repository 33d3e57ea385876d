#pragma once

#include <string>

#include "hw/log/log.h"

namespace idbench {

/// Gives the rows of the tables that have both columns the stamps which these hold in two parts,
/// as stamps of ROS are exported: 10⁹ · `seconds` + `nanoseconds`, exactly.
/// @throws ConfigError (source: the log's) for a row whose parts are not whole, nanoseconds below 0
///         or from 10⁹ on, and seconds that 64 bits of nanoseconds do not hold.
void JoinStamps(Log& log, const std::string& seconds, const std::string& nanoseconds);

/// Returns true if the columns may be such parts: whole numbers, nanoseconds in [0, 10⁹).
bool AreSplitStamps(const LogTable& table, const std::string& seconds,
                    const std::string& nanoseconds);

}  // namespace idbench
