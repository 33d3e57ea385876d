#pragma once

#include <filesystem>

#include "reports/history/sqlite_database.h"

namespace idbench {

/// Makes the tables of a history in an empty file, and brings those of version 1 to the present
/// one. Rows are kept: of a run of version 1, the time at which it finished stands for the one at
/// which it began, and nobody judged it. Several processes may do so at once.
///
/// @param file  for messages.
/// @throws ConfigError if the file is no history, or was written by a newer idbench.
void PrepareHistory(SqliteDatabase& database, const std::filesystem::path& file, IfMissing missing);

}  // namespace idbench
