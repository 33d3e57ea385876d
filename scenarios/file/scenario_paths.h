#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/options/json.h"

namespace idbench {

/// Makes paths in a scenario count from the folder of its file: a relative path that leads
/// somewhere from there is replaced by it, those in the values of a sweep too. One that leads
/// somewhere only from the current folder stays as it is, and is told. All others stay too: names
/// of catalogued robots, absolute paths, those with an environment variable, and what is missing.
///
/// The result counts from the current folder, as paths in a manifest.json do, whose run is called
/// from the same place.
///
/// @param folder  of the scenario's file, as it was named.
/// @return sentences about paths that count from the current folder.
std::vector<std::string> ResolvePaths(const std::filesystem::path& folder, Json& scenario);

}  // namespace idbench
