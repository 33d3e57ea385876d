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
    kAccepted,  ///< The runs of the same scenario that were accepted and pinned last.
    kNone,      ///< Nothing.
    kFolder,    ///< A run folder.
  };
  Kind kind = Kind::kAccepted;
  std::string folder = "";  ///< Relative to the suite's file, for kFolder.
};

/// A text: "accepted", "none", or the folder; "last" is read as "accepted".
template <>
struct Binding<NightlyBaseline> {
  static void Read(const Json& json, const std::string& pointer, const FieldInfo& info,
                   NightlyBaseline& value, std::vector<Issue>& issues);
  static void Write(const NightlyBaseline& value, Json& json);
  static void Schema(const FieldInfo& info, const NightlyBaseline& value, Json& schema);
};

/// What one scenario of a suite may use.
struct NightlyLimits {
  double budget_s = 600;  ///< Wall-clock time [s] after which a run is stopped between two trials.
  double grace_s = 300;   ///< Further time [s] for gate and report, after which it is killed.
  std::int64_t memory_mib = 4096;  ///< Data [MiB]; a run that asks for more is ended.
};

/// Scenario of a nightly suite.
struct NightlyEntry {
  std::string file;                    ///< Relative to the suite's file.
  std::optional<std::int64_t> trials;  ///< Absent: the scenario's.
  /// Absent: the suite's. Likewise the other limits.
  std::optional<double> budget_s;
  std::optional<double> grace_s;
  std::optional<std::int64_t> memory_mib;
  std::optional<int> jobs;  ///< Threads; absent: one per core.
  /// Relative change of the gated metrics that is no regression; absent: the scenario's.
  std::optional<double> tolerance;
  std::string reason;  ///< Why so many trials and this tolerance; for those who read the file.
  NightlyBaseline baseline;
  std::vector<std::string> needs;  ///< Environment variables without which the scenario is skipped.
};
FieldTable Visit(NightlyEntry& entry);

/// File of a nightly suite: {"scenarios": {"demo": {"file": "demo.json", "budget_s": 60}}}.
struct NightlyOptions {
  NightlyLimits limits;              ///< Of each scenario that does not state its own.
  Labelled<NightlyEntry> scenarios;  ///< In the order in which they run.
};
FieldTable Visit(NightlyOptions& options);

/// Returns the limits of a scenario: its own, else the suite's.
NightlyLimits LimitsOf(const NightlyEntry& entry, const NightlyLimits& suite);

/// Reads a suite.
/// @throws ConfigError with all issues of the file.
NightlyOptions ReadNightly(const std::filesystem::path& file);

/// Returns true if a JSON file is a suite, not a scenario: it has the key `scenarios`. Returns
/// false if it cannot be read as JSON.
bool IsNightly(const std::filesystem::path& file);

}  // namespace idbench
