#include "bench/nightly/nightly_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scenarios/options/json.h"

namespace idbench {
namespace {

constexpr const char* kLastRun = "last";
constexpr const char* kNoBaseline = "none";

std::string TextOf(const NightlyBaseline& baseline) {
  switch (baseline.kind) {
    case NightlyBaseline::Kind::kLast:
      return kLastRun;
    case NightlyBaseline::Kind::kNone:
      return kNoBaseline;
    case NightlyBaseline::Kind::kFolder:
      break;
  }
  return baseline.folder;
}

/// A label names a folder.
bool IsPlain(const std::string& label) {
  return !label.empty() && label != "." && label != ".." && label.find('/') == std::string::npos;
}

}  // namespace

void Binding<NightlyBaseline>::Read(const Json& json, const std::string& pointer,
                                    const FieldInfo& info, NightlyBaseline& value,
                                    std::vector<Issue>& issues) {
  using Kind = NightlyBaseline::Kind;
  std::string text = TextOf(value);
  Binding<std::string>::Read(json, pointer, info, text, issues);
  value.kind = text == kLastRun ? Kind::kLast : text == kNoBaseline ? Kind::kNone : Kind::kFolder;
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
            .lower = 1})
      .Add("budget_s", entry.budget_s,
           {.doc = "Wall-clock time after which the run is stopped between two trials",
            .unit = "s",
            .lower = 0,
            .lower_open = true})
      .Add("jobs", entry.jobs, {.doc = "Number of threads; null: one per core", .lower = 1})
      .Add("baseline", entry.baseline,
           {.doc = "Run to compare with: \"last\" (the last run in the history), \"none\", or a "
                   "run folder, relative to this file"})
      .Add("needs", entry.needs,
           {.doc = "Environment variables; the scenario is skipped unless all of them are set"});
  return table;
}

FieldTable Visit(NightlyOptions& options) {
  FieldTable table;
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
