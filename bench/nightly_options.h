#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/options/fields.h"

namespace idbench {

/// A scenario of a nightly suite, and what it may cost.
struct NightlyEntry {
  std::string file;                    ///< Relative to the suite's file.
  std::optional<std::int64_t> trials;  ///< Nothing: as the scenario says.
  double budget_s = 600;               ///< Wall-clock time; a run is stopped between two trials.
  std::optional<int> jobs;             ///< Threads; nothing: one per core.
  /// What the run is gated against: "last", the last run of the same scenario in the history;
  /// "none"; or a folder, relative to the suite's file.
  std::string baseline = "last";
  std::vector<std::string> needs;  ///< Environment variables without which it is skipped.
};
FieldTable Visit(NightlyEntry& entry);

/// The file of a nightly suite: {"scenarios": {"demo": {"file": "demo.json", "budget_s": 60}}}.
struct NightlyOptions {
  Labelled<NightlyEntry> scenarios;  ///< In the order in which they are run.
};
FieldTable Visit(NightlyOptions& options);

/// Reads a suite. @throws ConfigError with all issues of the file.
NightlyOptions ReadNightly(const std::filesystem::path& file);

/// Whether a JSON file is a suite, not a scenario: it has the key `scenarios`. False where it
/// cannot be read as JSON.
bool IsNightly(const std::filesystem::path& file);

}  // namespace idbench
