#include "bench/robot_command.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "bench/choice.h"
#include "bench/part_options.h"
#include "bench/robot_overview.h"
#include "bench/run/exit_code.h"
#include "scenarios/options/json.h"
#include "scenarios/options/utf8.h"

namespace idbench {
namespace {

namespace po = boost::program_options;

int ShowRobot(const po::variables_map& values) {
  if (!values.count("robot")) throw UsageError("robot: which one? A name or a file");
  const auto format = ParseChoice<OutputFormat>("--format", values["format"].as<std::string>());
  const RobotOverview overview = [&] {
    try {
      return LookAtRobot(values["robot"].as<std::string>(), PartOf(values));
    } catch (const PartError& error) {
      throw UsageError(PartRefusal(error));
    }
  }();
  for (const std::string& note : overview.robot.notes) fmt::print(stderr, "warning: {}\n", note);
  if (format == OutputFormat::kJson) {
    fmt::print("{}\n", JsonText(RobotJson(overview), 2));
  } else {
    fmt::print("{}", RobotText(overview));
  }
  return kExitFine;
}

}  // namespace

Subcommand RobotCommand() {
  Subcommand robot{"robot",
                   "NAME|FILE",
                   "show a robot: joints, masses and identifiable parameters",
                   po::options_description("options"),
                   {"robot"},
                   &ShowRobot};
  robot.options.add_options()  //
      ("format", po::value<std::string>()->default_value("text")->value_name("text|json"),
       "print this format");
  AddPartOptions(robot.options, true);
  return robot;
}

}  // namespace idbench
