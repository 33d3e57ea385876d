#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/options/json.h"

namespace idbench {

/// Lays a scenario over the file that its key `extends` names, and takes that key out: the JSON of
/// that file with what the scenario says in its place.
///
/// Objects merge key by key; anything else, lists too, is replaced, and so is an object whose
/// `type` is another. `null` takes an experiment, estimator, observer, configuration or attached
/// body of that file out. The path counts from `folder`, and paths in that file from its own (see
/// ResolvePaths()).
/// @param folder    of the scenario's file, as it was named.
/// @param source    name of the scenario's file, for messages.
/// @param scenario  whose own paths are resolved.
/// @return sentences about paths that count from the current folder.
/// @throws ConfigError if `extends` is no path, or of a file that is missing, no JSON object, or
///         extends another one itself.
std::vector<std::string> ExtendScenario(const std::filesystem::path& folder,
                                        const std::string& source, Json& scenario);

}  // namespace idbench
