#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/options/fields.h"

namespace idbench {

/// What a run of a suite is gated against.
struct NightlyBaseline {
  enum class Kind {
    kLast,    ///< The last run of the same scenario in the history.
    kNone,    ///< Nothing.
    kFolder,  ///< A run folder.
  };
  Kind kind = Kind::kLast;
  std::string folder = "";  ///< Relative to the suite's file, for kFolder.
};

/// A text: "last", "none", or the folder.
template <>
struct Binding<NightlyBaseline> {
  static void Read(const Json& json, const std::string& pointer, const FieldInfo& info,
                   NightlyBaseline& value, std::vector<Issue>& issues);
  static void Write(const NightlyBaseline& value, Json& json);
  static void Schema(const FieldInfo& info, const NightlyBaseline& value, Json& schema);
};

/// Scenario of a nightly suite and its budget.
struct NightlyEntry {
  std::string file;                    ///< Relative to the suite's file.
  std::optional<std::int64_t> trials;  ///< Absent: the scenario's.
  double budget_s = 600;    ///< Wall-clock time [s]; a run is stopped between two trials.
  std::optional<int> jobs;  ///< Threads; absent: one per core.
  NightlyBaseline baseline;
  std::vector<std::string> needs;  ///< Environment variables without which the scenario is skipped.
};
FieldTable Visit(NightlyEntry& entry);

/// File of a nightly suite: {"scenarios": {"demo": {"file": "demo.json", "budget_s": 60}}}.
struct NightlyOptions {
  Labelled<NightlyEntry> scenarios;  ///< In the order in which they run.
};
FieldTable Visit(NightlyOptions& options);

/// Reads a suite.
/// @throws ConfigError with all issues of the file.
NightlyOptions ReadNightly(const std::filesystem::path& file);

/// Returns true if a JSON file is a suite, not a scenario: it has the key `scenarios`. Returns
/// false if it cannot be read as JSON.
bool IsNightly(const std::filesystem::path& file);

}  // namespace idbench
