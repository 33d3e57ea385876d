#include "bench/nightly/nightly_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "reports/gate/gate_options.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

using Kind = NightlyBaseline::Kind;

constexpr const char* kAcceptedRuns = "accepted";
constexpr const char* kLastRun = "last";  // an old spelling
constexpr const char* kNoBaseline = "none";

// Clocks count nanoseconds, and the kernel bytes, in 64 bits: what is declared has to fit.
constexpr double kLongestSeconds = 1e8;   // three years
constexpr double kMostMib = 1024 * 1024;  // 1 TiB

std::string TextOf(const NightlyBaseline& baseline) {
  switch (baseline.kind) {
    case Kind::kAccepted:
      return kAcceptedRuns;
    case Kind::kNone:
      return kNoBaseline;
    case Kind::kFolder:
      break;
  }
  return baseline.folder;
}

Kind KindOf(const std::string& text) {
  if (text == kAcceptedRuns || text == kLastRun) return Kind::kAccepted;
  return text == kNoBaseline ? Kind::kNone : Kind::kFolder;
}

/// Fields of the limits of a suite, or of one scenario.
template <class Limits>
void AddLimits(Limits& limits, std::string_view absent, FieldTable& table) {
  const auto doc = [absent](std::string_view what) { return fmt::format("{}{}", what, absent); };
  table
      .Add("budget_s", limits.budget_s,
           {.doc = doc("Wall-clock time after which the run is stopped between two trials"),
            .unit = "s",
            .lower = 0,
            .upper = kLongestSeconds,
            .lower_open = true})
      .Add("grace_s", limits.grace_s,
           {.doc = doc("Further time for gate and report, after which the run is killed"),
            .unit = "s",
            .lower = 0,
            .upper = kLongestSeconds})
      .Add("memory_mib", limits.memory_mib,
           {.doc = doc("Memory for data, in units of 2²⁰ bytes; a run that needs more is ended"),
            .lower = 1,
            .upper = kMostMib});
}

/// A label names a folder.
bool IsPlain(const std::string& label) {
  return !label.empty() && label != "." && label != ".." && label.find('/') == std::string::npos;
}

}  // namespace

void Binding<NightlyBaseline>::Read(const Json& json, const std::string& pointer,
                                    const FieldInfo& info, NightlyBaseline& value,
                                    std::vector<Issue>& issues) {
  std::string text = TextOf(value);
  Binding<std::string>::Read(json, pointer, info, text, issues);
  value.kind = KindOf(text);
  value.folder = value.kind == Kind::kFolder ? std::move(text) : "";
}

void Binding<NightlyBaseline>::Write(const NightlyBaseline& value, Json& json) {
  Binding<std::string>::Write(TextOf(value), json);
}

void Binding<NightlyBaseline>::Schema(const FieldInfo& info, const NightlyBaseline& value,
                                      Json& schema) {
  Binding<std::string>::Schema(info, TextOf(value), schema);
}

FieldTable Visit(NightlyEntry& entry) {
  FieldTable table;
  table.Add("file", entry.file, {.doc = "Scenario file, relative to this file", .required = true})
      .Add("trials", entry.trials,
           {.doc = "Monte Carlo trials of each cell; null: as many as the scenario states",
            .lower = 1});
  AddLimits(entry, "; null: the suite's", table);
  table.Add("jobs", entry.jobs, {.doc = "Number of threads; null: one per core", .lower = 1})
      .Add("tolerance", entry.tolerance,
           {.doc = "Relative change of the gated metrics that is no regression; null: the "
                   "scenario's",
            .lower = 0.0,
            .upper = kMostTolerance,
            .lower_open = true})
      .Add("reason", entry.reason,
           {.doc = "Why so many trials and this tolerance, for those who read the file"})
      .Add("baseline", entry.baseline,
           {.doc = "Runs to compare with: \"accepted\" (those that the history has accepted and "
                   "pinned last), \"none\", or a run folder, relative to this file"})
      .Add("needs", entry.needs,
           {.doc = "Environment variables; the scenario is skipped unless all of them are set"});
  return table;
}

FieldTable Visit(NightlyOptions& options) {
  FieldTable table;
  AddLimits(options.limits, "", table);
  table
      .Add("scenarios", options.scenarios,
           {.doc = "Scenarios to run, by label, in this order", .required = true})
      .Check([&options](std::vector<Issue>& issues) {
        if (options.scenarios.empty()) {
          issues.push_back({"/scenarios", "names no scenario", {"at least one is needed"}});
        }
        for (const auto& [label, entry] : options.scenarios) {
          if (IsPlain(label)) continue;
          issues.push_back({PointerTo("/scenarios", label),
                            "is no name of a folder",
                            {"runs are kept in a folder of this name: leave out '/'"}});
        }
      });
  return table;
}

NightlyLimits LimitsOf(const NightlyEntry& entry, const NightlyLimits& suite) {
  return {.budget_s = entry.budget_s.value_or(suite.budget_s),
          .grace_s = entry.grace_s.value_or(suite.grace_s),
          .memory_mib = entry.memory_mib.value_or(suite.memory_mib)};
}

NightlyOptions ReadNightly(const std::filesystem::path& file) {
  NightlyOptions options;
  std::vector<Issue> issues;
  ReadFields(Visit(options), ReadJsonFile(file), "", issues);
  if (!issues.empty()) throw ConfigError(file.string(), std::move(issues));
  return options;
}

bool IsNightly(const std::filesystem::path& file) {
  try {
    const Json json = ReadJsonFile(file);
    return json.is_object() && json.contains("scenarios");
  } catch (const ConfigError&) {
    return false;
  }
}

}  // namespace idbench
