#pragma once

#include <filesystem>

#include "scenarios/options/json_fwd.h"

namespace idbench {

/// Reads the manifest.json of a run folder for WhyIncomparable(): with the scenario as this program
/// spells it out, so that keys that are newer than the run have their defaults.
/// @throws ConfigError if it cannot be read.
Json ReadManifestToCompare(const std::filesystem::path& folder);

}  // namespace idbench
