#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reports/run/run_manifest.h"
#include "robots/robot.h"
#include "scenarios/metric_info.h"
#include "scenarios/options/json_value.h"
#include "scenarios/scenario.h"

namespace idbench {

/// One combination of the sweep's values, with its scenario.
struct Cell {
  RunCell coordinates;
  Scenario scenario;  ///< After substitution, with an empty sweep.
  Robot robot;        ///< With the terms of this scenario's problem.
};

/// Scenario file after reading, checking and expanding.
struct LoadedScenario {
  std::string source;              ///< Name of the file, for messages.
  Scenario scenario;               ///< As written, with defaults filled in.
  JsonValue expanded;              ///< The same as JSON; reading it again gives the same cells.
  std::vector<Cell> cells;         ///< At least one.
  Robot robot;                     ///< With the terms of `scenario`.
  std::vector<RunMetric> metrics;  ///< Metrics that records may hold.
  Labelled<std::string> absent_metrics;  ///< Requested metrics that are impossible, and why.
  std::vector<std::string> notes;        ///< About paths that do not count from the file's folder.
  bool of_manifest = false;  ///< Of a run, perhaps of an earlier version that refused less.
};

/// Change to a scenario from the command line.
struct Override {
  std::string pointer;  ///< JSON pointer; its parent must exist.
  std::string value;    ///< JSON; text that is not JSON counts as a string.
};

/// Reads a scenario file and checks every cell after substitution. The file may also be the
/// manifest.json of a run, of which it takes the scenario. Paths in a scenario count from its file
/// or, where nothing is there, from the current folder (see ResolvePaths()); those in a manifest,
/// and in overrides, from the current folder.
///
/// @param metrics  all that exist.
/// @throws ConfigError with all issues of the file: unknown and duplicate keys, wrong types,
///         unknown robots, sets, joints, estimators or metrics, contradictions, missing recordings.
LoadedScenario LoadScenario(const std::filesystem::path& file,
                            const std::vector<Override>& overrides,
                            std::span<const MetricInfo> metrics);

/// As above, from JSON; `source` is its name in messages.
LoadedScenario LoadScenario(Json json, const std::string& source,
                            const std::vector<Override>& overrides,
                            std::span<const MetricInfo> metrics);

/// Returns a scenario with the defaults of all its keys, those that are newer than the program that
/// wrote it included; as it is if it cannot be read. Nothing else is checked.
Json ExpandedScenario(const Json& scenario);

}  // namespace idbench
