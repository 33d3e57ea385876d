#include "bench/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "bench/compare_command.h"
#include "bench/gate_command.h"
#include "bench/history_command.h"
#include "bench/identify_command.h"
#include "bench/list_command.h"
#include "bench/merge_command.h"
#include "bench/motion_command.h"
#include "bench/nightly_command.h"
#include "bench/report_command.h"
#include "bench/robot_command.h"
#include "bench/run/exit_code.h"
#include "bench/run_command.h"
#include "bench/status_command.h"
#include "bench/subcommand.h"
#include "robots/dynamics/dynamics.h"
#include "scenarios/options/config_error.h"

namespace idbench {
namespace {

namespace po = boost::program_options;
using Arguments = std::vector<std::string>;

void PrintUsage(std::FILE* to, const std::vector<Subcommand>& commands) {
  fmt::print(to, "usage: idbench COMMAND …\n\n");
  for (const Subcommand& command : commands) {
    fmt::print(to, "  {:<38}{}\n", fmt::format("{} {}", command.name, command.arguments),
               command.summary);
  }
  fmt::print(to,
             "\n  idbench COMMAND --help lists its options.\n"
             "\nexit codes: 0 fine, 1 regression, 2 usage or scenario error, 3 inconclusive, "
             "4 incomparable,\n            5 interrupted or failed while running, or an estimator "
             "failed in all trials\n");
}

int Execute(const Subcommand& command, const Arguments& arguments) {
  po::options_description all;
  all.add(command.options).add_options()("help", "print this help");
  po::options_description hidden;
  po::positional_options_description positional;
  for (const std::string& positional_name : command.positional) {
    constexpr std::string_view kAll = "…";
    if (positional_name.ends_with(kAll)) {
      const std::string name = positional_name.substr(0, positional_name.size() - kAll.size());
      hidden.add_options()(name.c_str(), po::value<std::vector<std::string>>());
      positional.add(name.c_str(), -1);
    } else {
      hidden.add_options()(positional_name.c_str(), po::value<std::string>());
      positional.add(positional_name.c_str(), 1);
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
    throw UsageError(fmt::format("{}: {}\n  idbench {} --help lists what is accepted", command.name,
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

std::vector<Subcommand> Commands() {
  std::vector<Subcommand> commands;
  for (Subcommand (*make)() :
       {&ListCommand, &ValidateCommand, &RobotCommand, &IdentifyCommand, &MotionCommand,
        &RunCommand, &ReportCommand, &CompareCommand, &GateCommand, &MergeCommand, &StatusCommand,
        &HistoryCommand, &NightlyCommand}) {
    commands.push_back(make());
  }
  return commands;
}

int RunProgram(const std::vector<std::string>& arguments) {
  const std::vector<Subcommand> commands = Commands();
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
    for (const Subcommand& command : commands) {
      if (arguments[0] == command.name) {
        return Execute(command, {arguments.begin() + 1, arguments.end()});
      }
    }
    std::vector<std::string> names;
    for (const Subcommand& command : commands) names.emplace_back(command.name);
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
    std::string_view what = error.what();
    constexpr std::string_view kOfLibrary = "filesystem error: ";
    if (what.starts_with(kOfLibrary)) what.remove_prefix(kOfLibrary.size());
    fmt::print(stderr, "idbench: {}\n", what);
    return kExitExecution;
  }
}

}  // namespace idbench
