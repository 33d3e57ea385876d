#pragma once

#include <filesystem>
#include <string_view>

namespace idbench {

/// Writes a file so that a reader finds the old contents or the new ones, never a part: writes a
/// temporary file beside it, then renames it. Creates missing folders.
/// @throws std::filesystem::filesystem_error if the file cannot be written; nothing is left behind.
void WriteAtomically(const std::filesystem::path& file, std::string_view contents);

}  // namespace idbench
