#include "bench/run_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <thread>

#include "bench/metrics.h"
#include "bench/nightly_options.h"
#include "bench/runner.h"
#include "bench/stop_signal.h"
#include "reports/report.h"
#include "reports/utc_time.h"

namespace idbench {
namespace {

namespace po = boost::program_options;

std::vector<Override> OverridesOf(const po::variables_map& values) {
  std::vector<Override> overrides;
  if (values.count("set")) {
    for (const std::string& text : values["set"].as<std::vector<std::string>>()) {
      const std::size_t equals = text.find('=');
      if (equals == std::string::npos || !text.starts_with('/')) {
        throw UsageError(
            fmt::format("--set: got '{}'\n  accepted here: /json/pointer=value", text));
      }
      overrides.push_back({text.substr(0, equals), text.substr(equals + 1)});
    }
  }
  if (values.count("trials")) {
    overrides.push_back({"/trials", std::to_string(values["trials"].as<std::int64_t>())});
  }
  if (values.count("seed")) {
    overrides.push_back({"/seed", std::to_string(values["seed"].as<std::uint64_t>())});
  }
  return overrides;
}

/// Loads all files; the errors of all of them are printed before giving up.
std::vector<LoadedScenario> LoadAll(const po::variables_map& values) {
  if (!values.count("scenario")) throw UsageError("which scenario? Give at least one file");
  std::vector<LoadedScenario> loaded;
  std::string errors;
  for (const std::string& file : values["scenario"].as<std::vector<std::string>>()) {
    try {
      loaded.push_back(LoadScenario(file, OverridesOf(values), AllMetrics()));
    } catch (const ConfigError& error) {
      errors += (errors.empty() ? "" : "\n") + std::string(error.what());
    }
  }
  if (!errors.empty()) throw UsageError(errors);
  return loaded;
}

/// The values without those files that are suites of scenarios: each was checked for itself alone.
po::variables_map CheckSuites(po::variables_map values) {
  if (!values.count("scenario")) return values;
  auto& files = values.at("scenario").as<std::vector<std::string>>();
  std::erase_if(files, [](const std::string& file) {
    if (!IsNightly(file)) return false;
    fmt::print("{}: fine: a nightly suite of {} scenarios\n", file,
               ReadNightly(file).scenarios.size());
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
    for (const Cell& cell : loaded.cells) CellContext(loaded, cell, rollouts);
    fmt::print("{}: fine: {} cells × {} trials × {} estimators\n", loaded.source,
               loaded.cells.size(), loaded.scenario.trial_count(),
               loaded.scenario.estimators.size());
  }
  return kExitFine;
}

/// `out/<scenario>/<time>`, so that a run never meets an earlier one.
std::filesystem::path DefaultFolder(const std::string& scenario) {
  return std::filesystem::path("out") / scenario / UtcStamp(std::time(nullptr));
}

int RunOne(const LoadedScenario& loaded, const RunOptions& options) {
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
  return kExitFine;
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
    try {
      options.shard = ParseShard(values["shard"].as<std::string>());
    } catch (const std::invalid_argument& error) {
      throw UsageError(fmt::format("--{}", error.what()));
    }
  }
  options.stop = &StopOnSignals();
  for (const LoadedScenario& loaded : scenarios) {
    if (!values.count("out")) {
      options.folder = DefaultFolder(loaded.scenario.name);
    } else {
      options.folder = values["out"].as<std::string>();
      if (scenarios.size() > 1) options.folder /= loaded.scenario.name;
    }
    if (const int code = RunOne(loaded, options); code != kExitFine) return code;
  }
  return kExitFine;
}

void AddScenarioOptions(po::options_description& options) {
  options.add_options()                                                                          //
      ("trials", po::value<std::int64_t>()->value_name("N"), "Monte Carlo trials of each cell")  //
      ("seed", po::value<std::uint64_t>()->value_name("S"), "seed of all random numbers")        //
      ("set", po::value<std::vector<std::string>>()->composing()->value_name("/POINTER=VALUE"),
       "change the scenario; may be given several times");
}

}  // namespace

Command ValidateCommand() {
  Command validate{"validate",
                   "SCENARIO…",
                   "check scenario files without running them",
                   po::options_description("options"),
                   {"scenario…"},
                   &Validate};
  AddScenarioOptions(validate.options);
  validate.options.add_options()("schema", "print the JSON Schema of scenario files instead");
  return validate;
}

Command RunCommand() {
  Command run{"run",
              "SCENARIO…",
              "run scenarios and print their tables",
              po::options_description("options"),
              {"scenario…"},
              &Run};
  AddScenarioOptions(run.options);
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  run.options.add_options()                                                         //
      ("jobs", po::value<int>()->default_value(cores)->value_name("J"), "threads")  //
      ("out", po::value<std::string>()->value_name("DIR"),
       "run folder; of several scenarios, the folder of their folders (default: "
       "out/<scenario>/<time>)")                 //
      ("resume", "go on with the run in --out")  //
      ("shard", po::value<std::string>()->value_name("I/N"),
       "compute part I of N alone, to be joined by `idbench merge`")  //
      ("isa", po::value<std::string>()->value_name("SET"),
       "instruction set of the kernel: baseline, avx2 or avx512 (default: the widest)");
  return run;
}

}  // namespace idbench
