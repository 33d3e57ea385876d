#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/scenario_reader.h"

namespace idbench {

/// File that decides records of a scenario.
struct InputFile {
  std::string role;  ///< JSON pointer of the value that names it, or the robot that it is part of.
  /// As the scenario names it; of a robot's files, relative to the folder of its model file.
  std::string name;
  std::filesystem::path path;  ///< Where it is read.

  bool operator==(const InputFile&) const = default;
};

/// Returns all files that decide what the records of a scenario are, each once, in the order of the
/// cells: those of the robot (see Robot::files; a robot of the catalogue too), recorded motions,
/// torques to replay, and recordings. Everything else stands in the scenario itself.
/// @throws ConfigError for an environment variable that is not set.
std::vector<InputFile> InputsOf(const LoadedScenario& loaded);

}  // namespace idbench
