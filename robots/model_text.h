#pragma once

#include <filesystem>

#include "scenarios/options/enum_names.h"

namespace idbench {

/// Format of a model file.
enum class ModelFormat { kMjcf, kUrdf };
template <>
inline constexpr auto kEnumNames<ModelFormat> = std::to_array<EnumName<ModelFormat>>(
    {{ModelFormat::kUrdf, "urdf"}, {ModelFormat::kMjcf, "mjcf"}});

/// Checks the text of a model file before MuJoCo reads it, and refuses what MuJoCo would misread or
/// report unclearly: a folder, an empty or binary file, a file that is not UTF-8 outside its
/// comments, one that is not XML or neither MJCF nor URDF, unexpanded xacro, a URDF whose joints
/// close a loop.
/// @return the format, by the root element, not by the file's name.
/// @throws ConfigError with what was found, what is accepted and the likely cure.
ModelFormat CheckModelText(const std::filesystem::path& file);

}  // namespace idbench
