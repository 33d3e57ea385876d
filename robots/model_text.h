#pragma once

#include <filesystem>

namespace idbench {

enum class ModelFormat { kMjcf, kUrdf };

/// Looks at the text of a model file before MuJoCo does, and refuses what it would answer with
/// unclear words or misread: a folder, an empty or binary file, what is not XML or neither MJCF nor
/// URDF, xacro that is not expanded, a URDF whose joints close a loop.
/// @return the format, which the root element tells, not the file's name.
/// @throws ConfigError naming what is there, what is accepted and the likely cure.
ModelFormat CheckModelText(const std::filesystem::path& file);

}  // namespace idbench
