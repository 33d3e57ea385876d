#include "bench/run_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <optional>
#include <set>
#include <thread>

#include "bench/choice.h"
#include "bench/gate/gate_check.h"
#include "bench/lost_estimators_exit.h"
#include "bench/metrics/metrics.h"
#include "bench/nightly/nightly_options.h"
#include "bench/nightly/nightly_scenario.h"
#include "bench/notes/rate_sweep.h"
#include "bench/run/exit_code.h"
#include "bench/run/export_run.h"
#include "bench/run/identified.h"
#include "bench/run/provenance.h"
#include "bench/run/runner.h"
#include "bench/scenario_overrides.h"
#include "bench/stop_signal.h"
#include "reports/files/utc_time.h"
#include "reports/report.h"
#include "reports/run/run_identity.h"
#include "scenarios/attached_check.h"
#include "scenarios/options/json.h"

namespace idbench {
namespace {

namespace po = boost::program_options;

/// Tells in what inputs and program differ from those of the run, if a manifest.json is run again.
void TellChanges(const std::string& file, const LoadedScenario& loaded) {
  const Json manifest = ReadJsonFile(file);
  if (ScenarioOfManifest(manifest, file) == nullptr) return;
  Json now = ProgramIdentity();
  now["inputs"] = InputHashes(loaded);
  for (const InputDifference& input : DifferentInputs(manifest, now)) {
    fmt::print(stderr,
               "note: {}: {} has changed since that run: it is {}, and was {}; records will "
               "differ\n",
               file, input.Label(), input.second, input.first);
  }
  for (const std::string& sentence :
       ProgramDifferences(manifest, "that run", now, "this program")) {
    fmt::print(stderr, "note: {}: {}\n", file, sentence);
  }
}

/// Loads all files; the errors of all of them are printed before giving up.
std::vector<LoadedScenario> LoadAll(const po::variables_map& values) {
  if (!values.count("scenario")) throw UsageError("which scenario? Give at least one file");
  std::vector<LoadedScenario> loaded;
  std::string errors;
  for (const std::string& file : values["scenario"].as<std::vector<std::string>>()) {
    try {
      loaded.push_back(LoadScenario(file, OverridesOf(values), AllMetrics()));
      TellChanges(file, loaded.back());
      for (const std::string& note : loaded.back().notes) {
        fmt::print(stderr, "{}: note: {}\n", file, note);
      }
      const std::vector<std::string> unused = UnusedConfigurations(loaded.back().scenario);
      if (!unused.empty()) {
        fmt::print(stderr, "{}: warning: configurations of no experiment: {}\n", file,
                   fmt::join(unused, ", "));
      }
      for (const std::string& note : RateSweepNotes(loaded.back())) {
        fmt::print(stderr, "{}: warning: {}\n", file, note);
      }
    } catch (const ConfigError& error) {
      errors += (errors.empty() ? "" : "\n") + std::string(error.what());
    }
  }
  if (!errors.empty()) throw UsageError(errors);
  return loaded;
}

/// The values without those files that are suites of scenarios, each of which is checked.
po::variables_map CheckSuites(po::variables_map values) {
  if (!values.count("scenario")) return values;
  auto& files = values.at("scenario").as<std::vector<std::string>>();
  std::erase_if(files, [](const std::string& file) {
    if (!IsNightly(file)) return false;
    const NightlyOptions suite = ReadNightly(file);
    if (std::vector<Issue> issues = CheckNightly(file, suite); !issues.empty()) {
      throw ConfigError(file, std::move(issues));
    }
    fmt::print("{}: fine: a nightly suite of {} scenarios\n", file, suite.scenarios.size());
    return true;
  });
  return values;
}

int Validate(const po::variables_map& values) {
  if (values.count("schema")) {
    fmt::print("{}\n", ScenarioSchema().dump(2));
    return kExitFine;
  }
  for (const LoadedScenario& loaded : LoadAll(CheckSuites(values))) {
    RolloutStore rollouts;
    std::set<std::string> told;
    for (const Cell& cell : loaded.cells) {
      const PreparedCell prepared(loaded, cell, rollouts);
      const auto tell = [&](const char* kind, const std::vector<std::string>& sentences) {
        for (const std::string& sentence : sentences) {
          if (!told.insert(sentence).second) continue;
          fmt::print(stderr, "{}: {}: {}\n", loaded.source, kind, sentence);
        }
      };
      tell("warning", prepared.warnings());
      tell("note", prepared.notes());
      if (prepared.first_failure().empty()) continue;
      fmt::print(stderr, "{}: warning: trial 0 {}fails: {}\n", loaded.source,
                 loaded.cells.size() > 1 ? fmt::format("of {} ", cell.coordinates.Label()) : "",
                 prepared.first_failure());
    }
    CheckGate(loaded);
    const std::size_t observers = loaded.scenario.observers.size();
    fmt::print("{}: fine: {} cells × {} trials × {} estimators{}\n", loaded.source,
               loaded.cells.size(), loaded.scenario.trial_count(),
               loaded.scenario.estimators.size(),
               observers == 0 ? "" : fmt::format(", {} observers", observers));
  }
  return kExitFine;
}

/// `out/<scenario>/<time>`, so that a run never meets an earlier one.
std::filesystem::path DefaultFolder(const std::string& scenario) {
  return std::filesystem::path("out") / scenario / UtcStamp(std::time(nullptr));
}

/// What --export and its companions ask for; nothing without --export.
std::optional<ExportOptions> ExportOf(const po::variables_map& values) {
  if (!values.count("export")) {
    for (const char* companion : {"export-nearest", "export-trial", "export-format",
                                  "export-frictionloss", "merge-locked"}) {
      if (!values.count(companion)) continue;
      throw UsageError(fmt::format("--{}: needs --export, the folder to write to", companion));
    }
    return std::nullopt;
  }
  ExportOptions options;
  options.folder = values["export"].as<std::string>();
  std::error_code ignored;
  if (std::filesystem::exists(options.folder, ignored) &&
      !std::filesystem::is_empty(options.folder, ignored)) {
    throw UsageError(fmt::format(
        "--export: {} is there and not an empty folder\n  name another, or remove it: an export "
        "replaces no model",
        options.folder.string()));
  }
  options.nearest = values.count("export-nearest") > 0;
  if (values.count("export-frictionloss")) options.coulomb = ExportedCoulomb::kFrictionloss;
  if (values.count("merge-locked")) options.locked = LockedBodies::kMerged;
  if (values.count("export-trial")) options.trial = values["export-trial"].as<std::int64_t>();
  if (values.count("export-format")) {
    options.format =
        ParseChoice<ModelFormat>("--export-format", values["export-format"].as<std::string>());
  }
  return options;
}

void CheckTrial(const ExportOptions& options, const LoadedScenario& loaded) {
  const std::int64_t trials = loaded.scenario.trial_count();
  if (options.trial >= 0 && options.trial < trials) return;
  throw UsageError(fmt::format("--export-trial: got {}, but {} has trials 0 to {}", options.trial,
                               loaded.source, trials - 1));
}

/// Prints what was exported. @return the exit code.
int PrintExport(const ExportReport& report) {
  fmt::print("{}", report.text);
  for (const std::string& refusal : report.refusals) {
    fmt::print(stderr, "not exported: {}\n", refusal);
  }
  return report.refusals.empty() ? kExitFine : kExitExecution;
}

/// What was identified in short; of many trials, a chosen one's says little.
void PrintIdentified(const LoadedScenario& loaded, const std::filesystem::path& folder) {
  if (loaded.scenario.trial_count() == 1) {
    fmt::print("{}", IdentifiedInShort(ReadJsonFile(folder / "identified.json")));
  }
  fmt::print("what was identified, and what cannot be: {}\n", (folder / "identified.md").string());
}

int RunOne(const LoadedScenario& loaded, RunOptions options,
           const std::optional<ExportOptions>& export_options, bool strict) {
  ExportReport exported;
  if (export_options) {
    options.kept_trial = export_options->trial;
    options.afterwards = [&](const PreparedCells& contexts, KeptTrials& kept) {
      exported = ExportRun(loaded, contexts, kept, *export_options);
    };
  }
  if (RunScenario(loaded, options) == RunResult::kInterrupted) {
    fmt::print(stderr,
               "interrupted; what was computed is kept in {}\n"
               "  go on with: the same call and --resume --out {}\n",
               options.folder.string(), options.folder.string());
    return kExitExecution;
  }
  if (options.shard) {
    fmt::print("shard {} of {}: {}\n  `idbench merge OUT DIR…` makes the run of all shards\n",
               options.shard->index, options.shard->count, options.folder.string());
    return kExitFine;
  }
  const Report report = WriteReport(options.folder);
  fmt::print("{}\n", report.markdown);
  fmt::print("report: {0}/report.md, {0}/report.html\n", options.folder.string());
  PrintIdentified(loaded, options.folder);
  const int exit_of_export = PrintExport(exported);
  return std::max(exit_of_export, TellLost(report.lost, strict));
}

int Run(const po::variables_map& values) {
  const std::vector<LoadedScenario> scenarios = LoadAll(values);
  RunOptions options;
  options.jobs = values["jobs"].as<int>();
  if (options.jobs < 1) throw UsageError("--jobs: at least 1");
  options.resume = values.count("resume") > 0;
  if (options.resume && !values.count("out")) {
    throw UsageError("--resume goes on with the run in a folder: name it with --out");
  }
  if (values.count("shard")) {
    if (!values.count("out")) throw UsageError("--shard: name the shard's own folder with --out");
    if (values.count("export")) {
      throw UsageError("--export wants a whole run: not with --shard");
    }
    try {
      options.shard = ParseShard(values["shard"].as<std::string>());
    } catch (const std::invalid_argument& error) {
      throw UsageError(fmt::format("--{}", error.what()));
    }
  }
  const std::optional<ExportOptions> export_options = ExportOf(values);
  for (const LoadedScenario& loaded : scenarios) {
    CheckGateRules(loaded);
    if (export_options) CheckTrial(*export_options, loaded);
  }
  options.stop = &StopOnSignals();
  int worst = kExitFine;
  for (const LoadedScenario& loaded : scenarios) {
    if (!values.count("out")) {
      options.folder = DefaultFolder(loaded.scenario.name);
    } else {
      options.folder = values["out"].as<std::string>();
      if (scenarios.size() > 1) options.folder /= loaded.scenario.name;
    }
    std::optional<ExportOptions> own_export = export_options;
    if (own_export && scenarios.size() > 1) own_export->folder /= loaded.scenario.name;
    worst = std::max(worst, RunOne(loaded, options, own_export, values.count("strict") > 0));
    if (options.stop->load()) break;
  }
  return worst;
}

}  // namespace

Subcommand ValidateCommand() {
  Subcommand validate{"validate",
                      "SCENARIO…",
                      "check scenario files without running them",
                      po::options_description("options"),
                      {"scenario…"},
                      &Validate};
  AddScenarioOptions(validate.options);
  validate.options.add_options()("schema", "print the JSON Schema of scenario files instead");
  return validate;
}

Subcommand RunCommand() {
  Subcommand run{"run",
                 "SCENARIO…",
                 "run scenarios and print their tables",
                 po::options_description("options"),
                 {"scenario…"},
                 &Run};
  AddScenarioOptions(run.options);
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  run.options.add_options()                                                               //
      ("jobs", po::value<int>()->default_value(cores)->value_name("J"), "use J threads")  //
      ("out", po::value<std::string>()->value_name("DIR"),
       "write the run to this folder; with several scenarios, each to a folder in it (default: "
       "out/<scenario>/<time>)")             //
      ("resume", "resume the run in --out")  //
      ("shard", po::value<std::string>()->value_name("I/N"),
       "compute only part I of N; `idbench merge` joins the parts")  //
      ("strict", kStrictHelp)                                        //
      ("export", po::value<std::string>()->value_name("DIR"),
       "export the robot's own model file with the estimate of each estimator that succeeded "
       "(inertias, fv and ia as damping and armature of joints), and all of it, Coulomb friction "
       "and offsets too, in a robot.json beside it; what is written is loaded again and compared, "
       "and what cannot be exported is listed at the end, with exit code 5, and the run is kept")  //
      ("export-nearest",
       "replace an estimate that is not physically consistent by the consistent set of least "
       "torque residual, and print the cost")  //
      ("export-frictionloss",
       "write Coulomb friction as friction loss of the joints too (otherwise 0), and print how far "
       "MuJoCo's soft constraint is from it on the validation motion")  //
      ("export-trial", po::value<std::int64_t>()->value_name("N"),
       "export the estimates of trial N (default: 0)")  //
      ("export-format", po::value<std::string>()->value_name("urdf|mjcf"),
       "export this format; a robot whose own file has the other one is "
       "written anew, without geometry")  //
      ("merge-locked",
       "merge bodies that are locked to a link into it, where a robot is a part of its file: they "
       "become massless, instead of staying as written")  //
      ("isa", po::value<std::string>()->value_name("SET"),
       "use this instruction set in the kernel: baseline, avx2 or avx512 (default: the widest)");
  return run;
}

}  // namespace idbench
