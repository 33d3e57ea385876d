#pragma once

#include <filesystem>
#include <string_view>

namespace idbench {

/// Writes a file so that a reader finds the old contents or the new ones, never a part: to a
/// temporary name beside it, then renamed. Folders that are missing are made.
/// @throws std::filesystem::filesystem_error if it cannot be written; nothing is left behind then.
void WriteAtomically(const std::filesystem::path& file, std::string_view contents);

}  // namespace idbench
