#include "bench/robot_command.h"

#include <fmt/format.h>

#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "bench/choice.h"
#include "bench/robot_overview.h"
#include "bench/run/exit_code.h"
#include "scenarios/options/json.h"
#include "scenarios/options/utf8.h"

namespace idbench {
namespace {

namespace po = boost::program_options;

/// JOINT=VALUE as a position of a joint that is held.
std::pair<std::string, double> HeldAt(const std::string& text) {
  const std::size_t sign = text.rfind('=');
  double value = 0.0;
  const char* const end = text.data() + text.size();
  if (sign != std::string::npos && sign > 0) {
    const auto [stop, error] = std::from_chars(text.data() + sign + 1, end, value);
    if (error == std::errc() && stop == end) return {text.substr(0, sign), value};
  }
  throw UsageError(fmt::format(
      "--held-at: got '{}'\n  accepted here: JOINT=VALUE, in rad or m, as in elbow=-1.57", text));
}

/// The part of the file that a call asks for.
RobotPart PartOf(const po::variables_map& values) {
  RobotPart part;
  if (values.count("root")) part.root = values["root"].as<std::string>();
  if (values.count("joints")) {
    part.joints.patterns = values["joints"].as<std::vector<std::string>>();
  }
  if (values.count("held-at")) {
    for (const std::string& text : values["held-at"].as<std::vector<std::string>>()) {
      part.held_at.push_back(HeldAt(text));
    }
  }
  return part;
}

/// What is wrong with it, in the words of the call.
std::string Refusal(const PartError& error) {
  std::string text;
  for (const Issue& issue : error.issues()) {
    std::string option = "--" + issue.where.substr(1, issue.where.find('/', 1) - 1);
    if (issue.where.starts_with("/held_at")) option = "--held-at" + issue.where.substr(8);
    if (option.starts_with("--held-at/")) option[9] = ' ';
    if (!text.empty()) text += "\n";
    text += option + ": " + issue.what;
    for (const std::string& detail : issue.details) text += "\n  " + detail;
  }
  return text;
}

int ShowRobot(const po::variables_map& values) {
  if (!values.count("robot")) throw UsageError("robot: which one? A name or a file");
  const auto format = ParseChoice<OutputFormat>("--format", values["format"].as<std::string>());
  const RobotOverview overview = [&] {
    try {
      return LookAtRobot(values["robot"].as<std::string>(), PartOf(values));
    } catch (const PartError& error) {
      throw UsageError(Refusal(error));
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

Command RobotCommand() {
  Command robot{"robot",
                "NAME|FILE",
                "show a robot: joints, masses and identifiable parameters",
                po::options_description("options"),
                {"robot"},
                &ShowRobot};
  const auto several = [](const char* name) {
    return po::value<std::vector<std::string>>()->multitoken()->composing()->value_name(name);
  };
  robot.options.add_options()  //
      ("format", po::value<std::string>()->default_value("text")->value_name("text|json"),
       "print this format")  //
      ("root", po::value<std::string>()->value_name("BODY"),
       "take only what hangs on this body of the file, which becomes the base")  //
      ("joints", several("PATTERN…"),
       "take these joints as those that move, as in --joints joint{1..7}; the others are held, and "
       "their bodies belong to the links that carry them")  //
      ("held-at", several("JOINT=VALUE…"),
       "set positions of joints that are held, in rad or m (default: 0)");
  return robot;
}

}  // namespace idbench
