#include "bench/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/program_options.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <iostream>
#include <optional>
#include <sstream>
#include <thread>

#include "bench/metrics.h"
#include "bench/robot_command.h"
#include "bench/runner.h"
#include "estimators/estimator.h"
#include "reports/report.h"

namespace idbench {
namespace {

namespace po = boost::program_options;
using Arguments = std::vector<std::string>;

/// A call that the program does not understand.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::atomic<bool> stop_requested = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal handler sets it

/// The first Ctrl-C asks for a stop, the second one ends the process.
void RequestStop(int signal) {
  stop_requested = true;
  std::signal(signal, SIG_DFL);
}

struct Command {
  const char* name;
  const char* arguments;  ///< As usage shows them.
  const char* summary;
  po::options_description options;
  std::vector<std::string> positional;  ///< Names of the positional options; the last takes all.
  std::function<int(const po::variables_map&)> run;
};

void ListRobots() {
  fmt::print("robots\n");
  for (const std::string& name : RobotNames()) {
    const Robot robot = LoadRobot(name);
    fmt::print("  {:<16}{}; sets: {}\n", name, robot.title, fmt::join(robot.set_names(), ", "));
  }
}

void ListEstimators() {
  fmt::print("estimators\n");
  for (const EstimatorEntry& entry : EstimatorRegistry()) {
    fmt::print("  {:<16}{}{}\n", entry.type, entry.title,
               entry.source.empty() ? "" : fmt::format(" ({})", entry.source));
    const std::unique_ptr<Estimator> estimator = entry.make();
    const FieldTable fields = estimator->Fields();
    for (const Field& field : fields.fields()) {
      fmt::print("      {} = {}: {}\n", field.name, field.write().dump(), field.info.doc);
    }
  }
}

void ListMetricDefinitions() {
  fmt::print("metrics\n");
  for (const MetricInfo& metric : AllMetrics()) {
    fmt::print("  {:<32}[{}] {}{}\n", metric.name, metric.unit, metric.doc,
               (metric.needs & MetricInfo::kTruth) != 0 ? "; simulation only" : "");
  }
}

int List(const po::variables_map& values) {
  const std::string what = values.count("what") ? values["what"].as<std::string>() : "";
  const std::vector<std::pair<std::string, void (*)()>> lists = {
      {"robots", &ListRobots},
      {"estimators", &ListEstimators},
      {"metrics", &ListMetricDefinitions}};
  bool found = what.empty();
  for (const auto& [name, print] : lists) {
    if (!what.empty() && what != name) continue;
    print();
    found = true;
  }
  if (!found)
    throw UsageError(
        fmt::format("list: got '{}'\n  accepted here: robots, estimators, metrics", what));
  return kExitFine;
}

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

int Validate(const po::variables_map& values) {
  if (values.count("schema")) {
    fmt::print("{}\n", ScenarioSchema().dump(2));
    return kExitFine;
  }
  for (const LoadedScenario& loaded : LoadAll(values)) {
    RolloutStore rollouts;
    for (const Cell& cell : loaded.cells) CellContext(loaded, cell, rollouts);
    fmt::print("{}: fine: {} cells × {} trials × {} estimators\n", loaded.source,
               loaded.cells.size(), loaded.scenario.trial_count(),
               loaded.scenario.estimators.size());
  }
  return kExitFine;
}

int ShowRobot(const po::variables_map& values) {
  if (!values.count("robot")) throw UsageError("robot: which one? A name or a file");
  const std::string format = values["format"].as<std::string>();
  if (format != "text" && format != "json") {
    throw UsageError(fmt::format("--format: got '{}'\n  accepted here: text, json", format));
  }
  const RobotOverview overview = LookAtRobot(values["robot"].as<std::string>());
  for (const std::string& note : overview.robot.notes) fmt::print(stderr, "warning: {}\n", note);
  if (format == "json") {
    fmt::print("{}\n", RobotJson(overview).dump(2));
  } else {
    fmt::print("{}", RobotText(overview));
  }
  return kExitFine;
}

/// `out/<scenario>/<time>`, so that a run never meets an earlier one.
std::filesystem::path DefaultFolder(const std::string& scenario) {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &utc);
  return std::filesystem::path("out") / scenario / text;
}

int RunOne(const LoadedScenario& loaded, const RunOptions& options) {
  if (RunScenario(loaded, options) == RunResult::kInterrupted) {
    fmt::print(stderr,
               "interrupted; what was computed is kept in {}\n"
               "  go on with: the same call and --resume --out {}\n",
               options.folder.string(), options.folder.string());
    return kExitExecution;
  }
  const Report report = WriteReport(options.folder);
  fmt::print("{}\n", report.markdown);
  fmt::print("report: {}\n", (options.folder / "report.md").string());
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
  options.stop = &stop_requested;
  std::signal(SIGINT, &RequestStop);
  std::signal(SIGTERM, &RequestStop);
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

int MakeReport(const po::variables_map& values) {
  if (!values.count("folder")) throw UsageError("report: which run folder?");
  std::set<ReportFormat> formats;
  if (values.count("format")) {
    std::istringstream names(values["format"].as<std::string>());
    for (std::string name; std::getline(names, name, ',');) {
      try {
        formats.insert(ParseReportFormat(name));
      } catch (const std::invalid_argument& error) {
        throw UsageError(error.what());
      }
    }
  } else {
    formats = {ReportFormat::kMarkdown, ReportFormat::kCsv, ReportFormat::kJson};
  }
  const Report report = WriteReport(values["folder"].as<std::string>(), formats);
  fmt::print("{}\n", report.markdown);
  for (const std::filesystem::path& file : report.files) {
    fmt::print("written: {}\n", file.string());
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

std::vector<Command> Commands() {
  std::vector<Command> commands;
  Command list{"list",
               "[robots|estimators|metrics]",
               "what there is to be used in scenarios",
               po::options_description("options"),
               {"what"},
               &List};
  commands.push_back(std::move(list));

  Command validate{"validate",
                   "SCENARIO…",
                   "check scenario files without running them",
                   po::options_description("options"),
                   {"scenario"},
                   &Validate};
  AddScenarioOptions(validate.options);
  validate.options.add_options()("schema", "print the JSON Schema of scenario files instead");
  commands.push_back(std::move(validate));

  Command robot{"robot",
                "NAME|FILE",
                "show a robot: joints, masses, what can be identified",
                po::options_description("options"),
                {"robot"},
                &ShowRobot};
  robot.options.add_options()(
      "format", po::value<std::string>()->default_value("text")->value_name("text|json"),
      "what to print");
  commands.push_back(std::move(robot));

  Command run{"run",
              "SCENARIO…",
              "run scenarios and print their tables",
              po::options_description("options"),
              {"scenario"},
              &Run};
  AddScenarioOptions(run.options);
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  run.options.add_options()                                                         //
      ("jobs", po::value<int>()->default_value(cores)->value_name("J"), "threads")  //
      ("out", po::value<std::string>()->value_name("DIR"),
       "run folder; of several scenarios, the folder of their folders (default: "
       "out/<scenario>/<time>)")                 //
      ("resume", "go on with the run in --out")  //
      ("isa", po::value<std::string>()->value_name("SET"),
       "instruction set of the kernel: baseline, avx2 or avx512 (default: the widest)");
  commands.push_back(std::move(run));

  Command report{"report",
                 "DIR",
                 "make statistics and tables of a run folder again",
                 po::options_description("options"),
                 {"folder"},
                 &MakeReport};
  report.options.add_options()("format", po::value<std::string>()->value_name("LIST"),
                               "of md, csv, json, between commas (default: all)");
  commands.push_back(std::move(report));
  return commands;
}

void PrintUsage(std::FILE* to, const std::vector<Command>& commands) {
  fmt::print(to, "usage: idbench COMMAND …\n\n");
  for (const Command& command : commands) {
    fmt::print(to, "  {:<38}{}\n", fmt::format("{} {}", command.name, command.arguments),
               command.summary);
  }
  fmt::print(to,
             "\n  idbench COMMAND --help tells its options.\n"
             "\nexit codes: 0 fine, 2 usage or scenario error, 5 interrupted or failed while "
             "running\n");
}

int RunCommand(const Command& command, const Arguments& arguments) {
  po::options_description all;
  all.add(command.options).add_options()("help", "print this");
  po::options_description hidden;
  po::positional_options_description positional;
  for (const std::string& name : command.positional) {
    if (name == "scenario") {
      hidden.add_options()(name.c_str(), po::value<std::vector<std::string>>());
      positional.add(name.c_str(), -1);
    } else {
      hidden.add_options()(name.c_str(), po::value<std::string>());
      positional.add(name.c_str(), 1);
    }
  }
  po::options_description accepted;
  accepted.add(all).add(hidden);
  po::variables_map values;
  try {
    po::store(po::command_line_parser(arguments).options(accepted).positional(positional).run(),
              values);
    po::notify(values);
  } catch (const po::error& error) {
    throw UsageError(fmt::format("{}: {}\n  idbench {} --help tells what is accepted", command.name,
                                 error.what(), command.name));
  }
  if (values.count("help")) {
    std::ostringstream text;
    text << all;
    fmt::print("usage: idbench {} {}\n{}\n\n{}", command.name, command.arguments, command.summary,
               text.str());
    return kExitFine;
  }
  if (values.count("isa")) ::setenv("IDBENCH_ISA", values["isa"].as<std::string>().c_str(), 1);
  ActiveKernel();  // an instruction set that this processor lacks is told before anything runs
  return command.run(values);
}

}  // namespace

int RunProgram(const std::vector<std::string>& arguments) {
  const std::vector<Command> commands = Commands();
  if (arguments.empty()) {
    PrintUsage(stderr, commands);
    return kExitUsage;
  }
  if (arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") {
    PrintUsage(stdout, commands);
    return kExitFine;
  }
  if (arguments[0] == "--version") {
    fmt::print("idbench {}\n", IDBENCH_VERSION);
    return kExitFine;
  }
  try {
    for (const Command& command : commands) {
      if (arguments[0] == command.name) {
        return RunCommand(command, {arguments.begin() + 1, arguments.end()});
      }
    }
    std::vector<std::string> names;
    for (const Command& command : commands) names.emplace_back(command.name);
    throw UsageError(fmt::format("no such command: '{}'\n  {}", arguments[0],
                                 fmt::join(AcceptedNames(arguments[0], names), "\n  ")));
  } catch (const UsageError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return kExitUsage;
  } catch (const ConfigError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return kExitUsage;
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "{}\n", error.what());
    return kExitUsage;
  } catch (const std::exception& error) {
    fmt::print(stderr, "idbench: {}\n", error.what());
    return kExitExecution;
  }
}

}  // namespace idbench
