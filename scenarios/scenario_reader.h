#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reports/run_manifest.h"
#include "robots/robot.h"
#include "scenarios/metric_info.h"
#include "scenarios/scenario.h"

namespace idbench {

/// One combination of the sweep's values, with the scenario that it stands for.
struct Cell {
  RunCell coordinates;
  Scenario scenario;  ///< After substitution; its own sweep is empty.
};

/// A scenario file that was read, checked and expanded.
struct LoadedScenario {
  std::string source;       ///< The file, for messages.
  Scenario scenario;        ///< As written, defaults filled in.
  Json expanded;            ///< The same as JSON: reading it again gives the same cells.
  std::vector<Cell> cells;  ///< At least one.
  Robot robot;
  std::vector<RunMetric> metrics;        ///< What records may hold.
  Labelled<std::string> absent_metrics;  ///< Asked for, and why they cannot be had.
};

/// A change to a scenario from the command line.
struct Override {
  std::string pointer;  ///< JSON pointer; its parent must be there.
  std::string value;    ///< JSON; what is not JSON is taken as text.
};

/// Reads a scenario file. Every cell is checked after substitution.
///
/// @param metrics  all that exist.
/// @throws ConfigError with all issues of the file: unknown and duplicate keys, wrong types,
/// unknown
///         robots, sets, joints, estimators or metrics, contradictions, missing recordings.
LoadedScenario LoadScenario(const std::filesystem::path& file,
                            const std::vector<Override>& overrides,
                            std::span<const MetricInfo> metrics);

/// LoadScenario() of JSON that was read already; `source` is its name in messages.
LoadedScenario LoadScenario(Json json, const std::string& source,
                            const std::vector<Override>& overrides,
                            std::span<const MetricInfo> metrics);

}  // namespace idbench
